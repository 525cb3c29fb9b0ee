// B 4.10 to 4.13 over real HTTP, with the worker's side of the same tables: what is queued, in which order it is read,
// that delivery and charge are one, and what a cancellation leaves. The way through workflow, door and site has tests
// of its own.
import { randomInt } from 'node:crypto';
import type { Pool } from 'pg';
import { fairOrder } from '../../../../src/domain/backfill/fair-order';
import { BETWEEN_TRIES_MS, MOST_TRIES } from '../../../../src/domain/backfill/job';
import { REGISTRY } from '../../../../src/domain/registry/registry';
import { monthlyCreditsOf } from '../../../../src/plans/overage';
import { createStores } from '../../../../src/store/create-stores';
import type { MonthlyCreditsOf } from '../../../../src/store/credits/charge-within';
import { hashApiKey } from '../../../../src/store/keys/keys';
import { NOW } from '../../../support/api/api';
import { expectConforms, expectProblemConforms } from '../../../support/api/conforms';
import { followed } from '../../../support/api/next-link';
import { type Served, serve } from '../../../support/api/served';
import { horseForm } from '../../../support/races/horse-form';
import { addRuns } from '../../../support/races/stored-runs';
import { poolAs } from '../../../support/servers/roles';

const PATH = '/v1/racing/horses/backfill';
const NOW_MS = Date.parse(NOW);
const PERIOD = '2026-11-01';

let served: Served;
let workerPool: Pool;
let worker: ReturnType<typeof createStores>;
let started: string[];
beforeAll(async () => {
  served = await serve((db) => {
    const { backfill } = createStores(poolOfApi(db));
    return { backfills: { store: backfill, start: (jobId) => started.push(jobId), random: randomInt } };
  });
  workerPool = poolAs(served.db, 'racing_worker');
  worker = createStores(workerPool);
});
let apiPool: Pool;
const poolOfApi = (db: Served['db']): Pool => {
  apiPool = poolAs(db, 'racing_api');
  return apiPool;
};
afterAll(async () => {
  await workerPool.end();
  await apiPool.end();
  await served.stop();
});
beforeEach(async () => {
  started = [];
  served.api.now = NOW_MS;
  await served.db.pool.query(
    'TRUNCATE backfill_items, backfill_jobs, backfill_accounts, backfill_reads, horse_forms, registry_doors',
  );
});
afterEach(async () => expect(await createStores(served.db.pool).credits.audit()).toEqual([]));

/** Horses that the feeds have reported, each with a code of one meeting. */
const seen = (...names: readonly string[]) =>
  addRuns(
    served.db.pool,
    ...names.map((name) => ({
      name,
      runner_ref: codeOf(name),
      category: 'horse' as const,
      start_time: '2026-11-01T03:00:00.000Z',
    })),
  );
const codeOf = (name: string): string =>
  `ra:${[...name].reduce((sum, c) => sum * 31 + c.charCodeAt(0), 7) % 1_000_000_007}`;
const store = (name: string, fetchedAt: string) =>
  worker.forms.save(horseForm({ name, runnerCode: codeOf(name).slice(3) }), fetchedAt);
const json = (body: object) => ({ headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
const post = (key: string, horses: readonly string[], label?: string | null) =>
  served.api.send('POST', PATH, { key, ...json({ horses, ...(label !== undefined && { label }) }) });
async function submit(key: string, horses: readonly string[], label?: string) {
  const { status, body } = await post(key, horses, label);
  expect([status, body]).toEqual([200, body]);
  expectConforms('submit_backfill', body);
  return body;
}
async function statusOf(key: string, jobId: string) {
  const { status, body } = await served.api.get(`${PATH}/${jobId}`, key);
  expect([status, body]).toEqual([200, body]);
  expectConforms('backfill_status', body);
  return body;
}
async function resultsOf(key: string, jobId: string, query = '') {
  const { status, body } = await served.api.get(`${PATH}/${jobId}/results${query}`, key);
  expect([status, body]).toEqual([200, body]);
  expectConforms('backfill_results', body);
  return body;
}
const plusKey = () => served.addKey({ plan: 'plus' });
const accountOf = async (key: string): Promise<string> => {
  const { rows } = await served.db.pool.query('SELECT account_id FROM api_keys WHERE key_hash = $1', [hashApiKey(key)]);
  return rows[0].account_id;
};
const poor =
  (allowance: number): MonthlyCreditsOf =>
  () => ({ allowance, overage: 0 });
const at = () => ({ at: new Date(served.api.now).toISOString(), wall: NOW, period: PERIOD });
const take = () => worker.backfill.take({ at: at().at, wall: NOW, leasedUntil: '2026-11-21T03:00:30.000Z' });
const deliver = (jobId: string, place: number, of: MonthlyCreditsOf = monthlyCreditsOf) =>
  worker.backfill.deliver({ jobId, place }, at(), of);
/** Reads and stores the page of the horse whose turn it is. */
async function readNext() {
  const horse = await take();
  if (!horse) return null;
  await worker.forms.save(horseForm({ name: horse.key.toUpperCase(), runnerCode: horse.refs[0]!.slice(3) }), at().at);
  const items = await worker.backfill.noteStored(horse, horse.refs[0]!);
  await worker.backfill.endLease(horse.key, at().at);
  return { key: horse.key, items };
}

test('a list is sorted into what is read, what is stored, what is there already and what is unknown; nothing is charged yet', async () => {
  const key = await plusKey();
  await seen('Alpha', 'Beta', 'Gamma', 'Delta');
  await addRuns(served.db.pool, {
    name: 'No Code',
    runner_ref: null,
    category: 'horse',
    start_time: '2026-11-01T03:00:00.000Z',
  });
  await store('Gamma', '2026-11-21T01:00:00.000Z');
  await store('Delta', '2026-11-10T01:00:00.000Z');
  const inputs = ['Alpha', 'beta', 'pe:alpha', codeOf('Beta'), 'Gamma', 'Delta', 'Never Seen', 'No Code', '…'];
  const { job_id, ...counts } = await submit(key, inputs, 'spring');
  expect(job_id).toMatch(/^bf_20261121_[0-9a-z]{6}$/);
  expect(counts).toEqual({
    label: 'spring',
    queued: 3,
    already_stored: 1,
    duplicates: 2,
    not_found: ['Never Seen', 'No Code', '…'],
    ambiguous: [],
    estimated_ready: '2026-11-21T03:00:03.000Z',
  });
  expect(started).toEqual([job_id]);
  expect(await statusOf(key, job_id)).toMatchObject({
    job_id,
    label: 'spring',
    status: 'queued',
    submitted_at: NOW,
    total: 4,
    done: 0,
    queued: 4,
    failed: 0,
    credits_charged: 0,
    credits_blocked: false,
    queue_position: 0,
    estimated_ready: '2026-11-21T03:00:03.000Z',
    ready_to_collect: 0,
    upstream: { state: 'ok', walled_since: null, walled_hours: null, note: null },
  });
  const again = await submit(key, ['ALPHA', 'Beta', 'Gamma'], 'other');
  expect(again).toMatchObject({ queued: 0, already_stored: 0, duplicates: 3, estimated_ready: null });
  expect(started).toEqual([job_id]);
  expect(await statusOf(key, again.job_id)).toMatchObject({ status: 'complete', total: 0, queue_position: null });
});

test('the same order again within ten minutes is the same job, unless it was cancelled', async () => {
  const key = await plusKey();
  await seen('Alpha', 'Beta');
  const first = await submit(key, ['Alpha', 'Beta']);
  const many = await Promise.all(Array.from({ length: 4 }, () => submit(key, ['Alpha', 'Beta'])));
  expect(many.map(({ job_id, queued, duplicates }) => [job_id, queued, duplicates])).toEqual(
    Array.from({ length: 4 }, () => [first.job_id, 2, 0]),
  );
  const other = await plusKey();
  expect((await submit(other, ['Alpha', 'Beta'])).job_id).not.toBe(first.job_id);
  await served.api.send('DELETE', `${PATH}/${first.job_id}`, { key });
  const anew = await submit(key, ['Alpha', 'Beta']);
  expect(anew).toMatchObject({ queued: 2 });
  served.api.now += 10 * 60_000;
  expect(await submit(key, ['Alpha', 'Beta'])).toMatchObject({ queued: 0, duplicates: 2 });
});

test('lower plans are refused for free, another account finds no job, and wrong bodies are a 422', async () => {
  await seen('Alpha');
  const key = await plusKey();
  const other = await plusKey();
  const standard = await served.addKey({ plan: 'standard', issuedAt: '2026-09-01T00:00:00.000Z' });
  const growth = await served.addKey({ plan: 'growth' });
  const refused = await post(standard, ['Alpha']);
  expectProblemConforms(refused.body);
  expect([refused.status, refused.body.required_plan]).toEqual([403, 'plus']);
  const { job_id } = await submit(key, ['Alpha']);
  expect(await submit(growth, ['Alpha'])).toMatchObject({ queued: 1 });
  for (const [method, path] of [
    ['GET', ''],
    ['GET', '/results'],
    ['DELETE', ''],
  ] as const) {
    const { status, body } = await served.api.send(method, `${PATH}/${job_id}${path}`, { key: other });
    expectProblemConforms(body);
    expect([method, path, status, body.code]).toEqual([method, path, 404, 'not_found']);
  }
  const long = Array.from({ length: 501 }, (_, i) => `Horse ${i}`);
  for (const body of [
    {},
    { horses: [] },
    { horses: long },
    { horses: [7] },
    { horses: ['A'], label: 'x'.repeat(81) },
  ]) {
    expect((await served.api.send('POST', PATH, { key, ...json(body) })).status).toBe(422);
  }
  expect((await post(key, ['Alpha'], null)).status).toBe(200);
});

test('accounts are read in turn, each from its oldest horse on, by the rule that places are counted by', async () => {
  const a = await plusKey();
  const b = await plusKey();
  const c = await plusKey();
  const names = Array.from({ length: 9 }, (_, i) => `Horse ${i}`);
  await seen(...names);
  const jobs = {
    a: (await submit(a, names.slice(0, 5))).job_id,
    b: (await submit(b, [names[1]!, names[5]!])).job_id,
    c: (await submit(c, names.slice(6))).job_id,
  };
  const accounts = await Promise.all([a, b, c].map(accountOf));
  await served.db.pool.query(
    'UPDATE backfill_accounts SET turn = CASE account_id WHEN $1 THEN 1 WHEN $2 THEN 2 ELSE 3 END',
    accounts.slice(0, 2),
  );
  const queue = await worker.backfill.queue(NOW);
  const order = fairOrder(queue, NOW_MS);
  expect(order.map((horse) => horse.slice(5))).toEqual(['0', '1', '6', '2', '5', '7', '3', '8', '4']);
  expect(await statusOf(b, jobs.b)).toMatchObject({ queue_position: 1, estimated_ready: '2026-11-21T03:00:05.000Z' });
  expect(await statusOf(c, jobs.c)).toMatchObject({ queue_position: 2, estimated_ready: '2026-11-21T03:00:08.000Z' });
  const read: string[] = [];
  for (let next = await readNext(); next; next = await readNext()) {
    read.push(next.key);
    expect(next.items.length).toBe(next.key === 'horse1' ? 2 : 1);
    served.api.now += 2000;
    if (read.length === 4) {
      // Four reads two seconds apart: three intervals. Of its two, the one that another account's turn brought is there
      // already.
      const { queue_position, estimated_ready } = await statusOf(b, jobs.b);
      expect([queue_position, estimated_ready]).toEqual([0, '2026-11-21T03:00:10.000Z']);
    }
  }
  expect(read).toEqual(order);
});

test('a horse is delivered and charged once, whoever tries and however often, and its form stays as it was', async () => {
  const key = await plusKey();
  await seen('Alpha', 'Beta');
  const { job_id } = await submit(key, ['Alpha', 'Beta']);
  expect(await deliver(job_id, 0)).toBe('gone');
  const { items } = (await readNext())!;
  const tries = await Promise.all(Array.from({ length: 6 }, () => deliver(job_id, items[0]!.place)));
  expect(tries.sort()).toEqual(['delivered', 'gone', 'gone', 'gone', 'gone', 'gone']);
  await worker.forms.save(
    horseForm({ name: 'ALPHA', runnerCode: codeOf('Alpha').slice(3), runs: [] }),
    '2026-11-21T03:00:01.000Z',
  );
  served.api.now += 60_000;
  await readNext();
  expect(await deliver(job_id, 1)).toBe('delivered');
  const { rows, ...page } = await resultsOf(key, job_id);
  expect(page).toEqual({ job_id, rows_returned: 2, total_done: 2, limit: 25, offset: 0 });
  expect(rows[0]).toMatchObject({
    input: 'Alpha',
    runner_ref: codeOf('Alpha'),
    horse_ref: 'pe:alpha',
    horse_name: 'ALPHA',
    available: true,
    delivered_at: NOW,
    fetched_at: NOW,
    form: { horse_name: 'ALPHA', runs: [{ result_raw: '1st of 9' }] },
  });
  expect((await resultsOf(key, job_id, '?limit=1&offset=1')).rows).toEqual([rows[1]]);
  const first = `/v1/racing/horses/backfill/${job_id}/results?limit=1`;
  const linked = await followed(first, (path) => served.api.get(path, key));
  expect(linked.map((one) => one.rows)).toEqual([[rows[0]], [rows[1]]]);
  const { rows: usage } = await served.db.pool.query(
    'SELECT subject, calls, credits FROM credit_usage WHERE account_id = $1',
    [await accountOf(key)],
  );
  expect(usage).toEqual([{ subject: 'submit_backfill', calls: 2, credits: 6 }]);
  expect(await statusOf(key, job_id)).toMatchObject({
    status: 'complete',
    done: 2,
    credits_charged: 6,
    ready_to_collect: 2,
  });
});

test('without credits nothing is delivered, the account’s horses are not read, and it goes on when there are some', async () => {
  const key = await plusKey();
  const other = await plusKey();
  await seen('Alpha', 'Beta', 'Gamma');
  const { job_id } = await submit(key, ['Alpha', 'Beta']);
  const account = await accountOf(key);
  await readNext();
  expect(await deliver(job_id, 0, poor(2))).toBe('spent');
  await worker.backfill.setBlocked(account, true);
  expect(await statusOf(key, job_id)).toMatchObject({
    status: 'blocked',
    credits_blocked: true,
    queued: 2,
    done: 0,
    credits_charged: 0,
    queue_position: null,
    estimated_ready: null,
  });
  const gamma = await submit(other, ['Gamma']);
  expect((await readNext())!.key).toBe('gamma');
  expect(await take()).toBeNull();
  expect(await worker.backfill.remaining(account, PERIOD, poor(2))).toBe(2);
  await createStores(served.db.pool).credits.grant({
    accountId: account,
    credits: 4,
    reason: 'test',
    period: PERIOD,
    at: NOW,
  });
  expect(await worker.backfill.remaining(account, PERIOD, poor(2))).toBe(6);
  await worker.backfill.setBlocked(account, false);
  await readNext();
  expect([await deliver(job_id, 0, poor(2)), await deliver(job_id, 1, poor(2))]).toEqual(['delivered', 'delivered']);
  expect(await worker.backfill.remaining(account, PERIOD, poor(2))).toBe(0);
  expect(await deliver(gamma.job_id, 0, () => ({ allowance: 0, overage: 3 }))).toBe('delivered');
  expect(await worker.backfill.remaining(await accountOf(other), PERIOD, () => ({ allowance: 0, overage: 3 }))).toBe(0);
});

test('an operator’s order is not metered', async () => {
  const key = await served.addKey({ plan: 'enterprise', role: 'internal' });
  await seen('Alpha');
  const { job_id } = await submit(key, ['Alpha']);
  await readNext();
  expect(await deliver(job_id, 0, poor(0))).toBe('delivered');
  expect(await statusOf(key, job_id)).toMatchObject({ status: 'complete', done: 1, credits_charged: 0 });
});

test('three reads without a page make a horse fail, free, for every job that waits for it', async () => {
  const key = await plusKey();
  const other = await plusKey();
  await seen('Alpha');
  const jobs = [(await submit(key, ['Alpha'])).job_id, (await submit(other, ['Alpha'])).job_id] as const;
  const start = served.api.now;
  for (let tries = 1; tries <= MOST_TRIES; tries++) {
    expect((await statusOf(key, jobs[0])).failed).toBe(0);
    const horse = (await take())!;
    const failed = { at: at().at, nextTryAt: new Date(served.api.now + BETWEEN_TRIES_MS).toISOString() };
    await worker.backfill.noteFailed(horse, { ...failed, counts: true, mostTries: MOST_TRIES });
    await worker.backfill.endLease(horse.key, at().at);
    expect(await take()).toBeNull();
    served.api.now += BETWEEN_TRIES_MS;
  }
  expect(served.api.now - BETWEEN_TRIES_MS - start).toBe(60 * 60_000);
  for (const [owner, job] of [
    [key, jobs[0]],
    [other, jobs[1]],
  ] as const) {
    expect(await statusOf(owner, job)).toMatchObject({ status: 'complete', done: 0, failed: 1, credits_charged: 0 });
    const { total_done, rows } = await resultsOf(owner, job);
    expect([total_done, rows]).toEqual([
      0,
      [
        {
          input: 'Alpha',
          runner_ref: codeOf('Alpha'),
          horse_ref: 'pe:alpha',
          horse_name: 'Alpha',
          delivered_at: null,
          fetched_at: null,
          available: false,
          form: null,
        },
      ],
    ]);
  }
  expect(await take()).toBeNull();
});

test('a cancellation ends what is queued and nothing else, also beside a delivery', async () => {
  const key = await plusKey();
  const names = Array.from({ length: 6 }, (_, i) => `Runner ${i}`);
  await seen(...names);
  const { job_id } = await submit(key, names);
  for (let i = 0; i < 6; i++) await readNext();
  expect(await deliver(job_id, 0)).toBe('delivered');
  const [{ body }, ...deliveries] = await Promise.all([
    served.api.send('DELETE', `${PATH}/${job_id}`, { key }),
    ...[1, 2, 3, 4, 5].map((place) => deliver(job_id, place)),
  ]);
  expectConforms('cancel_backfill', body);
  const delivered = 1 + deliveries.filter((one) => one === 'delivered').length;
  expect(body).toEqual({ job_id, cancelled: 6 - delivered });
  expect(await statusOf(key, job_id)).toMatchObject({
    status: delivered === 6 ? 'complete' : 'cancelled',
    total: 6,
    done: delivered,
    queued: 0,
    credits_charged: 3 * delivered,
  });
  expect((await resultsOf(key, job_id)).rows).toHaveLength(delivered);
  const again = await served.api.send('DELETE', `${PATH}/${job_id}`, { key });
  expect([again.status, again.body.cancelled]).toEqual([200, 0]);
});

test('a wall and a pause are shown, and jobs are then queued on', async () => {
  const key = await plusKey();
  await seen('Alpha');
  const { job_id } = await submit(key, ['Alpha']);
  await worker.doors.pause(REGISTRY, { at: NOW, retryAt: '2026-11-21T03:02:00.000Z', note: '429' });
  expect(await statusOf(key, job_id)).toMatchObject({
    status: 'queued',
    queue_position: 0,
    estimated_ready: '2026-11-21T03:02:01.000Z',
    upstream: { state: 'paused', walled_since: null, walled_hours: null, note: expect.any(String) },
  });
  await worker.doors.wall(REGISTRY, { at: NOW, retryAt: null, note: 'a challenge' }, false);
  served.api.now += 90 * 60_000;
  expect(await statusOf(key, job_id)).toMatchObject({
    status: 'walled',
    queue_position: 0,
    estimated_ready: null,
    upstream: { state: 'walled', walled_since: NOW, walled_hours: 1.5, note: expect.any(String) },
  });
});
