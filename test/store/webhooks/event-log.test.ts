// The list of events: a reader who continues from each `next` reads every event exactly once, in order, whenever its
// transaction commits.
import fc from 'fast-check';
import type { Pool } from 'pg';
import { eventBody } from '../../../src/domain/events/event';
import { createDeliveryStore, type DeliveryStore } from '../../../src/store/webhooks/deliveries';
import { type LogOrder, type LogPlace, readLog } from '../../../src/store/webhooks/event-log';
import { runs } from '../../support/property';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database';
import { untilBlocked } from '../../support/servers/lock-waiters';
import { poolAs } from '../../support/servers/roles';
import { type SlowWriter, slowWriter } from '../../support/servers/slow-writer';
import { newRace, type Outbox, openOutbox } from '../../support/webhooks/outbox';

let db: TestDatabase;
let workerPool: Pool;
let apiPool: Pool;
let outbox: Outbox;
let deliveries: DeliveryStore;
let account: string;
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
beforeEach(async () => {
  await clear();
  const [row] = await outbox.rows<{ account_id: string }>(
    `INSERT INTO accounts (plan, created_at) VALUES ('plus', now()) RETURNING account_id`,
  );
  account = row!.account_id;
});

const clear = () =>
  outbox.rows('TRUNCATE events, event_sequences, webhooks, webhook_deliveries, webhook_queue, webhook_disablings');
const fanOut = (most = 100, now = new Date().toISOString()) =>
  deliveries.fanOut({ most, plans: ['plus'], bodyOf: eventBody, now });
const START: LogPlace = { position: 0, sinceMs: 0 };
const read = async (after: LogOrder['after'], more: Partial<LogOrder> = {}) => {
  const order = { accountId: account, after, events: [], webhookId: null, ofAccount: true, limit: 100, ...more };
  const page = await readLog(apiPool, order);
  return page && { ...page, ids: page.bodies.map((body) => JSON.parse(body).id as string) };
};
/** To the current end. */
async function readOn(
  after: LogOrder['after'],
  limit: number,
  into: string[],
  more: Partial<LogOrder> = {},
): Promise<LogPlace> {
  for (;;) {
    const page = (await read(after, { limit, ...more }))!;
    into.push(...page.ids);
    after = page.next;
    if (!page.more) return page.next;
  }
}

test('an event whose transaction commits late is still read, and no other event is read twice', async () => {
  const late = await slowWriter(db.url);
  const hidden = await openOutbox(late.pool).event('race.result', newRace());
  const before = await outbox.event('race.result', newRace());
  await fanOut();
  const seen: string[] = [];
  let place = await readOn(START, 1, seen);
  expect(seen).toEqual([before]);
  await late.commit();
  const after = await outbox.event('race.result', newRace());
  await fanOut();
  place = await readOn(place, 1, seen);
  expect(seen).toEqual([before, hidden, after]);
  expect((await read(place))!.ids).toEqual([]);
});

test('while a fan-out has assigned places and not committed, no later place is assigned or visible', async () => {
  await outbox.webhook();
  const first = await outbox.event('race.result', newRace());
  const holder = await db.pool.connect();
  try {
    await holder.query('BEGIN');
    await holder.query('LOCK TABLE webhook_deliveries IN SHARE MODE');
    const stalled = fanOut();
    await untilBlocked(db.pool, holder);
    const second = await outbox.event('race.result', newRace());
    expect(await fanOut()).toBeNull();
    const page = (await read(START))!;
    expect(page.ids).toEqual([]);
    await holder.query('COMMIT');
    await stalled;
    await fanOut();
    expect((await read(page.next))!.ids).toEqual([first, second]);
  } finally {
    holder.release();
  }
});

test('in any order of writing, committing, fanning out and reading, each event is read exactly once', async () => {
  const kind = fc.constantFrom(
    'race.result' as const,
    'race.result' as const,
    'race.scratching' as const,
    'odds.change' as const,
  );
  const some = fc.integer({ min: 1, max: 3 });
  const step = fc.oneof(
    {
      weight: 3,
      arbitrary: fc.record({ do: fc.constant('write' as const), late: fc.boolean(), race: fc.nat(2), kind }),
    },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('end' as const), commit: fc.boolean() }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('fan out' as const), most: some }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('read' as const), limit: some, lookThrough: some }) },
  );
  const property = fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 40 }), async (steps) => {
    await clear();
    const races = [newRace(), newRace(), newRace()];
    const open: { writer: SlowWriter; id: string | null }[] = [];
    const written = new Set<string>();
    const seen: string[] = [];
    let place = START;
    const end = async (commit: boolean): Promise<void> => {
      const one = open.shift();
      if (!one) return;
      await (commit ? one.writer.commit() : one.writer.rollback());
      if (commit && one.id !== null) written.add(one.id);
    };
    for (const one of steps) {
      if (one.do === 'write') {
        const isListed = one.kind === 'race.result';
        const writer = one.late && open.length < 3 ? await slowWriter(db.url) : null;
        const id = await (writer ? openOutbox(writer.pool) : outbox).event(one.kind, races[one.race]!);
        if (writer) open.push({ writer, id: isListed ? id : null });
        else if (isListed) written.add(id);
      } else if (one.do === 'end') await end(one.commit);
      else if (one.do === 'fan out') await fanOut(one.most);
      else place = await readOn(place, one.limit, seen, { events: ['race.result'], lookThrough: one.lookThrough });
    }
    while (open.length > 0) await end(true);
    while ((await fanOut())!.events > 0);
    await readOn(place, 2, seen, { events: ['race.result'] });
    expect([...seen].sort()).toEqual([...written].sort());
    const inOrder = await outbox.rows<{ event_id: string }>(
      'SELECT event_id FROM events WHERE position IS NOT NULL ORDER BY race_id, sequence',
    );
    const bySequence = new Map(inOrder.map(({ event_id }, i) => [event_id, i]));
    const raceOf = await outbox.rows<{ event_id: string; race_id: string }>('SELECT event_id, race_id FROM events');
    for (const race of races) {
      const own = new Set(raceOf.filter((row) => row.race_id === race).map((row) => row.event_id));
      const order = seen.filter((id) => own.has(id)).map((id) => bySequence.get(id)!);
      expect(order).toEqual([...order].sort((a, b) => a - b));
    }
  });
  await fc.assert(property, { numRuns: runs(50) });
});

test('an event that a worker of the previous release fans out has a place too', async () => {
  const id = await outbox.event('race.result', newRace());
  await outbox.event('odds.change', newRace());
  await workerPool.query(`UPDATE events SET fanned_at = now(), body = '{"id":"' || event_id || '"}'`);
  expect((await read(START))!.ids).toEqual([id]);
});

test('an account reads the events that any of its webhooks wants, and its own', async () => {
  const other = await outbox.webhook();
  const [{ account_id: theirs } = {}] = await outbox.rows(
    'SELECT account_id FROM webhooks WHERE webhook_id = $1',
    other,
  );
  const au = await outbox.event('race.result', newRace());
  const nz = await outbox.event('race.scratching', newRace(), { country: 'NZ' });
  const own = await outbox.event('backfill.completed', null, { account_id: account });
  await outbox.event('backfill.completed', null, { account_id: theirs });
  await outbox.event('odds.change', newRace());
  await fanOut();
  const ids = async (more: Partial<LogOrder> = {}) => (await read(START, more))!.ids;
  expect(await ids()).toEqual([au, nz, own]);
  const of = async (more: object) => {
    const id = await outbox.webhook({ ...more });
    await outbox.rows('UPDATE webhooks SET account_id = $2 WHERE webhook_id = $1', id, account);
    return id;
  };
  const first = await of({ countries: ['NZ'], events: ['race.scratching'], paused: true });
  expect(await ids()).toEqual([nz]);
  const second = await of({ events: ['race.result'], disabled_at: new Date(), disabled_reason: 'gone' });
  expect(await ids()).toEqual([au, nz]);
  expect(await ids({ webhookId: first })).toEqual([nz]);
  expect(await ids({ webhookId: second, events: ['race.scratching'] })).toEqual([]);
});

test('an unassigned place is null; an instant starts with what was written from then on; filters do not delay the place', async () => {
  const old = await outbox.event('race.result', newRace(), { written_at: new Date(Date.now() - 7_200_000) });
  const recent = await outbox.event('race.result', newRace(), { written_at: new Date(Date.now() - 60_000) });
  await fanOut();
  expect((await read(START))!.ids).toEqual([old, recent]);
  const begun = (await read(new Date(Date.now() - 3_600_000).toISOString()))!;
  expect(begun.ids).toEqual([recent]);
  expect((await read(new Date().toISOString()))!.ids).toEqual([]);
  const nothing = (await read(START, { events: ['race.scratching'] }))!;
  expect(nothing).toMatchObject({ ids: [], more: false, next: { position: begun.next.position } });
  // At the current end, the place is that of now: it does not age while nothing happens.
  expect(Date.now() - nothing.next.sinceMs).toBeLessThan(60_000);
  expect(await read({ position: begun.next.position + 1000, sinceMs: 0 })).toBeNull();
});
