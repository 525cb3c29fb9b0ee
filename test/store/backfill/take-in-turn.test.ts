// The statement that takes the next horse of the backfill queue, against the rule for the whole queue (D52), and the
// order of the rows of a job.
import fc from 'fast-check';
import type { Pool } from 'pg';
import { fairOrder } from '../../../src/domain/backfill/fair-order';
import type { BackfillStore } from '../../../src/store/backfill/backfill';
import { createStores } from '../../../src/store/create-stores';
import { PATIENT_MS } from '../../support/patient';
import { runs } from '../../support/property';
import { horseForm } from '../../support/races/horse-form';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database';
import { poolAs } from '../../support/servers/roles';
import { waitFor } from '../../support/servers/service';

const NOW = '2026-11-21T03:00:00.000Z';
const NOW_MS = Date.parse(NOW);

let db: TestDatabase;
let pool: Pool;
let backfill: BackfillStore;
/** Orders come from the API. */
let orders: BackfillStore;
beforeAll(async () => {
  db = await createTestDatabase();
  pool = poolAs(db, 'racing_worker');
  ({ backfill } = createStores(pool));
  orders = createStores(db.pool).backfill;
});
afterAll(async () => {
  await pool.end();
  await db.drop();
});

const take = () => backfill.take({ at: NOW, wall: NOW, leasedUntil: '2026-11-21T03:00:30.000Z' });

test('for any queue, the next horse taken is the first in the fair order', async () => {
  const horse = fc.record({ account: fc.nat(2), horse: fc.nat(7), tried: fc.constantFrom(null, null, -1, 1) });
  await fc.assert(
    fc.asyncProperty(fc.array(horse, { maxLength: 14 }), async (wanted) => {
      await db.pool.query('TRUNCATE backfill_items, backfill_jobs, backfill_accounts, backfill_reads');
      await db.pool.query(
        `WITH wanted AS (SELECT DISTINCT ON (account, horse) * FROM jsonb_to_recordset($1) AS w (place integer, account integer, horse integer, tried integer) ORDER BY account, horse, place),
          accounts AS (INSERT INTO backfill_accounts (account_id, turn) SELECT DISTINCT lpad(account::text, 32, '0')::uuid, (account * 7) % 3 FROM wanted),
          jobs AS (INSERT INTO backfill_jobs SELECT DISTINCT 'bf_20261121_00000' || account, lpad(account::text, 32, '0')::uuid, lpad('', 32, '0')::uuid, 3, NULL, $2::timestamptz, repeat('0', 64), '{}'::jsonb FROM wanted)
         INSERT INTO backfill_items (job_id, place, account_id, input, runner_key, name, refs, queued_at, next_try_at)
         SELECT 'bf_20261121_00000' || account, place, lpad(account::text, 32, '0')::uuid, 'x', 'horse' || horse, 'x', ARRAY['ra:' || horse], $2::timestamptz + place * interval '1 s', $2::timestamptz + tried * interval '1 s'
           FROM wanted`,
        [JSON.stringify(wanted.map((one, place) => ({ ...one, place }))), NOW],
      );
      const queue = await backfill.queue(NOW);
      const soon = new Set(
        queue.waiting.filter(({ notBeforeMs }) => (notBeforeMs ?? 0) <= NOW_MS).map(({ horse }) => horse),
      );
      const taken: string[] = [];
      for (let next = await take(); next; next = await take()) {
        taken.push(next.key);
        await backfill.noteStored({ key: next.key, refs: next.refs }, next.refs[0]!);
      }
      expect(taken).toEqual(fairOrder(queue, NOW_MS).slice(0, soon.size));
    }),
    { numRuns: runs(100) },
  );
});

test('a leased horse is left to its worker until the lease ends', async () => {
  await db.pool.query('TRUNCATE backfill_items, backfill_jobs, backfill_accounts, backfill_reads');
  await orders.submit({
    jobId: 'bf_20261121_000001',
    accountId: '00000000-0000-0000-0000-000000000001',
    keyId: '00000000-0000-0000-0000-000000000002',
    price: 3,
    label: null,
    request: '0'.repeat(64),
    at: NOW,
    repeatedSince: NOW,
    repeated: 0,
    notFound: [],
    horses: [{ input: 'x', key: 'x', name: 'X', refs: ['ra:1'], pageRef: null }],
  });
  const takers = await Promise.all(Array.from({ length: 5 }, take));
  expect(takers.filter((one) => one !== null)).toEqual([{ key: 'x', refs: ['ra:1'] }]);
  const later = { at: NOW, wall: '2026-11-21T03:00:30.000Z', leasedUntil: '2026-11-21T03:01:00.000Z' };
  expect(await backfill.take(later)).toEqual({ key: 'x', refs: ['ra:1'] });
  await backfill.endLease('x', null);
  expect(await take()).toEqual({ key: 'x', refs: ['ra:1'] });
});

test('rows are in commit order, whatever instants their workers took, so an offset neither skips nor repeats a row', async () => {
  await db.pool.query('TRUNCATE backfill_items, backfill_jobs, backfill_accounts, backfill_reads');
  const jobId = 'bf_20261121_000001';
  const account = '00000000-0000-0000-0000-000000000001';
  await orders.submit({
    jobId,
    accountId: account,
    keyId: account,
    price: 0,
    label: null,
    request: '0'.repeat(64),
    at: NOW,
    repeatedSince: NOW,
    repeated: 0,
    notFound: [],
    horses: ['0', '1', '2'].map((key) => ({ input: key, key, name: key, refs: [`ra:${key}`], pageRef: null })),
  });
  for (const place of [0, 1]) {
    const key = String(place);
    await createStores(pool).forms.save(horseForm({ name: key, runnerCode: key }), NOW);
    await backfill.noteStored({ key, refs: [`ra:${key}`] }, `ra:${key}`);
  }
  const deliver = (place: number, at: string) =>
    backfill.deliver({ jobId, place }, { at, wall: NOW, period: '2026-11-01' }, () => ({ allowance: 0, overage: 0 }));
  const holder = await db.pool.connect();
  const queued = (deliveries: number) =>
    waitFor(async () => {
      const { rows } = await db.pool.query(
        `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
      return rows.length === deliveries;
    }, PATIENT_MS);
  try {
    await holder.query('BEGIN');
    await holder.query('SELECT FROM backfill_jobs FOR NO KEY UPDATE');
    const first = deliver(1, '2026-11-21T03:00:09.000Z');
    await queued(1);
    const second = deliver(0, '2026-11-21T03:00:05.000Z');
    await queued(2);
    await holder.query('COMMIT');
    expect(await Promise.all([first, second])).toEqual(['delivered', 'delivered']);
  } finally {
    holder.release();
  }
  const failed = { at: NOW, nextTryAt: NOW, counts: true, mostTries: 1 };
  await backfill.noteFailed({ key: '2', refs: ['ra:2'] }, failed);
  const pages = [await backfill.rows(jobId, 1, 0), await backfill.rows(jobId, 2, 1)];
  expect(pages.map((rows) => rows.map(({ input }) => input))).toEqual([['1'], ['0', '2']]);
});
