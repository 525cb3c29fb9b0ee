// The operator's CLI over real servers: one line of answer or of refusal. Each command runs once as an operator runs it, in a process of
// its own that must end by itself; other cases call the function that the process runs.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Category } from '../../src/domain/race/race';
import type { ResultRunner } from '../../src/domain/results/result';
import { runCommand } from '../../src/ops/commands';
import { hashApiKey } from '../../src/store/keys';
import { feedResult, resultRunner } from '../support/races/builders';
import { storeRace } from '../support/races/stored-race';
import { createEmptyDatabase, type TestDatabase } from '../support/servers/database';
import { createTestNamespace, type TestNamespace } from '../support/servers/temporal';

interface Run {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

let db: TestDatabase;
let temporal: TestNamespace;
let folder: string;

beforeAll(async () => {
  [db, temporal] = await Promise.all([createEmptyDatabase(), createTestNamespace()]);
  folder = mkdtempSync(join(tmpdir(), 'ops-'));
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

/** Its pauses are short: a registry gets a few seconds of racing time between two calls. */
function opsProcess(...args: string[]): Promise<Run> {
  const env = { ...environment(), CLOCK_SPEED: '100', CLOCK_ANCHOR: new Date().toISOString() };
  const root = resolve(__dirname, '../..');
  const child = spawn(process.execPath, ['--import', 'tsx', 'src/ops/main.ts', ...args], { cwd: root, env });
  return new Promise((done, reject) => {
    let [out, err] = ['', ''];
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

test('migrate, twice: the second changes nothing', async () => {
  expect(await opsProcess('migrate')).toMatchObject({ code: 0, out: expect.stringContaining('0001_races') });
  expect(await ops('migrate')).toMatchObject({ code: 0, out: expect.stringContaining('applied: nothing') });
});

test('seed writes working keys to a file that only its owner reads, and keeps them the second time', async () => {
  const file = join(folder, 'keys.json');
  expect(await opsProcess('seed', '--keys-file', file)).toMatchObject({ code: 0 });
  const first = readFileSync(file, 'utf8');
  const keys = JSON.parse(first) as Record<string, string>;
  expect(Object.keys(keys).sort()).toEqual(['demo_key', 'internal_key', 'plus_key', 'simulator_key']);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const { rows } = await db.pool.query('SELECT plan, role FROM api_keys WHERE key_hash = $1', [
    hashApiKey(keys.plus_key!),
  ]);
  expect(rows).toEqual([{ plan: 'plus', role: 'customer' }]);
  expect(await ops('seed', '--keys-file', file)).toMatchObject({ out: expect.stringContaining('none') });
  expect(readFileSync(file, 'utf8')).toBe(first);
});

test('a wrong command or plan is one refusal that names the right ones', async () => {
  expect(await opsProcess('frobnicate')).toMatchObject({ code: 1, err: expect.stringContaining('usage:') });
  const refused = await ops('keys', '--plan', 'gold', '--label', 'x');
  expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('free, hobby') });
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
    expect(refused.code).toBe(1);
    for (const reason of ['/1/sp', '/2/status', 'additional properties']) expect(refused.err).toContain(reason);
    expect((await stores.results.read(raceId))!.fieldStatus).toBe('pending');
  });

  test('a race without a result, and one whose code no registry publishes, are refused (D25)', async () => {
    const file = fieldFile([runner(1)]);
    const unrun = await storeRace(db, { raceNumber: 4 });
    expect(await ops('fill-field', '--race', unrun.raceId, '--file', file)).toMatchObject({
      code: 1,
      err: expect.stringContaining('no result yet'),
    });
    const { raceId } = await resulted(5, 'harness');
    expect(await ops('fill-field', '--race', raceId, '--file', file)).toMatchObject({
      code: 1,
      err: expect.stringContaining('no registry'),
    });
  });

  test('a late fill completes the coverage of a race whose workflow is gone (A 3)', async () => {
    const { raceId, stores } = await resulted(6);
    // As results serve them: with values derived from the name.
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
    expect(await ops('collect')).toMatchObject({ code: 1, err: expect.stringContaining('usage:') });
    expect(await ops('collect', '2026-02-30')).toMatchObject({ code: 1, err: expect.stringContaining('YYYY-MM-DD') });
    const unknown = await ops('collect', '00000000-0000-5000-8000-000000000000');
    expect(unknown).toMatchObject({ code: 1, err: expect.stringContaining('there is no race') });
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
