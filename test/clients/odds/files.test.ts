// `odds download` and `odds mirror` against the real service and its files, through a connection that breaks. Never: a
// file under its final name that is not proven, one that is fetched twice, an older version in place of a newer one.
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildBulkPeriod, dueBulkPeriods } from '../../../src/activities/bulk-files';
import { createCharger } from '../../../src/api/kernel/charging/charger';
import { createFolderStore } from '../../../src/file-store/folder';
import { createStores } from '../../../src/store/create-stores';
import { createReads } from '../../../src/store/reads/reads';
import { type Served, serve } from '../../support/api/served';
import { type FaultyHttp, faultyHttp } from '../../support/clients/http-faults';
import { oddsProgram, type RunningOdds, startOdds } from '../../support/clients/odds';
import { type DuckDb, openDuckDb } from '../../support/duckdb';
import { SIGNER } from '../../support/manifests';
import { feedField } from '../../support/races/builders';
import { addPastRace } from '../../support/races/past-race';

const program = oddsProgram();
const stored = mkdtempSync(join(tmpdir(), 'odds-bulk-'));
const files = createFolderStore(stored);

let served: Served;
let line: FaultyHttp;
let key: string;
let folder: string;
let duckDb: DuckDb;

async function build(nowIso: string): Promise<void> {
  const now = () => Date.parse(nowIso);
  const stores = createStores(served.db.pool);
  const deps = { stores, files, signer: SIGNER, bulkReads: createReads(served.db.pool), now, wallMs: now };
  for (let due = await dueBulkPeriods(deps); due.length > 0; due = await dueBulkPeriods(deps))
    for (const one of due) await buildBulkPeriod(deps, one, () => {});
}

beforeAll(async () => {
  served = await serve(({ pool }) => {
    const { credits, bulkFiles } = createStores(pool);
    return { bulk: { manifest: bulkFiles, files, keys: SIGNER.publicKeys }, charger: createCharger(credits) };
  });
  for (const startTime of ['2026-11-19T01:00:00.000Z', '2026-11-20T01:00:00.000Z'])
    await addPastRace(served.db.pool, { startTime, runners: feedField(2, 3, 4) });
  await build('2026-11-21T00:00:00Z');
  line = await faultyHttp(served.api.url);
  duckDb = await openDuckDb();
});
beforeEach(async () => {
  key = await served.addKey({ plan: 'platform' });
  folder = mkdtempSync(join(tmpdir(), 'odds-files-'));
  line.plan();
});
afterEach(() => rmSync(folder, { recursive: true }));
afterAll(async () => {
  duckDb?.close();
  await line?.close();
  await served?.stop();
  rmSync(stored, { recursive: true });
});

async function ended(args: readonly string[], over: Partial<Parameters<typeof startOdds>[2]> = {}) {
  const env = { ODDS_API_URL: line.url, ODDS_API_KEY: key };
  const running: RunningOdds = startOdds(program, args, { env, ...over });
  const code = await running.code;
  expect(running.out + running.err).not.toContain(key);
  return { code, out: running.out, err: running.err };
}

const fetches = (): string[] => line.seen.map(({ url }) => url).filter((url) => /v1\/bulk\/\w+\/[\d-]+\?/.test(url));
const mirrored = (): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => statSync(join(folder, file)).isFile() && !file.startsWith('.odds'))
    .sort();
const used = async (): Promise<number> => (await served.api.get('/v1/usage', key)).body.credits_used;

test('a file that breaks off is continued from its last byte, proven, and charged once', async () => {
  const path = join(folder, 'results.parquet');
  const args = ['download', 'results', '2026-11-20', '-o', path];
  line.plan('pass', 'cut inside', 'pass');
  expect(await ended(args)).toMatchObject({
    code: 0,
    out: `${path}\n`,
    err: expect.stringMatching(/SHA-256 [0-9a-f]{64}\n$/),
  });
  const ranges = line.seen.map(({ headers }) => headers.range);
  expect(ranges).toEqual([undefined, undefined, expect.stringMatching(/^bytes=[1-9]\d*-$/)]);
  expect(readdirSync(folder)).toEqual(['results.parquet']);
  expect(await duckDb.rows(`SELECT count(*) FROM '${path}'`)).toEqual([[3n]]);
  expect(await used()).toBe(20);
  line.plan();
  expect(await ended(args)).toMatchObject({ code: 0, err: expect.stringContaining('already there') });
  expect(fetches()).toEqual([]);
});

test('the command after an interrupted one goes on where it ended; progress is shown on a terminal alone', async () => {
  const path = join(folder, 'lines.csv.gz');
  const args = ['download', 'closing-lines', '2026-11-20', '--csv', '-o', path];
  line.plan('pass', 'cut inside', ...Array(40).fill('cut before'));
  const broken = await ended(args);
  expect(broken).toMatchObject({ code: 1, out: '', err: expect.stringMatching(/^odds: The service does not answer/) });
  expect(readdirSync(folder)).toEqual([expect.stringMatching(/^\.lines\.csv\.gz\.[0-9a-f]{16}\.part$/)]);
  line.plan();
  const terminal = { columns: 70, rows: 20 };
  const whole = await ended(args, { terminal });
  expect(whole).toMatchObject({ code: 0, err: expect.stringContaining('] 100 % of') });
  expect(line.seen.at(-1)!.headers.range).toMatch(/^bytes=\d+-$/);
});

test('what is not there, not allowed or not a choice is one sentence', async () => {
  expect(await ended(['download', 'results', '2026-11-21'])).toMatchObject({
    code: 1,
    err: expect.stringMatching(/^odds: .*2026-11-21 is not complete yet.*\n$/),
  });
  expect(await ended(['download', 'camels', '2026-11-20'])).toMatchObject({
    code: 1,
    err: expect.stringContaining('dataset'),
  });
  expect(await ended(['download', 'results', '2026-11-20', '--csv', '--parquet'])).toMatchObject({ code: 2 });
  expect(await ended(['mirror', folder, '--from', 'yesterday'])).toMatchObject({ code: 2 });
  key = await served.addKey({ plan: 'free' });
  expect(await ended(['mirror', folder])).toMatchObject({ code: 1, err: expect.stringMatching(/^odds: .*usiness/) });
  expect(mirrored()).toEqual([]);
});

const MIRROR = ['--datasets', 'results,closing-lines', '--from', '2026-11-19', '--to', '2026-11-20'];
const PLACES = ['closing_lines', 'results'].flatMap((name) =>
  ['2026-11-19', '2026-11-20'].map((day) => `dataset=${name}/month=2026-11/day=${day}/${name}-${day}.parquet`),
);

test('a mirror has every day once, as a table with its partitions, and fetches nothing twice', async () => {
  const args = ['mirror', folder, ...MIRROR];
  expect(await ended([...args, '--dry-run'])).toMatchObject({
    code: 0,
    err: '4 to fetch, for at most 80 credits, 0 unchanged, 0 refused\n',
  });
  expect(mirrored()).toEqual([]);
  line.plan('pass', 'cut before', 'pass', 'pass', 'cut inside', 'pass', 'cut inside', 'pass', 'cut after');
  const first = await ended(args);
  expect(first).toMatchObject({ code: 0, err: '4 fetched, 0 unchanged, 0 refused\n' });
  expect(first.out.trim().split('\n').sort()).toEqual(PLACES.map((place) => join(folder, place)));
  expect(mirrored()).toEqual(PLACES);
  const table = `read_parquet('${folder}/**/results-*.parquet', hive_partitioning = true)`;
  expect(await duckDb.rows(`SELECT dataset, day, count(*) FROM ${table} GROUP BY ALL ORDER BY day`)).toEqual([
    ['results', '2026-11-19', 3n],
    ['results', '2026-11-20', 3n],
  ]);
  line.plan();
  expect(await ended(args)).toMatchObject({ code: 0, out: '', err: '0 fetched, 4 unchanged, 0 refused\n' });
  expect(fetches()).toEqual([]);
  expect(await used()).toBe(80);
});

test('a file that was changed or lost here is fetched again, and only that one', async () => {
  const args = ['mirror', folder, ...MIRROR];
  await ended(args);
  const place = join(folder, PLACES[0]!);
  const bytes = readFileSync(place);
  writeFileSync(place, Buffer.from(bytes).fill(0, 10, 20));
  rmSync(join(folder, PLACES[3]!));
  expect(await ended(args)).toMatchObject({ code: 0, err: '2 fetched, 2 unchanged, 0 refused\n' });
  expect(readFileSync(place).equals(bytes)).toBe(true);
});

test('a day without a manifest does not end the mirror', async () => {
  const day = `dataset = 'results' AND period = '2026-11-20'`;
  const { rows } = await served.db.pool.query(`DELETE FROM bulk_manifests WHERE ${day} RETURNING *`);
  try {
    expect(await ended(['mirror', folder, ...MIRROR])).toMatchObject({
      code: 1,
      err: expect.stringMatching(
        /^odds: results 2026-11-20 is not ready: Version 1 .* has no manifest yet.*\n3 fetched, 0 unchanged, 1 refused\n/,
      ),
    });
    expect(mirrored()).toEqual(PLACES.slice(0, 3));
  } finally {
    await served.db.pool.query(
      'INSERT INTO bulk_manifests SELECT * FROM jsonb_populate_record(NULL::bulk_manifests, $1)',
      [JSON.stringify(rows[0])],
    );
  }
  expect(await ended(['mirror', folder, ...MIRROR])).toMatchObject({ code: 0 });
});

test('a stored manifest of another form, or that its key did not sign, is fetched again', async () => {
  const args = ['mirror', folder, '--datasets', 'results', '--from', '2026-11-19', '--to', '2026-11-20'];
  await ended(args);
  const place = join(folder, '.odds/manifests/results/2026-11-20.json');
  const stored = readFileSync(place, 'utf8');
  const forms = [
    '',
    '{"manifest":{"ver',
    'null',
    '[]',
    '{"manifest":null}',
    '{"manifest":{"version":1},"signature":1}',
  ];
  for (const text of [
    ...forms,
    stored.replace('"rows": 3', '"rows": 4'),
    stored.replace('"value": "', '"value": "A'),
  ]) {
    writeFileSync(place, text);
    expect([text, await ended(args)]).toMatchObject([text, { code: 0, err: '1 fetched, 1 unchanged, 0 refused\n' }]);
    expect(readFileSync(place, 'utf8')).toBe(stored);
  }
  expect(await used()).toBe(40);
});

test('keys that cannot be read are never replaced by those of the service', async () => {
  const args = ['mirror', folder, ...MIRROR];
  await ended(args);
  const place = join(folder, '.odds/keys.json');
  expect(readdirSync(join(folder, '.odds')).sort()).toEqual(['keys.json', 'manifests']);
  for (const text of ['', readFileSync(place, 'utf8').slice(0, 60), '{"keys":[]}', '{"keys":[{"kid":1}]}', 'null']) {
    writeFileSync(place, text);
    for (const more of [[], ['--trust-new-keys']])
      expect(await ended([...args, ...more])).toMatchObject({
        code: 1,
        err: expect.stringMatching(/^odds: .*keys\.json has no keys that can be read: .*\n$/),
      });
    expect(readFileSync(place, 'utf8')).toBe(text);
  }
});

describe('a mirror refuses and names', () => {
  const changing = async (change: (text: string) => string) => {
    const args = ['mirror', folder, '--datasets', 'results', '--from', '2026-11-20', '--to', '2026-11-20'];
    const path = '/v1/bulk/results/2026-11-20/manifest?version=1';
    const { body } = await served.api.get(path, key);
    const text = change(JSON.stringify(body));
    line.plan('pass', 'pass', { status: 200, headers: { 'Content-Type': 'application/json' }, body: text });
    const result = await ended(args);
    expect(mirrored()).toEqual([]);
    return result;
  };

  test.each([
    [
      'a changed manifest',
      (text: string) => text.replace('"rows":3', '"rows":4'),
      /results 2026-11-20 is refused: its signature/,
    ],
    ['a manifest of another form', () => '{"manifest":{}}', /results 2026-11-20 is refused: it has another form/],
    ['another signature', (text: string) => text.replace('"value":"', '"value":"AAAA'), /is refused: its signature/],
    ['an unknown key', (text: string) => text.replace(/"key_id":"[^"]*"/, '"key_id":"x"'), /does not trust the key x/],
  ])('%s', async (_, change, sentence) => {
    expect(await changing(change)).toMatchObject({ code: 1, err: expect.stringMatching(sentence) });
  });

  test('the manifest of another day', async () => {
    const other = JSON.stringify((await served.api.get('/v1/bulk/results/2026-11-19/manifest', key)).body);
    expect(await changing(() => other)).toMatchObject({
      code: 1,
      err: expect.stringContaining('it is of period 2026-11-19'),
    });
  });

  test('bytes of another file', async () => {
    const { rows } = (await served.api.get('/v1/bulk/datasets?dataset=results&limit=1', key)).body;
    const { bytes } = rows[0].files.find(({ format }: { format: string }) => format === 'parquet');
    const body = 'x'.repeat(bytes);
    line.plan('pass', 'pass', 'pass', { status: 200, headers: { 'Content-Type': 'application/octet-stream' }, body });
    const args = ['mirror', folder, '--datasets', 'results', '--from', '2026-11-20', '--to', '2026-11-20'];
    expect(await ended(args)).toMatchObject({
      code: 1,
      err: expect.stringMatching(/results 2026-11-20 is refused and removed: its SHA-256 is/),
    });
    expect(mirrored()).toEqual([]);
  });

  test('a version older than the one that is there, and keys that are new', async () => {
    const args = ['mirror', folder, '--datasets', 'results', '--from', '2026-11-20', '--to', '2026-11-20'];
    await ended(args);
    const place = join(folder, '.odds/manifests/results/2026-11-20.json');
    const signed = JSON.parse(readFileSync(place, 'utf8'));
    signed.manifest.version = 7;
    writeFileSync(place, JSON.stringify(signed));
    expect(await ended(args)).toMatchObject({ code: 1, err: expect.stringContaining('version 7 is there') });
    rmSync(place);
    const keys = join(folder, '.odds/keys.json');
    const {
      keys: [one],
    } = JSON.parse(readFileSync(keys, 'utf8'));
    writeFileSync(keys, JSON.stringify({ keys: [{ ...one, kid: 'older' }] }));
    expect(await ended(args)).toMatchObject({ code: 1, err: expect.stringContaining('--trust-new-keys') });
    expect(await ended([...args, '--trust-new-keys'])).toMatchObject({ code: 0 });
  });
});
