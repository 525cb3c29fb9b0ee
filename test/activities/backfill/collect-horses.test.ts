// One attempt at a backfill job against the real tables: what a wall, a pause, a missing page and too few credits do to
// it, and what it never costs. The registry is scripted here; `test/chaos/kill-backfill` tests the way through its door
// and site. The sweep is tested with a real Temporal.
import { randomUUID } from 'node:crypto';
import { ApplicationFailure } from '@temporalio/common';
import { NativeConnection } from '@temporalio/worker';
import { createActivities } from '../../../src/activities';
import { type Collected, collectHorses } from '../../../src/activities/backfill/collect-horses';
import { sweepBackfills } from '../../../src/activities/backfill/sweep-backfills';
import type { ActivityDeps } from '../../../src/activities/deps';
import type { FeedFailure } from '../../../src/feeds/feed';
import type { RegistryFeed } from '../../../src/feeds/racing-australia/fetch';
import { createStores } from '../../../src/store/create-stores';
import { hashApiKey } from '../../../src/store/keys/keys';
import { createWorkers } from '../../../src/workers/create-workers';
import { type BackfillWorkStatus, backfillWorkflowId } from '../../../src/workflows/contract';
import { keyRow, newKey } from '../../support/api/api';
import { PATIENT_MS } from '../../support/patient';
import { horseForm } from '../../support/races/horse-form';
import { installQuietRuntime } from '../../support/servers/quiet-runtime';
import { waitFor } from '../../support/servers/service';
import { type ActivityLab, HOUR, MINUTE, openLab } from '../lab';

const NOW = Date.parse('2026-11-21T03:00:00.000Z');

let lab: ActivityLab;
let deps: ActivityDeps;
/** By code: why there is no page; absent: there is one. */
let missing: Record<string, { reason: FeedFailure; detail?: string; retryAfterMs?: number }>;
let read: string[];
let allowance: number;
beforeAll(async () => {
  lab = await openLab([]);
  const horseFormOf: RegistryFeed['horseForm'] = async (code, purpose) => {
    expect(purpose).toBe('backfill');
    read.push(code);
    const observedAt = new Date(lab.clock.nowMs).toISOString();
    const why = missing[code];
    if (why) return { kind: 'failed', detail: 'x', retryAfterMs: null, ...why, observedAt };
    const value = horseForm({ name: `HORSE ${code}`, runnerCode: code });
    return { kind: 'ok', value, observedAt, bookAt: null, dropped: {} };
  };
  deps = {
    ...lab.deps,
    registry: { horseForm: horseFormOf } as RegistryFeed,
    monthlyCreditsOf: () => ({ allowance, overage: 0 }),
  };
});
afterAll(() => lab?.close());
beforeEach(async () => {
  lab.clock.nowMs = NOW;
  [missing, read, allowance] = [{}, [], 1000];
  await lab.query('TRUNCATE backfill_items, backfill_jobs, backfill_accounts, backfill_reads, horse_forms');
});
afterEach(async () => expect(await createStores(lab.db.pool).credits.audit()).toEqual([]));

let jobs = 0;
/** A job of its own account, for the horses with these codes. `stored`: their pages are already stored. */
async function order(codes: readonly string[], stored = false): Promise<string> {
  const hash = hashApiKey(newKey());
  const { keys } = createStores(lab.db.pool);
  await keys.insert(hash, keyRow('test', { plan: 'plus' }));
  const { accountId, keyId } = (await keys.find([hash]))[0]!;
  const at = new Date(lab.clock.nowMs).toISOString();
  const horses = codes.map((code) => ({
    input: code,
    key: `horse${code}`,
    name: `Horse ${code}`,
    refs: [`ra:${code}`],
    pageRef: stored ? `ra:${code}` : null,
  }));
  if (stored) for (const code of codes) await storePage(code, at);
  const jobId = `bf_20261121_${String(++jobs).padStart(6, '0')}`;
  const request = randomUUID().replaceAll('-', '').repeat(2);
  await deps.stores.backfill.submit({
    jobId,
    accountId,
    keyId,
    price: 3,
    label: null,
    request,
    at,
    repeatedSince: at,
    horses,
    repeated: 0,
    notFound: [],
  });
  return jobId;
}
const storePage = (code: string, at: string) =>
  deps.stores.forms.save(horseForm({ name: `HORSE ${code}`, runnerCode: code }), at);
const collect = (jobId: string, shown: BackfillWorkStatus = 'running'): Promise<Collected | ApplicationFailure> =>
  collectHorses(deps, { jobId, shown }, { signal: new AbortController().signal, alive: () => undefined }).catch(
    (error: unknown) => {
      if (error instanceof ApplicationFailure) return error;
      throw error;
    },
  );
const counts = async () =>
  Object.fromEntries(
    (await lab.query<{ state: string; n: number }>('SELECT state, count(*) AS n FROM backfill_items GROUP BY 1')).map(
      ({ state, n }) => [state, Number(n)],
    ),
  );
const charged = async () =>
  (await lab.query<{ n: number }>('SELECT count(*) AS n FROM credit_once')).map(({ n }) => Number(n))[0]!;

test('one read serves every job that waits for the horse, and a job ends with its last horse', async () => {
  const before = await charged();
  const first = await order(['1', '2']);
  const second = await order(['2', '3']);
  expect(await collect(first)).toEqual({ kind: 'complete' });
  // The second account had its turn in between: its first horse is the second one of the first account.
  expect([...read].sort().filter((code) => code === '2')).toHaveLength(1);
  expect(await collect(second)).toEqual({ kind: 'complete' });
  expect([read.length, await counts(), (await charged()) - before]).toEqual([3, { done: 4 }, 4]);
});

test('behind a wall stored pages are delivered, nothing is tried, and the wait is shown once', async () => {
  const jobId = await order(['11', '12']);
  const other = await order(['13'], true);
  missing = { 11: { reason: 'blocked', retryAfterMs: 45 * MINUTE }, 12: { reason: 'blocked' } };
  expect(await collect(jobId)).toEqual({ kind: 'waiting', status: 'walled', queued: 2 });
  const waits = (await collect(jobId, 'walled')) as ApplicationFailure;
  expect([waits.type, waits.category, waits.nextRetryDelay]).toEqual(['BackfillWaits', 'BENIGN', 10 * MINUTE]);
  expect(await collect(other)).toEqual({ kind: 'complete' });
  const tried = await lab.query('SELECT 1 FROM backfill_items WHERE tries > 0 OR next_try_at IS NOT NULL');
  expect([tried.length, await counts()]).toEqual([0, { queued: 2, done: 1 }]);
  missing = { 11: { reason: 'rate_limited', retryAfterMs: 90_000 } };
  expect(await collect(jobId, 'walled')).toEqual({ kind: 'waiting', status: 'paused', queued: 2 });
  expect(((await collect(jobId, 'paused')) as ApplicationFailure).nextRetryDelay).toBe(90_000);
  missing = {};
  expect(await collect(jobId, 'paused')).toEqual({ kind: 'complete' });
});

test('a horse without a page fails at its third try, an hour after the first; a missing answer is not a try', async () => {
  const jobId = await order(['21']);
  for (const detail of ['timeout', 'HTTP 502', 'HTTP 500', 'HTTP 302']) {
    missing = { 21: { reason: detail === 'timeout' ? detail : 'http_error', detail } };
    expect(await collect(jobId)).toBeInstanceOf(ApplicationFailure);
    lab.clock.nowMs += 5 * MINUTE;
  }
  expect(await lab.query('SELECT 1 FROM backfill_items WHERE tries > 0')).toEqual([]);
  missing = { 21: { reason: 'http_error', detail: 'HTTP 410' } };
  const fromMs = lab.clock.nowMs;
  for (const ended of [
    { kind: 'going', handled: 1, queued: 1 },
    { kind: 'going', handled: 1, queued: 1 },
    { kind: 'complete' },
  ]) {
    expect(await collect(jobId)).toEqual(ended);
    lab.clock.nowMs += 30 * MINUTE;
  }
  expect(lab.clock.nowMs - 30 * MINUTE - fromMs).toBe(HOUR);
  expect([read.length, await counts()]).toEqual([7, { failed: 1 }]);
});

test('without credits nothing more is read or charged; with credits it continues, and an expired page is read again', async () => {
  const jobId = await order(['31', '32', '33'], true);
  allowance = 5;
  expect(await collect(jobId)).toEqual({ kind: 'going', handled: 1, queued: 2 });
  expect(await collect(jobId)).toEqual({ kind: 'waiting', status: 'blocked', queued: 2 });
  const other = await order(['34']);
  allowance = 2;
  expect(await collect(other)).toEqual({ kind: 'waiting', status: 'blocked', queued: 1 });
  expect(await collect(jobId, 'blocked')).toMatchObject({ type: 'BackfillWaits', nextRetryDelay: 10 * MINUTE });
  expect(read).toEqual([]);
  const flags = () => lab.query<{ blocked: boolean }>('SELECT blocked FROM backfill_accounts ORDER BY turn');
  expect(await flags()).toEqual([{ blocked: true }, { blocked: true }]);
  lab.clock.nowMs += 8 * 24 * HOUR;
  allowance = 9;
  expect(await collect(jobId, 'blocked')).toEqual({ kind: 'complete' });
  expect(read).toEqual(['32', '33']);
  expect(await collect(other, 'blocked')).toEqual({ kind: 'complete' });
  expect(await counts()).toEqual({ done: 4 });
  expect(await flags()).toEqual([{ blocked: false }, { blocked: false }]);
});

test('a page that a customer’s request has read meanwhile is not read again', async () => {
  const jobId = await order(['41']);
  await storePage('41', new Date(NOW + MINUTE).toISOString());
  expect(await collect(jobId)).toEqual({ kind: 'complete' });
  expect([read, await counts()]).toEqual([[], { done: 1 }]);
});

test('the sweep starts jobs without a workflow, and wakes those that can continue', async () => {
  allowance = 0;
  const blocked = await order(['51'], true);
  installQuietRuntime();
  const { address, namespace, client } = lab.temporal;
  const connection = await NativeConnection.connect({ address });
  const slots = { live: 1, io: 1, backfill: 2, webhooks: 1, webhookRetries: 1, cachedWorkflows: 10 };
  const workers = await createWorkers({
    connection,
    namespace,
    slots,
    roles: ['backfill'],
    activities: createActivities(deps),
  });
  const running = Promise.all([...workers.values()].map((worker) => worker.run()));
  const sweep = () => sweepBackfills(deps, () => undefined);
  try {
    expect(await sweep()).toEqual({ open: 1, started: 1, hastened: 0 });
    const handle = client.workflow.getHandle(backfillWorkflowId(blocked));
    await waitFor(async () => {
      const { hits } = await hitsOf(`WorkStatus = "blocked" AND WorkflowId = "${handle.workflowId}"`);
      return hits === 1;
    }, PATIENT_MS);
    expect(await sweep()).toEqual({ open: 1, started: 0, hastened: 0 });
    allowance = 3;
    expect(await sweep()).toEqual({ open: 1, started: 0, hastened: 1 });
    await handle.result();
    expect(await counts()).toEqual({ done: 1 });
    expect(await sweep()).toEqual({ open: 0, started: 0, hastened: 0 });
  } finally {
    for (const worker of workers.values()) worker.shutdown();
    await running;
    await connection.close();
  }

  async function hitsOf(query: string): Promise<{ hits: number }> {
    return { hits: (await client.workflow.count(query)).count };
  }
});
