// The days of events, deliveries and attempts: every write has a place, exactly the expired rows that the queue does
// not name are deleted, and nothing is created twice, with clocks that step, days that were not created in time, events
// that commit late, and interrupted calls.
import fc from 'fast-check';
import type { Pool } from 'pg';
import { eventBody } from '../../../src/domain/events/event';
import { createDeliveryStore, type DeliveryStore } from '../../../src/store/webhooks/deliveries';
import { replayOne } from '../../../src/store/webhooks/webhooks-replay';
import { runs } from '../../support/property';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database';
import { poolAs } from '../../support/servers/roles';
import { newRace, type Outbox, openOutbox } from '../../support/webhooks/outbox';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const PLANS = ['plus'];

let db: TestDatabase;
let workerPool: Pool;
let apiPool: Pool;
let outbox: Outbox;
let deliveries: DeliveryStore;
/** Wall: far ahead of the machine's, and never back by more than hours. */
let nowMs = Date.parse('2031-03-01T05:00:00Z');
beforeAll(async () => {
  db = await createTestDatabase();
  workerPool = poolAs(db, 'racing_worker');
  apiPool = poolAs(db, 'racing_api');
  outbox = openOutbox(db.pool);
  deliveries = createDeliveryStore(workerPool);
});
afterAll(async () => {
  await workerPool?.end();
  await apiPool?.end();
  await db?.drop();
});

const now = () => new Date(nowMs).toISOString();
const fanOut = () => deliveries.fanOut({ most: 100, plans: PLANS, bodyOf: eventBody, now: now() });
const claim = async () =>
  (
    await deliveries.claim({
      worker: 'one',
      after: '',
      endpoints: 100,
      most: 100,
      failing: 100,
      plans: PLANS,
      now: now(),
    })
  ).claimed;
const again = async () =>
  (
    await deliveries.claimRetries({
      after: '',
      endpoints: 100,
      most: 100,
      failing: 100,
      plans: PLANS,
      now: now(),
    })
  ).claimed;

/** As in a new database, months later. Resolves to a webhook that wants everything. */
async function begin(): Promise<string> {
  await outbox.rows(
    'TRUNCATE events, event_sequences, webhooks, webhook_deliveries, webhook_queue, webhook_leases, webhook_attempts',
  );
  nowMs += 100 * DAY;
  while ((await deliveries.dropDays(now())).length > 0);
  return outbox.webhook();
}

interface Row {
  readonly table: 'events' | 'webhook_deliveries' | 'webhook_attempts';
  readonly id: string;
  readonly kind: string | null;
  readonly atMs: number;
  /** Without the schema. */
  readonly part: string;
  /** By the queue. */
  readonly named: boolean;
}

const stored = (): Promise<Row[]> =>
  outbox.rows<Row>(`
    WITH rows AS (
      SELECT 'events' AS "table", event_id AS id, kind, written_at AS at, tableoid,
             EXISTS (SELECT FROM webhook_queue q WHERE q.event_id = e.event_id) AS named FROM events e
      UNION ALL
      SELECT 'webhook_deliveries', delivery_id, kind, created_at, tableoid, settled_at IS NULL FROM webhook_deliveries
      UNION ALL
      SELECT 'webhook_attempts', delivery_id || '/' || attempt, kind, started_at, tableoid,
             EXISTS (SELECT FROM webhook_queue q WHERE q.delivery_id = a.delivery_id) FROM webhook_attempts a)
    SELECT "table", id, kind, extract(epoch FROM at)::float8 * 1000 AS "atMs", c.relname AS part, named
      FROM rows JOIN pg_class c ON c.oid = rows.tableoid ORDER BY 1, 2`);

const keptMs = (kind: string | null): number => (kind === 'odds.change' ? 3 : 30) * DAY;
const dayEndMs = (part: string): number | null => {
  const [, year, month, day] = /_(\d{4})(\d\d)(\d\d)/.exec(part) ?? [];
  return year === undefined ? null : Date.parse(`${year}-${month}-${day}T00:00:00Z`) + DAY;
};

/** What a sweep keeps of these rows. */
function left(rows: readonly Row[]): Row[] {
  const isNamed = (part: RegExp): boolean => rows.some((row) => row.named && part.test(row.part));
  const isLeft = (row: Row): boolean => {
    const endMs = dayEndMs(row.part);
    if (endMs === null) return row.named || nowMs <= row.atMs + keptMs(row.kind);
    if (nowMs >= endMs + 30 * DAY) return isNamed(new RegExp(`^${row.part.replace(/(moves|default)$/, '')}`));
    return !row.part.endsWith('_moves') || nowMs < endMs + 3 * DAY || isNamed(new RegExp(`^${row.part}$`));
  };
  // An attempt outside any day is deleted with its delivery outside any day.
  const gone = rows.filter((row) => row.table === 'webhook_deliveries' && dayEndMs(row.part) === null && !isLeft(row));
  const ids = new Set(gone.map(({ id }) => id));
  return rows.filter((row) => isLeft(row) && !(dayEndMs(row.part) === null && ids.has(row.id.split('/')[0]!)));
}

const idsOf = (rows: readonly Row[]): string[] => rows.map(({ table, id }) => `${table} ${id}`);

/** As the Schedule does. */
async function sweep(): Promise<void> {
  await deliveries.tidy(now());
  const expected = left(await stored());
  while ((await deliveries.dropDays(now())).length > 0);
  while ((await deliveries.deleteStrays(now())) > 0);
  expect(idsOf(await stored())).toEqual(idsOf(expected));
}

const kind = fc.constantFrom('odds.change' as const, 'odds.change' as const, 'race.result' as const);
const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('write' as const),
      kind,
      /** Its transaction commits late, or a clock was wrong. */
      hoursAgo: fc.oneof(
        { weight: 4, arbitrary: fc.constant(0) },
        { weight: 1, arbitrary: fc.integer({ min: -200, max: 33 * 24 }) },
      ),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('pass' as const),
      hours: fc.oneof(fc.integer({ min: -3, max: 30 }), fc.constant(4 * 24), fc.constant(31 * 24)),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('fan out' as const), twice: fc.boolean() }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('post' as const), delivered: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('replay' as const), which: fc.nat() }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('keep' as const), cutOff: fc.boolean() }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('sweep' as const), cutOff: fc.boolean() }) },
);

test('exactly the expired rows that nothing names are deleted; nothing is refused, lost early or created twice', async () => {
  const property = fc.asyncProperty(fc.array(step, { minLength: 15, maxLength: 30 }), async (steps) => {
    const webhook = await begin();
    for (const one of steps) {
      const before = await stored();
      if (one.do === 'pass') nowMs += one.hours * HOUR;
      else if (one.do === 'write')
        await outbox.event(one.kind, newRace(), { written_at: new Date(nowMs - one.hoursAgo * HOUR) });
      else if (one.do === 'fan out') {
        await fanOut();
        if (one.twice) await fanOutAgain();
      } else if (one.do === 'post') await post(one.delivered);
      else if (one.do === 'replay') await replay(webhook, one.which);
      else if (one.do === 'keep') await keep(one.cutOff);
      else if (one.cutOff) await cutOff('SELECT drop_event_day($1)', [now()]);
      else await sweep();
      const after = new Set(idsOf(await stored()));
      if (one.do !== 'sweep') expect(idsOf(before).filter((id) => !after.has(id))).toEqual([]);
      for (const row of before) {
        const isOfStored = row.table !== 'webhook_attempts' || after.has(`webhook_deliveries ${row.id.split('/')[0]}`);
        const isYoung = nowMs < row.atMs + keptMs(row.kind) && isOfStored;
        // A price move that waits for a minute is ended by the sweep itself.
        const isKept = isYoung || (row.named && row.kind !== 'odds.change');
        if (isKept && !after.has(`${row.table} ${row.id}`)) throw new Error(`${row.table} ${row.id} went too soon`);
      }
      await expectOnce();
    }
  });
  await fc.assert(property, { numRuns: runs(10, 5), endOnFailure: true });
});

/** As if the first had left no mark: its rows decide. */
async function fanOutAgain(): Promise<void> {
  await outbox.rows('UPDATE events SET fanned_at = NULL, body = NULL WHERE fanned_at IS NOT NULL');
  nowMs += 1000;
  while ((await fanOut())!.events > 0);
}

/** The bodies of all waiting deliveries exist, even days after their events. */
async function post(isDelivered: boolean): Promise<void> {
  for (const claimed of [...(await claim()), ...(await again())]) {
    expect(JSON.parse(claimed.body!).id).toBe(claimed.eventId);
    const status = isDelivered ? 'delivered' : claimed.kind === 'odds.change' ? 'cancelled' : 'retrying';
    const { deliveryId, webhookId, url, attempt, test } = claimed;
    await deliveries.settle({
      deliveryId,
      webhookId,
      url,
      attempt,
      test,
      at: now(),
      status,
      dueAt: status === 'retrying' ? new Date(nowMs + 20 * HOUR).toISOString() : null,
      statusCode: isDelivered ? 204 : 500,
      error: isDelivered ? null : 'HTTP 500.',
      durationMs: 5,
      slowUntil: null,
    });
  }
}

async function replay(webhook: string, which: number): Promise<void> {
  const rows = await outbox.rows<{ id: string; at: Date | string; kind: string }>(
    `SELECT d.delivery_id AS id, e.written_at AS at, d.kind FROM webhook_deliveries d LEFT JOIN events e USING (event_id)
      WHERE d.settled_at IS NOT NULL AND d.kind <> 'odds.change' ORDER BY 1`,
  );
  const one = rows[which % Math.max(1, rows.length)];
  if (!one) return;
  const made = await replayOne(apiPool, webhook, one.id, now());
  const isStored = one.at !== null && new Date(one.at).getTime() > nowMs - 30 * DAY;
  expect(made.kind).toBe(isStored ? 'replayed' : 'gone');
  if (made.kind === 'replayed') expect(made.delivery.body).not.toBeNull();
}

async function keep(isCutOff: boolean): Promise<void> {
  if (isCutOff) return cutOff('SELECT keep_event_days($1, 3)', [now()]);
  await deliveries.keepDays(now());
  const today = Math.floor(nowMs / DAY) * DAY;
  const elsewhere = (await stored()).filter(
    ({ part, atMs }) => dayEndMs(part) === null && atMs >= today && atMs < today + 4 * DAY,
  );
  expect(elsewhere).toEqual([]);
}

/** The process ends before its transaction does. */
async function cutOff(text: string, values: unknown[]): Promise<void> {
  const client = await workerPool.connect();
  await client.query('BEGIN');
  await client.query(text, values);
  await client.query('ROLLBACK');
  client.release();
}

async function expectOnce(): Promise<void> {
  expect(
    await outbox.rows(
      `SELECT event_id FROM webhook_deliveries WHERE replay_of IS NULL GROUP BY event_id, webhook_id HAVING count(*) > 1`,
    ),
  ).toEqual([]);
}

test('a part under a long read is kept until a later call, and nothing waits for it', async () => {
  await begin();
  await deliveries.keepDays(now());
  const id = await outbox.event('odds.change', newRace(), { written_at: new Date(nowMs) });
  nowMs += 35 * DAY;
  const reader = await apiPool.connect();
  await reader.query('BEGIN');
  await reader.query('SELECT FROM events LIMIT 1');
  const dropped = await deliveries.dropDays(now());
  expect(dropped.length).toBeGreaterThan(0);
  expect(dropped.filter((part) => part.startsWith('events_'))).toEqual([]);
  expect(await outbox.rows('SELECT FROM events WHERE event_id = $1', id)).toHaveLength(1);
  // Created days wait for it too, and their rows do not.
  expect(await deliveries.keepDays(now())).toEqual([]);
  await outbox.event('odds.change', newRace(), { written_at: new Date(nowMs) });
  await reader.query('COMMIT');
  reader.release();
  expect(await deliveries.keepDays(now())).toHaveLength(12);
  expect(await deliveries.dropDays(now())).toHaveLength(4);
  expect((await stored()).map(({ part }) => part)).toEqual([expect.stringMatching(/^events_\d{8}_moves$/)]);
});

test('while an old event is being delivered again, the event’s day is kept and its body is posted', async () => {
  const webhook = await begin();
  await deliveries.keepDays(now());
  await outbox.event('race.result', newRace(), { written_at: new Date(nowMs) });
  await fanOut();
  await post(true);
  const [first] = (await stored()).filter(({ table }) => table === 'webhook_deliveries');
  nowMs += 29 * DAY;
  expect((await replayOne(apiPool, webhook, first!.id, now())).kind).toBe('replayed');
  await post(false);
  nowMs += 4 * DAY;
  await sweep();
  expect(await stored()).toMatchObject([
    { table: 'events' },
    { table: 'webhook_attempts' },
    { table: 'webhook_deliveries' },
  ]);
  await post(true);
  await sweep();
  expect((await stored()).map(({ table }) => table)).toEqual([
    'webhook_attempts',
    'webhook_attempts',
    'webhook_deliveries',
  ]);
});

test('events written before the first day keep their expiry and are deleted on time', async () => {
  const fresh = await createTestDatabase();
  try {
    const rows = openOutbox(fresh.pool);
    const webhook = await rows.webhook();
    const body = (id: string) => ({ body: JSON.stringify({ id }), fanned_at: new Date(), sequence: 1 });
    const waits = await rows.event('race.result', newRace(), { ...body('waits'), position: 1 });
    await rows.event('odds.change', newRace());
    const [waiting] = await rows.rows<{ id: string }>(
      `INSERT INTO webhook_deliveries (webhook_id, event_id, kind, sequence) VALUES ($1, $2, 'race.result', 1) RETURNING delivery_id AS id`,
      webhook,
      waits,
    );
    expect(await rows.rows('SELECT DISTINCT tableoid::regclass::text AS part FROM events')).toEqual([
      { part: 'event_days.events_before' },
    ]);
    const store = createDeliveryStore(fresh.pool);
    const at = new Date(Date.now() + 1000).toISOString();
    const order = { worker: 'one', after: '', endpoints: 9, most: 9, failing: 9, plans: PLANS, now: at };
    const { claimed } = await store.claim(order);
    expect(claimed).toMatchObject([{ deliveryId: waiting!.id, body: '{"id":"waits"}' }]);
    const later = new Date(Date.now() + 34 * DAY).toISOString();
    await store.keepDays(later);
    expect(await store.dropDays(later)).toEqual([]);
    expect(await store.deleteStrays(later)).toBe(1);
    await rows.rows(`UPDATE webhook_deliveries SET status = 'failed', settled_at = now()`);
    expect((await store.dropDays(later)).toSorted()).toEqual([
      'events_before',
      'webhook_attempts_before',
      'webhook_deliveries_before',
    ]);
    expect(await rows.rows('SELECT FROM events')).toEqual([]);
  } finally {
    await fresh.drop();
  }
});
