// The operator's CLI over real servers: one line of reply or refusal. Each command runs once as an operator runs it, in
// its own process that must end by itself; other cases call the function that the process runs.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Category } from '../../src/domain/race/race';
import type { ResultRunner } from '../../src/domain/results/result';
import { sportOf } from '../../src/domain/sports/sports';
import { runCommand } from '../../src/ops/run-command';
import { createStores } from '../../src/store/create-stores';
import { hashApiKey } from '../../src/store/keys/keys';
import { filesBeforeBaseline } from '../../src/store/pg/adopt';
import { feedResult, resultRunner } from '../support/races/builders';
import { storeRace } from '../support/races/stored-race';
import { createEmptyDatabase, type TestDatabase } from '../support/servers/database';
import { program } from '../support/servers/program';
import { createTestNamespace, type TestNamespace } from '../support/servers/temporal';

interface Run {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

let db: TestDatabase;
let temporal: TestNamespace;
let folder: string;
/** Temporal's client tries for ten seconds; other tests run in the meantime. */
let withoutTemporal: Promise<Run>;

beforeAll(async () => {
  [db, temporal] = await Promise.all([createEmptyDatabase(), createTestNamespace()]);
  folder = mkdtempSync(join(tmpdir(), 'ops-'));
  const variables = { ...environment(), LOG_LEVEL: 'silent', TEMPORAL_ADDRESS: '127.0.0.1:1' };
  withoutTemporal = runCommand(['collect', '2026-11-21'], variables);
});

afterAll(async () => {
  await Promise.all([db.drop(), temporal.close()]);
  rmSync(folder, { recursive: true });
});

const environment = () => ({
  ...process.env,
  DATABASE_URL: db.url,
  TEMPORAL_ADDRESS: temporal.address,
  TEMPORAL_NAMESPACE: temporal.namespace,
  // No service listens there.
  SIMULATOR_URL: 'http://127.0.0.1:9',
});

const ops = (...args: string[]): Promise<Run> => runCommand(args, { ...environment(), LOG_LEVEL: 'silent' });

/** Its pauses are short: a registry gets a few seconds of race time between two calls. */
function opsProcess(...args: string[]): Promise<Run> {
  const env = { ...environment(), CLOCK_SPEED: '100', CLOCK_ANCHOR: new Date().toISOString() };
  const root = resolve(__dirname, '../..');
  const child = spawn(process.execPath, [...program('ops'), ...args], { cwd: root, env });
  return new Promise((done, reject) => {
    let out = '';
    let err = '';
    child.stdout.on('data', (data) => {
      out += data;
    });
    child.stderr.on('data', (data) => {
      err += data;
    });
    child.on('error', reject);
    child.on('close', (code) => done({ code, out, err }));
  });
}

test('a second migrate changes nothing', async () => {
  expect(await opsProcess('migrate')).toMatchObject({ code: 0, out: expect.stringContaining('0201_card') });
  expect(await ops('migrate')).toMatchObject({ code: 0, out: expect.stringContaining('applied: nothing') });
});

test('migrate reports once that it adopted a database from before the baseline', async () => {
  const before = filesBeforeBaseline();
  await db.pool.query(`DELETE FROM schema_migrations WHERE name ~ '^\\d'`);
  const insert = 'INSERT INTO schema_migrations (name, sha256) SELECT * FROM unnest($1::text[], $2::text[])';
  await db.pool.query(insert, [[...before.keys()], [...before.values()]]);
  const adopted = 'adopted: the files of the baseline are recorded';
  expect(await ops('migrate')).toMatchObject({ code: 0, out: expect.stringContaining(adopted) });
  expect(await ops('migrate')).toMatchObject({ code: 0, out: expect.not.stringContaining('adopted') });
});

test('seed writes working keys to a file that only its owner can read, and keeps them the second time', async () => {
  const file = join(folder, 'keys.json');
  const { code, out } = await opsProcess('migrate', '--and', 'seed', '--keys-file', file);
  expect([
    code,
    out
      .trim()
      .split('\n')
      .map((line) => line.replace(/:.*/, '')),
  ]).toEqual([0, ['kept', 'keys minted']]);
  const first = readFileSync(file, 'utf8');
  const keys = JSON.parse(first) as Record<string, string>;
  expect(Object.keys(keys).sort()).toEqual([
    'demo_key',
    'internal_key',
    'plus_key',
    'push_betgold_key',
    'push_boostbet_key',
    'push_ladbrokes_au_key',
    'push_pointsbetau_key',
    'push_sportsbet_key',
    'push_tab_key',
  ]);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const { rows } = await db.pool.query('SELECT plan, role FROM api_keys WHERE key_hash = $1', [
    hashApiKey(keys.plus_key!),
  ]);
  expect(rows).toEqual([{ plan: 'plus', role: 'customer' }]);
  expect(await ops('seed', '--keys-file', file)).toMatchObject({ out: expect.stringContaining('none') });
  expect(readFileSync(file, 'utf8')).toBe(first);
  const never = join(folder, 'never.json');
  const failed = await opsProcess('migrate', 'now', '--and', 'seed', '--keys-file', never);
  expect([failed.code, failed.out, existsSync(never)]).toEqual([2, '', false]);
});

test('seeding again replaces the internal key that earlier versions gave the simulator', async () => {
  const file = join(folder, 'older-keys.json');
  const { out } = await ops('keys', '--plan', 'enterprise', '--role', 'internal', '--label', 'simulator');
  writeFileSync(file, JSON.stringify({ simulator_key: out.trim() }));
  expect(await ops('seed', '--keys-file', file)).toMatchObject({ code: 0 });
  expect(readFileSync(file, 'utf8')).not.toContain(out.trim());
  const { rows } = await db.pool.query('SELECT revoked_at IS NULL AS works FROM api_keys WHERE key_hash = $1', [
    hashApiKey(out.trim()),
  ]);
  expect(rows).toEqual([{ works: false }]);
});

describe('sports', () => {
  const at = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
  const push = (bookmakerKey: string, homeTeam: string) =>
    createStores(db.pool).sportIngest.push(
      {
        bookmakerKey,
        observedAt: at(-0.1),
        events: [
          {
            sport: sportOf('rugby_union')!,
            sourceId: null,
            homeTeam,
            awayTeam: 'Otago',
            competition: null,
            commenceTime: at(24).replace(/[.].*/, '.000Z'),
            markets: [{ market: 'h2h', prices: { home: 1.4, draw: null, away: 3, homePoint: null, awayPoint: null } }],
          },
        ],
      },
      at(-0.1),
    );

  test('duplicate matches are listed, joined, separated and explained', async () => {
    expect(await ops('sports', 'decisions')).toMatchObject({ code: 0, out: 'no decision is stored\n' });
    expect(await ops('sports', 'twins')).toMatchObject({ code: 0, out: 'no match stands twice\n' });
    await push('tab', 'Mooloo');
    await push('neds', 'Waikato Chiefs');
    const twins = await ops('sports', 'twins');
    const ids = [...twins.out.matchAll(/[0-9a-f-]{36}/g)].map(([id]) => id!);
    expect([twins.code, ids.length]).toEqual([0, 2]);
    expect(await opsProcess('sports', 'join', ...ids)).toMatchObject({ code: 0, out: expect.stringContaining(' is ') });
    expect(await ops('sports', 'join', ...ids)).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^it was ruled so/),
    });
    expect(await ops('sports', 'part', ids[0]!, 'tab', 'neds')).toMatchObject({ code: 2 });
    expect(await ops('sports', 'part', ids[0]!, 'neds')).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^neds have/),
    });
    const why = await ops('sports', 'decisions', '--book', 'neds', '--since', at(-1));
    expect(why).toMatchObject({ code: 0, out: expect.stringContaining('an operator ruled so') });
    expect(await ops('sports', 'recheck')).toMatchObject({
      code: 0,
      out: expect.stringContaining(' 0 rows were parted'),
    });
  });
});

describe('a mistake is one sentence and exit code 2', () => {
  const NO_RACE = '00000000-0000-5000-8000-000000000000';
  const refused: [string[], string][] = [
    [['keys', '--plan', 'gold', '--label', 'x'], 'free, hobby'],
    [['override', '--race', 'nope', '--order', '1'], "'nope' is no race id"],
    [['override', '--race', NO_RACE, '--order', '1'], 'There is no race'],
    [['override', '--race', NO_RACE, '--order', 'one'], 'no order of finish'],
    [['sports', 'join', NO_RACE, NO_RACE], 'There is no match'],
    [['sports', 'join', 'one', 'two'], "'one' is no event id"],
    [['sports', 'decisions', '--since', 'noon'], "'noon' is no time"],
    [['fill-field', '--race', NO_RACE, '--file', '/nope.json'], '/nope.json does not exist.'],
    [['fill-field', '--race', NO_RACE, '--file', __filename], 'is not valid JSON.'],
    [['fill-field', '--race', NO_RACE, '--file', __dirname], 'cannot be read (EISDIR).'],
    [['seed', '--keys-file', '/nope/keys.json'], 'The folder /nope does not exist.'],
  ];
  const oneSentence = { code: 2, out: '', err: expect.stringMatching(/^.+[.]\n$/) };

  test.each(refused)('%j', async (args, sentence) => {
    const run = await ops(...args);
    expect(run).toMatchObject(oneSentence);
    expect(run.err).toContain(sentence);
  });

  test.each([
    [{ DATABASE_URL: 'postgres://u:secret@127.0.0.1:1/x' }, 'The database at 127.0.0.1:1 does not answer'],
    [{ DATABASE_URL: 'x' }, 'DATABASE_URL'],
    [{ FEED_NEDS_ULR: 'https://x' }, 'FEED_NEDS_URL'],
  ])('%j', async (variables, sentence) => {
    const run = await runCommand(['collect', '2026-11-21'], { ...environment(), LOG_LEVEL: 'silent', ...variables });
    expect(run).toMatchObject({ code: 2, out: '' });
    expect(run.err).toMatch(/^.+[.?]\n$/);
    expect(run.err).toContain(sentence);
    expect(run.err).not.toContain('secret');
  });

  test('also when Temporal does not answer', async () => {
    const err = 'Temporal at 127.0.0.1:1 does not answer: check TEMPORAL_ADDRESS.\n';
    expect(await withoutTemporal).toEqual({ code: 2, out: '', err });
  });

  test('also on a server without the database and in a database without its tables', async () => {
    const at = (change: (url: URL) => void) => {
      const url = new URL(db.url);
      change(url);
      return runCommand(['keys', 'list'], { ...environment(), LOG_LEVEL: 'silent', DATABASE_URL: url.href });
    };
    const none = await at((url) => {
      url.pathname = '/no_such_database';
    });
    expect(none).toMatchObject({ code: 2, err: 'The server of DATABASE_URL has no such database.\n' });
    const empty = await at((url) => {
      url.pathname = '/postgres';
    });
    expect(empty).toMatchObject({ code: 2, err: expect.stringContaining('run migrate first') });
  });
});

const runner = (number: number, over: Partial<ResultRunner> = {}) => resultRunner(number, { sp: 4.6, ...over });

describe('fill-field', () => {
  async function resulted(raceNumber: number, category: Category = 'horse') {
    const race = await storeRace(db, { raceNumber, category });
    const write = { raceId: race.raceId, source: 'ladbrokes_au', result: feedResult(), at: race.before(-300) };
    await race.stores.results.saveResult(write);
    return race;
  }

  const fieldFile = (field: unknown): string => {
    const file = join(folder, 'field.json');
    writeFileSync(file, JSON.stringify(field));
    return file;
  };

  test('a bad file is refused as a whole, with every reason, and no data is lost', async () => {
    const { raceId, stores } = await resulted(3);
    const file = fieldFile([runner(1), runner(2, { sp: 0 }), { ...runner(3), status: 'fell', colour: 'bay' }]);
    const refused = await ops('fill-field', '--race', raceId, '--file', file);
    expect(refused.code).toBe(2);
    for (const reason of ['/1/sp', '/2/status', 'additional properties']) expect(refused.err).toContain(reason);
    expect((await stores.results.read(raceId))!.fieldStatus).toBe('pending');
  });

  test('a race without a result, and one whose code no registry publishes, are refused (D25)', async () => {
    const file = fieldFile([runner(1)]);
    const unrun = await storeRace(db, { raceNumber: 4 });
    expect(await ops('fill-field', '--race', unrun.raceId, '--file', file)).toMatchObject({
      code: 2,
      err: expect.stringContaining('no result yet'),
    });
    const { raceId } = await resulted(5, 'harness');
    expect(await ops('fill-field', '--race', raceId, '--file', file)).toMatchObject({
      code: 2,
      err: expect.stringContaining('no registry'),
    });
  });

  test('a late fill completes the coverage of a race whose workflow is gone (A 3)', async () => {
    const { raceId, stores } = await resulted(6);
    // As results serve it: with values derived from the name.
    const served = [1, 2, 3].map((number) => ({ ...runner(number), horse_ref: `pe:runner${number}` }));
    const run = await opsProcess('fill-field', '--race', raceId, '--file', fieldFile(served));
    expect(run).toMatchObject({ code: 0, out: expect.stringContaining('3 runners') });
    expect((await stores.results.read(raceId))!.fieldStatus).toBe('complete');
    const { rows } = await db.pool.query('SELECT runners FROM race_results WHERE race_id = $1', [raceId]);
    expect(rows[0].runners).toEqual([runner(1), runner(2), runner(3)]);
  });
});

describe('collect', () => {
  test('an argument that is neither race nor day is refused with the accepted forms', async () => {
    expect(await ops('collect')).toMatchObject({ code: 2, err: expect.stringContaining('collect RACE_ID|YYYY-MM-DD') });
    expect(await ops('collect', '2026-02-30')).toMatchObject({ code: 2, err: expect.stringContaining('YYYY-MM-DD') });
    const unknown = await ops('collect', '00000000-0000-5000-8000-000000000000');
    expect(unknown).toMatchObject({ code: 2, err: expect.stringContaining('There is no race') });
  });

  test('a race is looked up in every region at once; unreachable registries are reported', async () => {
    const { raceId } = await storeRace(db, { raceNumber: 7 });
    const run = await opsProcess('collect', raceId);
    expect(run).toMatchObject({
      code: 0,
      out: expect.stringContaining('0 of 8 lists and documents read, fields filled: 0'),
    });
  });
});

test('resync signals every running race, of which there is none here', async () => {
  const run = await opsProcess('resync');
  expect(run).toMatchObject({ code: 0, out: expect.stringMatching(/^running races that store their state again: 0;/) });
});
