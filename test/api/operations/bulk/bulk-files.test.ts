// The bulk files over HTTP, from a real database and folder: the catalogue, plans, charges once per version and day,
// and why a file is missing.
import { createHash, randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { Pool } from 'pg';
import { createBalances } from '../../../../src/api/kernel/charging/balances';
import { createCharger } from '../../../../src/api/kernel/charging/charger';
import { createFolderStore } from '../../../../src/file-store/folder';
import { createStores } from '../../../../src/store/create-stores';
import type { Charge } from '../../../../src/store/credits/credits';
import { hashApiKey } from '../../../../src/store/keys/keys';
import type { Stores } from '../../../../src/store/stores';
import { expectConforms } from '../../../support/api/conforms';
import { followed } from '../../../support/api/next-link';
import { type Served, serve } from '../../../support/api/served';
import { SIGNER } from '../../../support/manifests';
import { PATIENT_MS } from '../../../support/patient';
import { feedField } from '../../../support/races/builders';
import { addPastRace } from '../../../support/races/past-race';
import { until } from '../../../support/races/stream-lab';
import { poolAs } from '../../../support/servers/roles';
import { buildFiles } from './build-files';

const folder = mkdtempSync(join(tmpdir(), 'bulk-api-'));
const files = createFolderStore(folder);
const HOUR = 3_600_000;
const FILE = '/v1/bulk/results/2026-11-20';

let served: Served;
let stores: Stores;
let pool: Pool;
let breaks = false;
/** A file that breaks waits for it half-way. */
let halfWay: Promise<unknown> | null = null;

const build = (nowIso: string): Promise<void> => buildFiles(served.db.pool, files, nowIso);

beforeAll(async () => {
  served = await serve((db) => {
    pool = poolAs(db, 'racing_api');
    stores = createStores(pool);
    const open: typeof files.open = async (name, range) =>
      breaks ? Readable.from(halfOf((await files.open(name, range))!)) : files.open(name, range);
    const bulk = { manifest: stores.bulkFiles, files: { ...files, open }, keys: SIGNER.publicKeys };
    const balances = createBalances(stores.credits, { withinMs: PATIENT_MS, restMs: 0 });
    return { bulk, charger: createCharger(stores.credits), balances };
  });
  for (const startTime of ['2026-10-31T01:00:00.000Z', '2026-11-20T01:00:00.000Z'])
    await addPastRace(served.db.pool, { startTime, runners: feedField(2, 3, 4) });
  await build('2026-11-21T00:00:00Z');
});
afterEach(async () => {
  breaks = false;
  halfWay = null;
  expect(await stores.credits.audit()).toEqual([]);
});
afterAll(async () => {
  await served.stop();
  await pool.end();
  rmSync(folder, { recursive: true });
});

async function* halfOf(source: AsyncIterable<Buffer>) {
  const until = halfWay;
  for await (const chunk of source) {
    yield chunk.subarray(0, chunk.length / 2);
    await until;
    throw new Error('the disk broke');
  }
}

const get = (path: string, key: string, headers?: Record<string, string>) => served.api.get(path, key, headers);
const costOf = async (path: string, key: string, headers?: Record<string, string>) => {
  const answer = await get(path, key, headers);
  return [answer.status, answer.headers.get('x-credits-cost')];
};
const usedBy = async (key: string): Promise<number> => (await get('/v1/usage', key)).body.credits_used;

describe('the catalogue', () => {
  test('lists datasets and the periods with files, newest first', async () => {
    const key = await served.addKey({ plan: 'business' });
    const { status, body } = await get('/v1/bulk/datasets?limit=9', key);
    expect(status).toBe(200);
    expectConforms('bulk_datasets', body);
    expect(body.datasets.map(({ dataset }: { dataset: string }) => dataset)).toEqual([
      'closing_lines',
      'price_paths',
      'results',
      'acceptances',
      'track_conditions',
      'markets',
      'exotic_dividends',
      'market_summary',
    ]);
    expect(body.rows.map(({ period }: { period: string }) => period)).toEqual([
      ...Array(8).fill('2026-11-20'),
      '2026-11-19',
    ]);
    const one = (await get('/v1/bulk/datasets?dataset=results', key)).body;
    // Days from 31 October to 20 November, and October.
    expect([one.total_rows, one.rows.at(-1).period]).toEqual([22, '2026-10']);
    const next = (await get('/v1/bulk/datasets?dataset=results&limit=1&offset=1', key)).body;
    expect(next.rows).toEqual([one.rows[1]]);
    const linked = await followed('/v1/bulk/datasets?dataset=results&limit=10', (path) => get(path, key));
    expect(linked.map(({ rows }) => rows.length)).toEqual([10, 10, 2]);
    expect(linked.flatMap(({ rows }) => rows)).toEqual(one.rows);
  });

  test('has the address, size and SHA-256 of each file', async () => {
    const key = await served.addKey({ plan: 'platform' });
    const { rows } = (await get('/v1/bulk/datasets?dataset=results', key)).body;
    for (const { period, files: formats } of [rows[0], rows.at(-1)]) {
      expect(formats.map(({ format }: { format: string }) => format)).toEqual(['parquet', 'csv']);
      for (const { url, sha256, bytes } of formats) {
        const { pathname, search } = new URL(url);
        const response = await fetch(served.api.url + pathname + search, { headers: { 'X-API-Key': key } });
        const content = Buffer.from(await response.arrayBuffer());
        expect([period, content.length]).toEqual([period, bytes]);
        expect(createHash('sha256').update(content).digest('hex')).toBe(sha256);
        expect(response.headers.get('etag')).toBe(`"${sha256}"`);
      }
    }
  });
});

test('days are for Business and above, months for Platform and above; the 403 is free', async () => {
  const [plus, business, platform] = await Promise.all(
    (['plus', 'business', 'platform'] as const).map((plan) => served.addKey({ plan })),
  );
  for (const path of ['/v1/bulk/datasets', FILE])
    expect((await get(path, plus!)).body).toMatchObject({
      code: 'plan_required',
      required_plan: 'business',
      detail: 'The Plus plan of this key does not include bulk files of a day; the Business plan and above do.',
    });
  expect((await get('/v1/bulk/results/2026-10', business!)).body).toMatchObject({ required_plan: 'platform' });
  expect(await costOf(FILE, business!)).toEqual([200, '20']);
  expect(await costOf('/v1/bulk/results/2026-10', platform!)).toEqual([200, '100']);
  expect(await usedBy(plus!)).toBe(0);
});

describe('a version is charged once per account and day (D47)', () => {
  test('whatever its parts, for every key of the account, and again after 24 hours', async () => {
    const key = await served.addKey({ plan: 'business' });
    expect(await costOf(FILE, key, { Range: 'bytes=0-9' })).toEqual([206, '20']);
    expect(await costOf(FILE, key, { Range: 'bytes=10-' })).toEqual([206, '0']);
    expect(await costOf(FILE, key)).toEqual([200, '0']);
    expect(await costOf(`${FILE}?format=csv`, key)).toEqual([200, '20']);
    served.api.now += 23 * HOUR;
    expect(await costOf(FILE, key)).toEqual([200, '0']);
    served.api.now += 2 * HOUR;
    expect(await costOf(FILE, key)).toEqual([200, '20']);
    expect(await usedBy(key)).toBe(60);
    const part = await get(FILE, key, { Range: 'bytes=0-9' });
    const { headers } = await get(FILE, key, { 'If-None-Match': part.headers.get('etag')! });
    for (const one of [part.headers, headers]) expect(one.get('x-credits-used')).toBe('60');
    expect(await usedBy(await served.addKey({ plan: 'business' }))).toBe(0);
  });

  test('also across the end of a month, with each part stating its own balance', async () => {
    const key = await served.addKey({ plan: 'business' });
    const { now } = served.api;
    const part = async (at: string) => {
      served.api.now = Date.parse(at);
      const { headers } = await get(FILE, key, { Range: 'bytes=0-9' });
      return [headers.get('x-credits-cost'), headers.get('x-credits-used')];
    };
    expect(await part('2026-11-30T23:59:00Z')).toEqual(['20', '20']);
    expect(await part('2026-11-30T23:59:30Z')).toEqual(['0', '20']);
    expect(await part('2026-12-01T00:00:30Z')).toEqual(['0', '0']);
    served.api.now = now;
  });

  test('also when its parts are fetched simultaneously', async () => {
    const key = await served.addKey({ plan: 'business' });
    const parts = await Promise.all([0, 1, 2, 3].map((i) => get(FILE, key, { Range: `bytes=${i}-${i}` })));
    expect(parts.map(({ status }) => status)).toEqual([206, 206, 206, 206]);
    expect(await usedBy(key)).toBe(20);
  });

  test('a 304 and HEAD are free, also without credits', async () => {
    const key = await served.addKey({ plan: 'business' });
    const etag = (await served.api.send('HEAD', FILE, { key })).headers.get('etag')!;
    expect(await costOf(FILE, key, { 'If-None-Match': etag })).toEqual([304, '0']);
    expect(await usedBy(key)).toBe(0);
  });

  test('without enough credits a download is a 402, and the charge follows once there are enough', async () => {
    const key = await served.addKey({ plan: 'business' });
    const account = await served.db.pool.query(
      `INSERT INTO credit_balances (account_id, period, used)
       SELECT account_id, '2026-11-01', 0 FROM api_keys WHERE last4 = $1 RETURNING account_id`,
      [key.slice(-4)],
    );
    const { account_id: accountId } = account.rows[0];
    await spend(key, 299_990);
    expect((await get(FILE, key)).body).toMatchObject({ code: 'payment_required' });
    const etag = (await served.api.send('HEAD', FILE, { key })).headers.get('etag')!;
    expect(await costOf(FILE, key, { 'If-None-Match': etag })).toEqual([304, '0']);
    const at = new Date(served.api.now).toISOString();
    await createStores(served.db.pool).credits.grant({
      accountId,
      credits: 50,
      reason: 'test',
      period: '2026-11-01',
      at,
    });
    served.api.now += 10_000;
    expect(await costOf(FILE, key)).toEqual([200, '20']);
    expect(await costOf(FILE, key)).toEqual([200, '0']);
    expect(await usedBy(key)).toBe(300_010);
  });

  test('a download that the server breaks is refunded, and the next is charged', async () => {
    const key = await served.addKey({ plan: 'business' });
    breaks = true;
    await expect(get(FILE, key)).rejects.toThrow('terminated');
    breaks = false;
    await until(async () => (await usedBy(key)) === 0);
    expect(await costOf(FILE, key)).toEqual([200, '20']);
  });

  test('a download that breaks while another part of it arrives stays charged, and is free for the rest of the day', async () => {
    const [key, other] = await Promise.all([1, 2].map(() => served.addKey({ plan: 'business' })));
    let end = () => {};
    halfWay = new Promise<void>((done) => (end = done));
    breaks = true;
    const broken = [key!, other!].map((each) => get(FILE, each));
    const charged = async () => (await Promise.all([key!, other!].map(usedBy))).join();
    await until(async () => (await charged()) === '20,20');
    breaks = false;
    expect(await costOf(FILE, key!)).toEqual([200, '0']);
    end();
    for (const one of broken) await expect(one).rejects.toThrow('terminated');
    await until(async () => (await charged()) !== '20,20');
    expect(await charged()).toBe('20,0');
    expect(await costOf(FILE, key!)).toEqual([200, '0']);
  });

  test('parts served simultaneously share one process’s charge, and a refused part starts no download', async () => {
    const key = await served.addKey({ plan: 'business' });
    const part = await partsOf(key, 'v1');
    const all = await Promise.all(Array.from({ length: 8 }, () => part()));
    expect(all.map(({ verdict, used }) => [verdict, used])).toEqual(Array(8).fill(['charged', 20]));
    expect(all.map(({ joined }) => joined).sort()).toEqual([...Array(7).fill('2026-11-01'), null]);
    // Without credits the rest is free anyway, but another file is not.
    expect(await part({ cost: 999_999 })).toMatchObject({ verdict: 'charged', joined: '2026-11-01' });
    const other = await partsOf(key, 'v2');
    const refused = await Promise.all([1, 2, 3].map(() => other({ cost: 999_999 })));
    expect(refused.map(({ verdict, joined }) => [verdict, joined])).toEqual(Array(3).fill(['spent', null]));
    expect(await other({ keyHash: Buffer.alloc(32) })).toMatchObject({ verdict: 'revoked' });
    expect(await other()).toMatchObject({ verdict: 'charged', joined: null, used: 40 });
  });

  test('a charge that arrives after its refund charges nothing and starts no download', async () => {
    const key = await served.addKey({ plan: 'business' });
    const part = await partsOf(key, 'v1');
    const [row] = await stores.keys.find([hashApiKey(key)]);
    const id = randomUUID();
    const line = { id, endpoint: FILE, period: '2026-11-01', at: new Date(served.api.now).toISOString() };
    await stores.credits.giveBack([{ ...line, accountId: row!.accountId, keyId: row!.keyId, download: 'v1' }]);
    await expect(part({ id })).rejects.toThrow('duplicate key');
    expect(await usedBy(key)).toBe(0);
    expect(await part()).toMatchObject({ joined: null, used: 20 });
  });

  test('a download that the previous release recorded but had not charged is charged once, under its own charge', async () => {
    const key = await served.addKey({ plan: 'business' });
    const part = await partsOf(key, 'v1');
    const [row] = await stores.keys.find([hashApiKey(key)]);
    const id = randomUUID();
    await served.db.pool.query(
      'INSERT INTO bulk_downloads (account_id, name, charge_id, begun_at) VALUES ($1, $2, $3, $4)',
      [row!.accountId, 'v1', id, '2026-10-31T23:59:59.000Z'],
    );
    const since = '2026-10-31T03:00:00.000Z';
    expect(await part({}, since)).toMatchObject({ verdict: 'charged', joined: '2026-10-01', used: 20 });
    const late = { ...(await chargeOf(key)), id, period: '2026-10-01', again: true };
    expect(await stores.credits.charge([late])).toMatchObject([{ verdict: 'charged', used: 20 }]);
    const { rows } = await served.db.pool.query(
      'SELECT period::text, sum(credits)::int AS n FROM credit_ledger WHERE charge_id = $1 GROUP BY 1',
      [id],
    );
    expect(rows).toEqual([{ period: '2026-10-01', n: 20 }]);
  });

  test('operators are not charged', async () => {
    const key = await served.addKey({ role: 'internal', plan: 'enterprise' });
    const answer = await get(FILE, key);
    expect([answer.status, answer.headers.get('x-credits-limit')]).toEqual([200, 'unlimited']);
  });
});

/** As if by other calls. */
async function spend(key: string, credits: number): Promise<void> {
  const [done] = await stores.credits.charge([{ ...(await chargeOf(key)), cost: credits }]);
  expect(done!.verdict).toBe('charged');
}

async function chargeOf(key: string): Promise<Charge> {
  const [row] = await stores.keys.find([hashApiKey(key)]);
  const rest = { endpoint: '/v1/test', allowance: 300_000, overage: 0, period: '2026-11-01', cost: 20 };
  const at = new Date(served.api.now).toISOString();
  return { id: randomUUID(), keyHash: hashApiKey(key), epoch: row!.epoch, at, ...rest };
}

/** Parts of a version, each as if from a separate process. */
async function partsOf(key: string, name: string) {
  const [row] = await stores.keys.find([hashApiKey(key)]);
  const since = new Date(served.api.now - 24 * HOUR).toISOString();
  return async (of: Partial<Charge> = {}, begunAfter = since) =>
    stores.credits.chargeDownload({
      ...(await chargeOf(key)),
      ...of,
      part: { accountId: row!.accountId, name, since: begunAfter },
    });
}

test('a rebuilt file is another version with another tag; the previous one stays under its number', async () => {
  const key = await served.addKey({ plan: 'business' });
  const before = await get(FILE, key);
  await served.db.pool.query(`UPDATE race_results SET status_note = 'amended'`);
  await build('2026-11-22T12:00:00Z');
  const after = await get(FILE, key);
  expect([after.status, after.headers.get('x-credits-cost')]).toEqual([200, '20']);
  expect(after.headers.get('etag')).not.toBe(before.headers.get('etag'));
  const old = await get(`${FILE}?version=1`, key);
  expect([old.headers.get('etag'), old.headers.get('x-credits-cost')]).toEqual([before.headers.get('etag'), '0']);
  for (const [version, file] of [
    ['', after],
    ['?version=1', before],
  ] as const) {
    const { manifest } = (await get(`${FILE}/manifest${version}`, key)).body;
    const [, parquet] = manifest.files;
    expect(`"${parquet.sha256}"`).toBe(file.headers.get('etag'));
  }
  const [stored] = await stores.bulkFiles.served('results', ['2026-11-20']);
  expect(readFileSync(join(folder, stored!.name)).length).toBe(stored!.bytes);
});

describe('without a file', () => {
  test.each([
    ['/v1/bulk/exotic_dividends/2026-08-14', 'begins on 2026-08-15'],
    ['/v1/bulk/results/2026-11', 'not complete yet: its files are built from 2026-11-30T19:00:00.000Z on'],
    ['/v1/bulk/results/2026-11-25', 'built from 2026-11-25T19:00:00.000Z on'],
    ['/v1/bulk/results/2026-09-01', 'no race of that time is stored'],
    [`${FILE}?version=9`, 'a replaced version stays for 48 hours'],
  ])('%s is a free 404: %s', async (path, reason) => {
    const key = await served.addKey({ plan: 'platform' });
    served.api.now = Date.parse('2026-11-21T03:00:00Z');
    const { status, body, headers } = await get(path, key);
    expect([status, body.code, headers.get('x-credits-cost')]).toEqual([404, 'not_found', '0']);
    expect(body.detail).toContain(reason);
  });

  test.each([
    ['/v1/bulk/nothing/2026-11-20', 'dataset'],
    ['/v1/bulk/results/2026-02-30', 'period'],
    ['/v1/bulk/results/2026-13', 'period'],
    ['/v1/bulk/results/yesterday', 'period'],
    [`${FILE}?format=xls`, 'format'],
    [`${FILE}?version=0`, 'version'],
  ])('%s is a 422 that names %s', async (path, parameter) => {
    const key = await served.addKey({ plan: 'free' });
    expect((await get(path, key)).body).toMatchObject({ status: 422, errors: [{ parameter }] });
  });
});
