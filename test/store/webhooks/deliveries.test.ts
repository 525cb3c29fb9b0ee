// What becomes of events on their way to webhooks, as rows: who gets what, in which order it may be posted, how much at once, and what ends it.
import type { Pool } from 'pg';
import { eventBody } from '../../../src/domain/events/event';
import type { Claimed } from '../../../src/store/webhooks/claims';
import { createDeliveryStore, type DeliveryStore } from '../../../src/store/webhooks/deliveries';
import type { Settled } from '../../../src/store/webhooks/settle';
import { startFanOut } from '../../../src/webhooks/fan-out-loop';
import { PATIENT_MS } from '../../support/patient';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database';
import { poolAs } from '../../support/servers/roles';
import { waitFor } from '../../support/servers/service';
import { newRace, type Outbox, openOutbox } from '../../support/webhooks/outbox';

const PLANS = ['plus', 'business'];
const MINUTE = 60_000;
const DAY = 1440 * MINUTE;

let db: TestDatabase;
let pool: Pool;
let outbox: Outbox;
let deliveries: DeliveryStore;
/** Wall. */
let nowMs: number;
beforeAll(async () => {
  db = await createTestDatabase();
  pool = poolAs(db, 'racing_worker');
  outbox = openOutbox(db.pool);
  deliveries = createDeliveryStore(pool);
});
afterAll(async () => {
  await pool?.end();
  await db?.drop();
});
beforeEach(async () => {
  nowMs = Date.now();
  await outbox.rows(
    'TRUNCATE events, event_sequences, webhooks, webhook_deliveries, webhook_queue, webhook_attempts, webhook_failures',
  );
});

const now = () => new Date(nowMs).toISOString();
const fanOut = (most = 100) => deliveries.fanOut({ most, plans: PLANS, bodyOf: eventBody, now: now() });
const claim = async (
  more: { worker?: string; most?: number; failing?: number; endpoints?: number; after?: string } = {},
) =>
  deliveries.claim({
    worker: 'one',
    after: '',
    endpoints: 100,
    most: 100,
    failing: 100,
    plans: PLANS,
    now: now(),
    ...more,
  });
const claimed = async (most = 100): Promise<readonly Claimed[]> => (await claim({ most })).claimed;
const end = (one: Claimed, status: Settled['status'], more: Partial<Settled> = {}): Promise<boolean> =>
  deliveries.settle({
    deliveryId: one.deliveryId,
    webhookId: one.webhookId,
    attempt: one.attempt,
    test: one.test,
    at: now(),
    status,
    dueAt: null,
    statusCode: status === 'delivered' ? 200 : 500,
    error: status === 'delivered' ? null : 'no',
    durationMs: 12,
    slowUntil: null,
    ...more,
  });
/** Leases are by the clock of the database. */
const endLeases = async (): Promise<void> => {
  for (const table of ['webhook_queue', 'webhook_attempts'])
    await outbox.rows(`UPDATE ${table} SET leased_until = now() - interval '1 second' WHERE leased_until IS NOT NULL`);
};
/** As a feed that spells its venue `spelling` has listed it. */
const raceAt = async (race: string, venueId: string, spelling: string): Promise<void> => {
  await outbox.rows(
    `INSERT INTO races (race_id, meeting_date, category, venue, venue_id, venue_canonical, venue_site, race_number, start_time, first_seen_at, updated_at)
     VALUES ($1, '2026-11-21', 'horse', $2, $2, $2, $2, 4, now(), now(), now())`,
    race,
    venueId,
  );
  await outbox.rows(`INSERT INTO venue_spellings VALUES ($1, $2, 'horse', 'AU', now(), now())`, venueId, spelling);
};
const statuses = async (): Promise<readonly string[]> =>
  (await outbox.rows<{ status: string }>('SELECT status FROM webhook_deliveries ORDER BY written, delivery_id')).map(
    ({ status }) => status,
  );

test('each webhook gets the events that its filters, its account and its plan let through', async () => {
  const all = await outbox.webhook();
  const kinds = await outbox.webhook({ events: ['race.result', 'arb.opportunity'], min_edge_pct: 2 });
  const dogs = await outbox.webhook({ sports: ['racing_greyhound'] });
  const nz = await outbox.webhook({ countries: ['NZ'] });
  const randwick = await outbox.webhook({
    venues: ['ROYAL Randwick', 'Nowhere'],
    events: ['race.result', 'race.odds_open'],
  });
  await outbox.webhook({ deleted_at: new Date() });
  await outbox.webhook({ disabled_at: new Date(), disabled_reason: 'gone' });
  const race = newRace();
  await raceAt(race, 'randwick', 'Royal Randwick');
  const elsewhere = newRace();
  await raceAt(elsewhere, 'addington', 'Addington');
  const [{ account_id: owner } = {}] = await outbox.rows('SELECT account_id FROM webhooks WHERE webhook_id = $1', dogs);
  const result = await outbox.event('race.result', race);
  const facts = { race_id: elsewhere, venue: 'Addington' };
  const dogResult = await outbox.event('race.result', elsewhere, { category: 'greyhound', country: 'NZ', facts });
  const thin = await outbox.event('arb.opportunity', null, { facts: { edge_pct: 1.9 } });
  const wide = await outbox.event('arb.opportunity', null, { facts: { edge_pct: 2 } });
  const own = await outbox.event('backfill.completed', null, { account_id: owner });
  const open = await outbox.event('race.odds_open', race);
  expect(await fanOut()).toEqual({ events: 6, made: 17, offered: 17, superseded: 0 });
  const got = async (id: string) =>
    (await outbox.rows('SELECT event_id FROM webhook_deliveries WHERE webhook_id = $1 ORDER BY written', id)).map(
      ({ event_id }) => event_id,
    );
  expect(await got(all)).toEqual([result, dogResult, thin, wide, open]);
  expect(await got(kinds)).toEqual([result, dogResult, wide]);
  expect(await got(dogs)).toEqual([dogResult, thin, wide, own]);
  expect(await got(nz)).toEqual([dogResult, thin, wide]);
  expect(await got(randwick)).toEqual([result, open]);
  const [{ body, sequence } = {}] = await outbox.rows('SELECT body, sequence FROM events WHERE event_id = $1', open);
  expect(sequence).toBe(2);
  expect(JSON.parse(String(body))).toMatchObject({ event: 'race.odds_open', id: open, sequence: 2, race_id: race });
  expect(await fanOut()).toEqual({ events: 0, made: 0, offered: 0, superseded: 0 });
});

test('a paused webhook and one without its plan get rows that say so, and no price moves', async () => {
  await outbox.webhook({ paused: true });
  await outbox.webhook({ plan: 'standard' });
  await outbox.event('race.result', newRace());
  await outbox.event('odds.change', newRace());
  expect(await fanOut()).toEqual({ events: 2, made: 2, offered: 0, superseded: 0 });
  const rows = await outbox.rows('SELECT kind, status, error FROM webhook_deliveries ORDER BY error');
  expect(rows).toEqual([
    { kind: 'race.result', status: 'cancelled', error: 'The plan of the account does not include webhooks.' },
    { kind: 'race.result', status: 'cancelled', error: 'The webhook is paused.' },
  ]);
});

test('the first attempts for one race keep its order at each endpoint; a retry holds nothing back', async () => {
  const slow = await outbox.webhook();
  const quick = await outbox.webhook();
  const race = newRace();
  const other = newRace();
  const first = await outbox.event('race.odds_open', race);
  const second = await outbox.event('race.result', race);
  const elsewhere = await outbox.event('race.result', other);
  await fanOut();
  const begun = await claimed();
  expect(begun.map(({ webhookId, eventId }) => [webhookId, eventId]).sort()).toEqual(
    [slow, quick].flatMap((id) => [first, elsewhere].map((event) => [id, event])).sort(),
  );
  expect(await claimed()).toEqual([]);
  const [atQuick, atSlow] = [quick, slow].map(
    (id) => begun.find((one) => one.webhookId === id && one.eventId === first)!,
  );
  await end(atQuick!, 'delivered');
  expect((await claimed()).map(({ webhookId, eventId }) => [webhookId, eventId])).toEqual([[quick, second]]);
  await end(atSlow!, 'retrying', { dueAt: new Date(nowMs + 5000).toISOString() });
  // One at a time while it fails: its other race is still under way.
  expect(await claimed()).toEqual([]);
  await end(begun.find((one) => one.webhookId === slow && one.eventId === elsewhere)!, 'delivered');
  expect((await claimed()).map(({ webhookId, eventId }) => [webhookId, eventId])).toEqual([[slow, second]]);
});

test('at most four are leased of an endpoint, whoever claims: three first attempts, and a test or a retry', async () => {
  const id = await outbox.webhook();
  const other = await outbox.webhook();
  for (let n = 0; n < 6; n++) await outbox.event('race.result', newRace());
  await fanOut();
  const both = await Promise.all([claimed(), claimed()]);
  const begun = both.flat().filter(({ webhookId }) => webhookId === id);
  expect(begun).toHaveLength(3);
  expect(new Set(both.flat().map(({ deliveryId }) => deliveryId)).size).toBe(6);
  const attempts = await outbox.rows('SELECT delivery_id FROM webhook_attempts');
  expect(attempts).toHaveLength(6);
  await end(begun[0]!, 'retrying', { dueAt: now() });
  const test = `INSERT INTO webhook_deliveries (webhook_id, event_id, kind, test, body) VALUES ($1, $2, 'odds.change', true, '{}')`;
  for (let n = 0; n < 3; n++) await outbox.rows(test, id, `evt_${n}`);
  nowMs += 1000;
  // Two are under way: two tests fit, and then nothing more.
  expect((await claimed()).map(({ test, webhookId }) => [test, webhookId])).toEqual([
    [true, id],
    [true, id],
  ]);
  expect(await deliveries.takeRetry(begun[0]!.deliveryId, PLANS, now())).toEqual({ kind: 'full', ahead: 1 });
  await end(begun[1]!, 'delivered');
  expect(await deliveries.takeRetry(begun[0]!.deliveryId, PLANS, now())).toMatchObject({
    kind: 'taken',
    delivery: { attempt: 2, body: expect.stringContaining('race.result'), secrets: [expect.stringMatching(/^whsec_/)] },
  });
  expect((await claimed()).filter(({ webhookId }) => webhookId !== other)).toEqual([]);
});

test('of a quick endpoint one worker leases twelve, three of which are in flight; what is given back is as before', async () => {
  const id = await outbox.webhook({ quick: true });
  for (let n = 0; n < 15; n++) await outbox.event('race.result', newRace());
  await fanOut();
  const ahead = (await claim({ worker: 'one' })).claimed;
  expect(ahead).toHaveLength(12);
  expect((await claim({ worker: 'other' })).claimed).toEqual([]);
  expect((await claim({ worker: 'one' })).claimed).toEqual([]);
  const test = `INSERT INTO webhook_deliveries (webhook_id, event_id, kind, test, body) VALUES ($1, $2, 'odds.change', true, '{}')`;
  for (let n = 0; n < 2; n++) await outbox.rows(test, id, `evt_${n}`);
  // Beside three one test fits, and no retry beside it.
  const tests = (await claim({ worker: 'other' })).claimed;
  expect(tests.map(({ test }) => test)).toEqual([true]);
  await end(ahead[0]!, 'retrying', { dueAt: now() });
  expect(await deliveries.takeRetry(ahead[0]!.deliveryId, PLANS, now())).toMatchObject({ kind: 'full' });
  await Promise.all(ahead.slice(1).map((one) => deliveries.giveBack(one, now())));
  await end(tests[0]!, 'delivered');
  expect(await outbox.rows('SELECT 1 FROM webhook_attempts WHERE leased_until IS NOT NULL')).toEqual([]);
  // It failed: the next worker gets one, at its first attempt, beside the test that waited.
  const next = (await claim({ worker: 'other' })).claimed;
  expect(next.map(({ test, attempt }) => [test, attempt])).toEqual([
    [true, 1],
    [false, 1],
  ]);
  for (const one of next) await end(one, 'delivered');
  expect((await claim({ worker: 'one' })).claimed).toHaveLength(12);
});

test('what was leased ahead ends when it was superseded or cancelled meanwhile, and no earlier attempt is given back twice', async () => {
  const id = await outbox.webhook({ quick: true, events: ['odds.change'] });
  const race = newRace();
  const other = newRace();
  const first = await outbox.event('odds.change', race);
  await outbox.event('odds.change', other);
  await fanOut();
  const [old, only] = [...(await claimed())].sort((one) => (one.eventId === first ? -1 : 1));
  const newest = await outbox.event('odds.change', race);
  expect(await fanOut()).toMatchObject({ superseded: 0 });
  for (const one of [old!, only!, only!]) await deliveries.giveBack(one, now());
  expect(await outbox.rows('SELECT 1 FROM webhook_attempts')).toEqual([]);
  const [{ status, error, attempt_count: attempts } = {}] = await outbox.rows(
    'SELECT status, error, attempt_count FROM webhook_deliveries WHERE delivery_id = $1',
    old!.deliveryId,
  );
  expect([status, error, attempts]).toEqual(['cancelled', 'Superseded by a newer price.', 0]);
  const again = await claimed();
  expect(again.map(({ eventId }) => eventId).sort()).toEqual([newest, only!.eventId].sort());
  expect(again.map(({ attempt }) => attempt)).toEqual([1, 1]);
  // Nothing is made of a delivery that was cancelled while it was leased: neither its give-back nor its end.
  await outbox.rows("UPDATE webhook_deliveries SET status = 'cancelled', settled_at = now() WHERE webhook_id = $1", id);
  await deliveries.giveBack(again[0]!, now());
  expect(await end(again[1]!, 'retrying', { dueAt: now() })).toBe(false);
  expect([...new Set(await statuses())]).toEqual(['cancelled']);
  expect(await outbox.rows('SELECT 1 FROM webhook_queue')).toEqual([]);
});

test('an endpoint that is slow or failing takes no turn of another, and replays come last', async () => {
  const slow = await outbox.webhook({ slow_until: new Date(nowMs + MINUTE) });
  const failing = await outbox.webhook({ failure_count: 3 });
  const fine = await outbox.webhook();
  for (let n = 0; n < 3; n++) await outbox.event('race.result', newRace());
  await fanOut();
  await outbox.rows(
    `INSERT INTO webhook_deliveries (webhook_id, event_id, kind, replay_of)
     SELECT webhook_id, event_id, kind, delivery_id FROM webhook_deliveries WHERE webhook_id = $1 LIMIT 1`,
    fine,
  );
  nowMs += 1000;
  const first = await claimed(4);
  expect(first.map(({ webhookId, replay }) => [webhookId, replay]).sort()).toEqual(
    [[failing, false], ...Array.from({ length: 3 }, () => [fine, false])].sort(),
  );
  for (const one of first) await end(one, 'delivered');
  // What delivers has three turns again.
  const next = await claimed();
  expect(next.filter(({ webhookId }) => webhookId === failing)).toHaveLength(2);
  expect(next.filter(({ replay }) => replay)).toHaveLength(1);
  nowMs += MINUTE;
  expect((await claimed()).map(({ webhookId }) => webhookId)).toEqual([slow, slow, slow]);
});

test('of a failing or slow endpoint one retry is under way; the others are given how many are due, and wait for no row', async () => {
  await outbox.webhook();
  for (let n = 0; n < 3; n++) await outbox.event('race.result', newRace());
  await fanOut();
  const begun = await claimed();
  for (const one of begun) await end(one, 'retrying', { dueAt: now() });
  const take = (one: Claimed) => deliveries.takeRetry(one.deliveryId, PLANS, now());
  expect(await take(begun[0]!)).toMatchObject({ kind: 'taken' });
  expect(await take(begun[1]!)).toEqual({ kind: 'full', ahead: 3 });
  await outbox.rows('UPDATE webhooks SET failure_count = 0, lagging = true');
  expect(await take(begun[1]!)).toMatchObject({ kind: 'full' });
  await outbox.rows('UPDATE webhooks SET lagging = false');
  const other = await db.pool.connect();
  try {
    await other.query('BEGIN');
    await other.query('SELECT FROM webhook_queue WHERE delivery_id = $1 FOR UPDATE', [begun[1]!.deliveryId]);
    expect(await take(begun[1]!)).toEqual({ kind: 'full', ahead: 0 });
    expect(await take(begun[2]!)).toMatchObject({ kind: 'taken' });
  } finally {
    await other.query('ROLLBACK');
    other.release();
  }
});

test('a success after more than five seconds counts as failing for claims, until one is quick', async () => {
  await outbox.webhook();
  for (let n = 0; n < 9; n++) await outbox.event('race.result', newRace());
  await fanOut();
  for (const one of await claimed()) await end(one, 'delivered', { durationMs: 5001 });
  const [only, ...more] = await claimed();
  expect([only!.failing, more]).toEqual([true, []]);
  await end(only!, 'delivered', { durationMs: 900 });
  expect((await claimed()).map(({ failing }) => failing)).toEqual([false, false, false]);
});

test('failing endpoints get no more than their part, and a round looks at every endpoint', async () => {
  for (let n = 0; n < 5; n++) await outbox.webhook(n < 3 ? { failure_count: 1 } : {});
  await outbox.event('race.result', newRace());
  await fanOut();
  const first = await claim({ failing: 1, endpoints: 3 });
  const second = await claim({ failing: 1, endpoints: 3, after: first.last! });
  expect(first.last).not.toBeNull();
  expect(second.last).toBeNull();
  const both = [...first.claimed, ...second.claimed];
  expect(both.filter(({ failing }) => !failing)).toHaveLength(2);
  expect(both.filter(({ failing }) => failing).length).toBeLessThanOrEqual(2);
});

test('of price moves only the newest of a race is sent, none after a minute, and none after a newer one', async () => {
  const id = await outbox.webhook({ events: ['odds.change'] });
  const race = newRace();
  const other = newRace();
  await outbox.event('odds.change', race);
  await outbox.event('odds.change', other);
  expect(await fanOut()).toEqual({ events: 2, made: 2, offered: 2, superseded: 0 });
  await outbox.event('odds.change', race);
  const newest = await outbox.event('odds.change', race);
  expect(await fanOut()).toEqual({ events: 2, made: 2, offered: 2, superseded: 2 });
  const [old, sent] = [...(await claimed())].sort((one) => (one.eventId === newest ? 1 : -1));
  expect(sent!.eventId).toBe(newest);
  // It fails, and a newer one comes before it is made again.
  await end(old!, 'delivered');
  await end(sent!, 'pending', { dueAt: new Date(nowMs + 5000).toISOString() });
  const newer = await outbox.event('odds.change', race);
  await fanOut();
  nowMs += 6000;
  expect((await claimed()).map(({ eventId }) => eventId)).toEqual([newer]);
  await outbox.event('odds.change', other);
  await fanOut();
  nowMs += MINUTE;
  expect(await claimed()).toEqual([]);
  await endLeases();
  expect(await deliveries.tidy(now())).toEqual({ freed: 1, expired: 2 });
  await outbox.event('odds.change', race, { written_at: new Date(nowMs - 2 * MINUTE) });
  expect(await fanOut()).toEqual({ events: 1, made: 0, offered: 0, superseded: 0 });
  expect([...new Set(await statuses())].sort()).toEqual(['cancelled', 'delivered']);
  expect(await outbox.rows('SELECT 1 FROM webhooks WHERE webhook_id = $1 AND failure_count = 1', id)).toHaveLength(1);
});

test('a lease that ran out is made again; its late end counts only if it delivered', async () => {
  await outbox.webhook();
  await outbox.event('race.result', newRace());
  await fanOut();
  const [lost] = await claimed();
  await endLeases();
  expect(await deliveries.tidy(now())).toEqual({ freed: 1, expired: 0 });
  const [again] = await claimed();
  expect([again!.deliveryId, again!.attempt, again!.cutOff, again!.eventId]).toEqual([
    lost!.deliveryId,
    2,
    1,
    lost!.eventId,
  ]);
  expect(await end(lost!, 'retrying', { dueAt: now() })).toBe(false);
  expect(await statuses()).toEqual(['pending']);
  expect(await end(lost!, 'delivered')).toBe(true);
  expect(await end(again!, 'retrying', { dueAt: now() })).toBe(false);
  expect(await statuses()).toEqual(['delivered']);
});

test('a webhook that is gone, paused or without its plan ends what is pending and retried', async () => {
  const gone = await outbox.webhook();
  const paused = await outbox.webhook();
  for (let n = 0; n < 5; n++) await outbox.event('race.result', newRace());
  await fanOut();
  const begun = await claimed();
  const [one, two] = begun.filter(({ webhookId }) => webhookId === paused);
  await end(one!, 'retrying', { dueAt: now() });
  await outbox.rows('UPDATE webhooks SET paused = true WHERE webhook_id = $1', paused);
  expect(await deliveries.takeRetry(one!.deliveryId, PLANS, now())).toEqual({ kind: 'ended', status: 'cancelled' });
  expect(await deliveries.takeRetry(two!.deliveryId, PLANS, now())).toEqual({ kind: 'ended', status: 'pending' });
  expect(await deliveries.disable(gone, 'gone', now())).toBe(true);
  expect(await deliveries.disable(gone, 'gone', now())).toBe(false);
  expect(await claimed()).toEqual([]);
  const open = await outbox.rows('SELECT webhook_id, leased_until IS NULL AS free FROM webhook_queue');
  // What is under way goes on to its end.
  expect(open.filter(({ free }) => free)).toEqual([]);
  expect(open).toHaveLength(5);
  // A test that was called as its webhook was deleted.
  const test = `INSERT INTO webhook_deliveries (webhook_id, event_id, kind, test, body) VALUES ($1, 'evt_t', 'odds.change', true, '{}')`;
  await outbox.rows('UPDATE webhooks SET deleted_at = now() WHERE webhook_id = $1', gone);
  await outbox.rows(test, gone);
  expect(await claimed()).toEqual([]);
  expect(await outbox.rows('SELECT status FROM webhook_deliveries WHERE test')).toEqual([{ status: 'cancelled' }]);
});

/** Of deliveries that one statement makes. */
async function refuseMoreThanFour(): Promise<void> {
  await outbox.rows(`
    CREATE OR REPLACE FUNCTION too_many() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF (SELECT count(*) FROM made) > 4 THEN RAISE 'too many'; END IF; RETURN NULL; END $$`);
  await outbox.rows(`
    CREATE TRIGGER too_many AFTER INSERT ON webhook_deliveries REFERENCING NEW TABLE AS made
      FOR EACH STATEMENT EXECUTE FUNCTION too_many()`);
}

test('a batch that is too much for the database is made again in parts', async () => {
  await outbox.webhook();
  await outbox.webhook({ paused: true });
  for (let n = 0; n < 5; n++) await outbox.event('race.result', newRace());
  await refuseMoreThanFour();
  const loop = startFanOut({
    deliveries,
    plans: PLANS,
    wallMs: () => nowMs,
    made: () => undefined,
    log: { warn: () => undefined },
  });
  try {
    // Of the first two events; the batch after them is as large as their number allows, and cut down again.
    await waitFor(async () => (await statuses()).length >= 4, PATIENT_MS);
  } finally {
    await loop.close();
    await outbox.rows('DROP TRIGGER too_many ON webhook_deliveries');
  }
});

test('an event that more webhooks want than a statement takes is made in parts, at once', async () => {
  const ids = [];
  for (let n = 0; n < 5; n++) ids.push(await outbox.webhook(n === 0 ? { paused: true } : {}));
  const race = newRace();
  await outbox.event('odds.change', race);
  await fanOut();
  await outbox.event('odds.change', race);
  const result = await outbox.event('race.result', race);
  await refuseMoreThanFour();
  try {
    const order = { most: 100, plans: PLANS, bodyOf: eventBody, now: now() };
    // Of each part both events: a part of three would be too much.
    expect(await deliveries.fanOut({ ...order, webhooks: 2 })).toEqual({
      events: 2,
      made: 9,
      offered: 8,
      superseded: 4,
    });
  } finally {
    await outbox.rows('DROP TRIGGER too_many ON webhook_deliveries');
  }
  const got = await outbox.rows('SELECT webhook_id FROM webhook_deliveries WHERE event_id = $1', result);
  expect(got.map(({ webhook_id }) => webhook_id).sort()).toEqual(ids.sort());
});

test('five days without a delivery and a failure on each disable, fewer do not; old rows go', async () => {
  const failed = async (days: readonly number[]) => {
    const id = await outbox.webhook({ created_at: new Date(nowMs - 9 * DAY) });
    for (const day of days)
      await outbox.rows('INSERT INTO webhook_failures VALUES ($1, $2)', id, new Date(nowMs - (day + 0.5) * DAY));
    return id;
  };
  const dead = await failed([0, 1, 2, 3, 4]);
  const rare = await failed([0, 1, 3, 4, 6]);
  const alive = await failed([0, 1, 2, 3, 4]);
  await outbox.rows(
    'UPDATE webhooks SET last_delivery_at = $2 WHERE webhook_id = $1',
    alive,
    new Date(nowMs - 4 * DAY),
  );
  const young = await failed([0, 1, 2, 3, 4]);
  await outbox.rows('UPDATE webhooks SET created_at = $2 WHERE webhook_id = $1', young, new Date(nowMs - 4 * DAY));
  expect(await deliveries.failing(now())).toEqual([dead]);
  for (const [kind, days] of [
    ['odds.change', 2],
    ['odds.change', 4],
    ['race.result', 4],
    ['race.result', 31],
  ] as const)
    await outbox.rows(
      `INSERT INTO webhook_deliveries (webhook_id, event_id, kind, status, created_at, settled_at) VALUES ($1, $2, $3, 'failed', $4, $4)`,
      rare,
      `evt_${kind}${days}`,
      kind,
      new Date(nowMs - days * DAY),
    );
  // Two deliveries, and the hour before six days.
  expect(await deliveries.prune(now())).toBe(3);
  expect(await outbox.rows('SELECT event_id FROM webhook_deliveries ORDER BY event_id')).toEqual([
    { event_id: 'evt_odds.change2' },
    { event_id: 'evt_race.result4' },
  ]);
});
