// What becomes of events on their way to webhooks, as rows: who gets what, in which order it may be posted, how much at
// once, and what ends it.
import type { Pool } from 'pg';
import { eventBody } from '../../../src/domain/events/event';
import type { Claimed } from '../../../src/store/webhooks/claims';
import { createDeliveryStore, type DeliveryStore } from '../../../src/store/webhooks/deliveries';
import type { Settled } from '../../../src/store/webhooks/settle';
import { createWebhookStore, type WebhookFilters } from '../../../src/store/webhooks/webhooks';
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
    'TRUNCATE events, event_sequences, webhooks, webhook_deliveries, webhook_queue, webhook_leases, webhook_attempts, webhook_failures',
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
const again = async (most = 100, failing = 100): Promise<readonly Claimed[]> =>
  (await deliveries.claimRetries({ after: '', endpoints: 100, most, failing, plans: PLANS, now: now() })).claimed;
const end = (one: Claimed, status: Settled['status'], more: Partial<Settled> = {}): Promise<boolean> =>
  deliveries.settle({
    deliveryId: one.deliveryId,
    webhookId: one.webhookId,
    url: one.url,
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
  for (const table of ['webhook_queue', 'webhook_leases'])
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
  const thin = await outbox.event('arb.opportunity', null, { category: 'afl', facts: { edge_pct: 1.9 } });
  const wide = await outbox.event('arb.opportunity', null, { category: 'afl', facts: { edge_pct: 2 } });
  const own = await outbox.event('backfill.completed', null, { account_id: owner });
  const open = await outbox.event('race.odds_open', race);
  expect(await fanOut()).toEqual({ events: 6, made: 13, offered: 13, superseded: 0 });
  const got = async (id: string) =>
    (await outbox.rows('SELECT event_id FROM webhook_deliveries WHERE webhook_id = $1 ORDER BY written', id)).map(
      ({ event_id }) => event_id,
    );
  expect(await got(all)).toEqual([result, dogResult, thin, wide, open]);
  expect(await got(kinds)).toEqual([result, dogResult, wide]);
  // A racing filter means racing only.
  expect(await got(dogs)).toEqual([dogResult, own]);
  expect(await got(nz)).toEqual([dogResult]);
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

const TEST = `INSERT INTO webhook_deliveries (webhook_id, event_id, kind, test, body) VALUES ($1, $2, 'odds.change', true, '{}')`;

test('at most four are leased of an endpoint, whoever claims; one of them is for a test or a later attempt that waits', async () => {
  const id = await outbox.webhook();
  const other = await outbox.webhook();
  for (let n = 0; n < 8; n++) await outbox.event('race.result', newRace());
  await fanOut();
  const both = await Promise.all([claimed(), claimed()]);
  const begun = both.flat().filter(({ webhookId }) => webhookId === id);
  expect(begun).toHaveLength(4);
  expect(new Set(both.flat().map(({ deliveryId }) => deliveryId)).size).toBe(8);
  expect(await outbox.rows('SELECT delivery_id FROM webhook_attempts')).toHaveLength(8);
  await end(begun[0]!, 'retrying', { dueAt: now() });
  await outbox.rows('UPDATE webhooks SET failure_count = 0');
  for (let n = 0; n < 3; n++) await outbox.rows(TEST, id, `evt_${n}`);
  nowMs += 1000;
  // Three are under way: one test fits, and then nothing more.
  expect((await claimed()).map(({ test, webhookId }) => [test, webhookId])).toEqual([[true, id]]);
  expect(await again()).toEqual([]);
  await end(begun[1]!, 'delivered');
  expect(await again()).toMatchObject([
    {
      attempt: 2,
      again: true,
      body: expect.stringContaining('race.result'),
      secrets: [expect.stringMatching(/^whsec_/)],
    },
  ]);
  expect((await claimed()).filter(({ webhookId }) => webhookId !== other)).toEqual([]);
});

test('what one worker leases ahead falls as its endpoint takes longer, without a step; what is given back is as before', async () => {
  const ahead = async (pace: number | null) =>
    (await outbox.rows<{ n: number }>('SELECT leased_ahead($1) AS n', pace))[0]!.n;
  const leases = [];
  for (let pace = 0; pace <= 1000; pace += 20) leases.push(await ahead(pace));
  expect([leases[0], leases.at(-1), await ahead(null)]).toEqual([16, 4, 4]);
  // Twenty milliseconds more never cost more than the fourth part.
  for (const [i, one] of leases.entries()) expect(one).toBeGreaterThanOrEqual(0.75 * leases[Math.max(0, i - 1)]!);
  for (const [i, one] of leases.entries()) expect(one).toBeLessThanOrEqual(leases[Math.max(0, i - 1)]!);
  // Four such posts at once, and no more than half a second's.
  for (const [i, one] of leases.entries()) expect((one / 4) * i * 20).toBeLessThanOrEqual(Math.max(560, i * 20));
});

test('two workers that meet at an endpoint leave it to one of them, and to the other when that one takes no more', async () => {
  await outbox.webhook({ pace_ms: 100 });
  for (let n = 0; n < 60; n++) await outbox.event('race.result', newRace());
  await fanOut();
  const one = (await claim({ worker: 'one', most: 2 })).claimed;
  // As many as the first, which began before there was anything of the other.
  await outbox.rows(
    `WITH two AS (SELECT delivery_id FROM webhook_queue WHERE leased_until IS NULL LIMIT 2),
          q AS (UPDATE webhook_queue SET leased_until = now() + interval '40 s', attempt_count = 1 WHERE delivery_id IN (SELECT delivery_id FROM two) RETURNING *)
     INSERT INTO webhook_leases SELECT delivery_id, 1, webhook_id, leased_until, 'other' FROM q`,
  );
  expect(one).toHaveLength(2);
  expect((await claim({ worker: 'other' })).claimed).toEqual([]);
  const [held] = await outbox.rows<{ one: number; other: number }>(
    `SELECT (count(*) FILTER (WHERE worker = 'one'))::integer AS one, (count(*) FILTER (WHERE worker = 'other'))::integer AS other FROM webhook_leases`,
  );
  // Its id comes first.
  expect(held).toEqual({ one: 2, other: 2 });
  await outbox.rows("DELETE FROM webhook_leases WHERE worker = 'other'");
  expect((await claim({ worker: 'one' })).claimed).toHaveLength(14);
  expect((await claim({ worker: 'other' })).claimed).toEqual([]);
  // A dead one keeps the endpoint from no other for long.
  await outbox.rows('DELETE FROM webhook_leases WHERE ctid NOT IN (SELECT ctid FROM webhook_leases LIMIT 1)');
  expect((await claim({ worker: 'other' })).claimed).toEqual([]);
  await outbox.rows("UPDATE webhook_leases SET leased_until = leased_until - interval '3 s'");
  expect((await claim({ worker: 'other' })).claimed).toHaveLength(3);
});

test('of an endpoint that delivers one worker leases ahead, and no more while a test or a later attempt waits', async () => {
  const id = await outbox.webhook();
  for (let n = 0; n < 30; n++) await outbox.event('race.result', newRace());
  await fanOut();
  for (const one of (await claim({ worker: 'one' })).claimed) await end(one, 'delivered', { durationMs: 160 });
  const ahead = (await claim({ worker: 'one' })).claimed;
  expect(ahead.length).toBeGreaterThan(8);
  expect((await claim({ worker: 'other' })).claimed).toEqual([]);
  expect((await claim({ worker: 'one' })).claimed).toEqual([]);
  for (let n = 0; n < 2; n++) await outbox.rows(TEST, id, `evt_${n}`);
  // Four of these may be in flight.
  expect((await claim({ worker: 'other' })).claimed).toEqual([]);
  await Promise.all(ahead.slice(3).map((one) => deliveries.giveBack(one, now())));
  const tests = (await claim({ worker: 'other' })).claimed;
  expect(tests.map(({ test }) => test)).toEqual([true]);
  await end(ahead[0]!, 'retrying', { dueAt: now() });
  await Promise.all(ahead.slice(1, 3).map((one) => deliveries.giveBack(one, now())));
  await end(tests[0]!, 'delivered');
  expect(await outbox.rows('SELECT 1 FROM webhook_leases')).toEqual([]);
  // It failed: the next worker gets one, at its first attempt, beside the test that waited and one later attempt.
  const next = [...(await claim({ worker: 'other' })).claimed, ...(await again())];
  expect(next.map(({ test, attempt }) => [test, attempt])).toEqual([
    [true, 1],
    [false, 1],
    [false, 2],
  ]);
  for (const one of next) await end(one, 'delivered');
  expect((await claim({ worker: 'one' })).claimed.length).toBeGreaterThan(8);
});

test('what was leased ahead ends when it was superseded or cancelled meanwhile, and no earlier attempt is given back twice', async () => {
  const id = await outbox.webhook({ pace_ms: 10, events: ['odds.change'] });
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
  for (let n = 0; n < 4; n++) await outbox.event('race.result', newRace());
  await fanOut();
  await outbox.rows(
    `INSERT INTO webhook_deliveries (webhook_id, event_id, kind, replay_of)
     SELECT webhook_id, event_id, kind, delivery_id FROM webhook_deliveries WHERE webhook_id = $1 LIMIT 1`,
    fine,
  );
  nowMs += 1000;
  const first = await claimed(5);
  expect(first.map(({ webhookId, replay }) => [webhookId, replay]).sort()).toEqual(
    [[failing, false], ...Array.from({ length: 4 }, () => [fine, false])].sort(),
  );
  for (const one of first) await end(one, 'delivered');
  // What delivers has four turns again.
  const next = await claimed();
  expect(next.filter(({ webhookId }) => webhookId === failing)).toHaveLength(3);
  expect(next.filter(({ replay }) => replay)).toHaveLength(1);
  nowMs += MINUTE;
  expect((await claimed()).map(({ webhookId }) => webhookId)).toEqual([slow, slow, slow, slow]);
});

/** To the workflow, as after its third attempt. */
const handOver = (...these: readonly Claimed[]) =>
  outbox.rows(
    'UPDATE webhook_queue SET rank = 3 WHERE delivery_id = ANY ($1)',
    these.map((one) => one.deliveryId),
  );
const take = (one: Claimed) => deliveries.takeRetry(one.deliveryId, PLANS, now(), 0.5);

test('of a failing or slow endpoint one retry of a workflow is under way; the others wait the longer the more are due, and for no row', async () => {
  await outbox.webhook();
  for (let n = 0; n < 4; n++) await outbox.event('race.result', newRace());
  await fanOut();
  const begun = await claimed();
  for (const one of begun) await end(one, 'retrying', { dueAt: now() });
  await handOver(...begun);
  const wait = (seconds: number) => ({ kind: 'wait', until: new Date(nowMs + seconds * 1000).toISOString() });
  expect(await take(begun[0]!)).toMatchObject({ kind: 'taken', delivery: { attempt: 2 } });
  expect(await take(begun[1]!)).toEqual(wait(5 + 0.5 * 4 * 10));
  await outbox.rows('UPDATE webhooks SET failure_count = 0, lagging = true');
  expect(await take(begun[1]!)).toMatchObject({ kind: 'wait' });
  await outbox.rows('UPDATE webhooks SET lagging = false');
  const other = await db.pool.connect();
  try {
    await other.query('BEGIN');
    await other.query('SELECT FROM webhook_queue WHERE delivery_id = $1 FOR UPDATE', [begun[1]!.deliveryId]);
    expect(await take(begun[1]!)).toEqual(wait(5));
    expect(await take(begun[2]!)).toMatchObject({ kind: 'taken' });
  } finally {
    await other.query('ROLLBACK');
    other.release();
  }
});

test('later attempts of failing endpoints leave room for the others, and each of them has its turn', async () => {
  for (let n = 0; n < 4; n++) await outbox.webhook();
  await outbox.event('race.result', newRace());
  await fanOut();
  for (const one of await claimed()) await end(one, 'retrying', { dueAt: now() });
  const [healthy] = await outbox.rows<{ id: string }>('SELECT max(webhook_id) AS id FROM webhooks');
  await outbox.rows('UPDATE webhooks SET failure_count = 0 WHERE webhook_id = $1', healthy!.id);
  const taken = await again(2, 1);
  expect(taken.map(({ failing }) => failing).sort()).toEqual([false, true]);
  expect(taken.find(({ failing }) => !failing)!.webhookId).toBe(healthy!.id);
  expect(await again(2, 0)).toEqual([]);
  const rest = [...(await again(2, 1)), ...(await again(2, 1))];
  expect(new Set([...taken, ...rest].map(({ webhookId }) => webhookId)).size).toBe(4);
});

test('an attempt that was cut off is none of the three that lanes make', async () => {
  await outbox.webhook();
  await outbox.event('race.result', newRace());
  await fanOut();
  await claimed();
  await endLeases();
  await deliveries.tidy(now());
  let [one] = await claimed();
  for (const [attempt, rank] of [
    [2, 4],
    [3, 4],
    [4, 3],
  ]) {
    expect([one!.attempt, one!.cutOff]).toEqual([attempt, 1]);
    await end(one!, 'retrying', { dueAt: new Date(++nowMs).toISOString() });
    expect(await outbox.rows('SELECT rank FROM webhook_queue')).toEqual([{ rank }]);
    [one] = await again();
  }
});

test('at a failing endpoint an attempt of the lanes and one of a workflow take no place of each other', async () => {
  await outbox.webhook();
  for (let n = 0; n < 4; n++) await outbox.event('race.result', newRace());
  await fanOut();
  const begun = await claimed();
  for (const one of begun) await end(one, 'retrying', { dueAt: now() });
  await handOver(...begun.slice(2));
  expect(await again()).toHaveLength(1);
  expect(await take(begun[2]!)).toMatchObject({ kind: 'taken' });
  expect(await take(begun[3]!)).toMatchObject({ kind: 'wait' });
  expect(await again()).toEqual([]);
  await outbox.rows('DELETE FROM webhook_leases');
  await outbox.rows('UPDATE webhook_queue SET leased_until = NULL');
  expect(await take(begun[2]!)).toMatchObject({ kind: 'taken' });
  expect((await Promise.all([again(), again()])).flat()).toHaveLength(1);
});

test('lanes make the second and third attempts, and a workflow the others; neither takes what is the other’s', async () => {
  await outbox.webhook();
  await outbox.event('race.result', newRace());
  await fanOut();
  let [one] = await claimed();
  for (const attempt of [2, 3]) {
    expect(await end(one!, 'retrying', { dueAt: new Date(nowMs + MINUTE).toISOString() })).toBe(true);
    expect(await again()).toEqual([]);
    nowMs += MINUTE;
    // A workflow of the release before looks, waits for the lanes, and is not late.
    expect(await take(one!)).toEqual({ kind: 'wait', until: new Date(nowMs + MINUTE).toISOString() });
    expect(await claimed()).toEqual([]);
    const both = (await Promise.all([again(), again()])).flat();
    expect(both.map((taken) => [taken.attempt, taken.again])).toEqual([[attempt, true]]);
    [one] = both;
    // It is cut off: the lanes make it again.
    if (attempt === 2) {
      await endLeases();
      expect(await deliveries.tidy(now())).toEqual({ freed: 1, expired: 0 });
      [one] = await again();
      expect([one!.attempt, one!.cutOff]).toEqual([3, 1]);
      await outbox.rows('UPDATE webhook_queue SET attempt_count = 2, leased_until = NULL');
      await outbox.rows('DELETE FROM webhook_attempts WHERE attempt = 3');
      await outbox.rows('DELETE FROM webhook_leases');
      one = { ...one!, attempt: 2 };
    }
  }
  await end(one!, 'retrying', { dueAt: new Date(nowMs + MINUTE).toISOString() });
  nowMs += MINUTE;
  expect(await again()).toEqual([]);
  expect(await take(one!)).toMatchObject({ kind: 'taken', delivery: { attempt: 4, again: true } });
});

test('a delivery that a workflow of the release before carries stays with it to its end', async () => {
  await outbox.webhook();
  await outbox.event('race.result', newRace());
  await fanOut();
  const [one] = await claimed();
  await end(one!, 'retrying', { dueAt: now() });
  await handOver(one!);
  expect(await again()).toEqual([]);
  const second = await take(one!);
  expect(second).toMatchObject({ kind: 'taken', delivery: { attempt: 2 } });
  await end({ ...one!, attempt: 2 }, 'retrying', { dueAt: now() });
  expect(await again()).toEqual([]);
  await endLeases();
  expect(await take(one!)).toMatchObject({ kind: 'taken', delivery: { attempt: 3 } });
});

test('late is what was due for two minutes, is not under way, and no workflow has looked at', async () => {
  await outbox.webhook();
  for (let n = 0; n < 4; n++) await outbox.event('race.result', newRace());
  await fanOut();
  const [first, second, third, fourth] = await claimed();
  for (const one of [first!, second!, third!]) await end(one, 'retrying', { dueAt: now() });
  await handOver(first!, second!);
  const late = async () => (await deliveries.late(now(), 10)).map(({ deliveryId }) => deliveryId);
  nowMs += 119_000;
  expect(await late()).toEqual([]);
  nowMs += 2000;
  expect((await late()).sort()).toEqual([first!.deliveryId, second!.deliveryId].sort());
  expect(await deliveries.late(now(), 1)).toHaveLength(1);
  // One is taken, and the other finds no room, which says when it looks again.
  expect(await take(first!)).toMatchObject({ kind: 'taken' });
  expect(await take(second!)).toMatchObject({ kind: 'wait' });
  expect(await late()).toEqual([]);
  nowMs += 10 * MINUTE;
  expect(await late()).toEqual([second!.deliveryId]);
  expect(fourth).toBeDefined();
  const plan = await outbox.rows<{ 'QUERY PLAN': string }>(
    `EXPLAIN SELECT FROM webhook_queue WHERE rank = 3 AND greatest(due_at, looks_at) < now() ORDER BY greatest(due_at, looks_at) LIMIT 10`,
  );
  expect(plan.map((row) => row['QUERY PLAN']).join()).toContain('webhook_queue_late');
});

test('a price move that gets a 410 a minute after another disables its webhook, unless it delivered between', async () => {
  const id = await outbox.webhook({ events: ['odds.change'] });
  const move = async () => {
    await outbox.event('odds.change', newRace());
    await fanOut();
    nowMs = Date.now();
    return (await claimed())[0]!;
  };
  const gone = { statusCode: 410, error: 'gone' };
  const first = await move();
  expect(first.goneBefore).toBe(false);
  await end(first, 'cancelled', gone);
  expect((await move()).goneBefore).toBe(false);
  await outbox.rows("UPDATE webhooks SET gone_since = gone_since - interval '1 minute' WHERE webhook_id = $1", id);
  await endLeases();
  await deliveries.tidy(now());
  const [third] = await claimed();
  expect(third!.goneBefore).toBe(true);
  await end(third!, 'delivered');
  const fourth = await move();
  expect(fourth.goneBefore).toBe(false);
});

const movedTo = async (id: string, url: string): Promise<void> => {
  const [row] = await outbox.rows<{ account_id: string }>('SELECT account_id FROM webhooks WHERE webhook_id = $1', id);
  const change = (stored: WebhookFilters & { paused: boolean }) => ({ ...stored, url, enable: false });
  await createWebhookStore(db.pool).update(row!.account_id, id, now(), change);
};
const NEW_URL = 'http://127.0.0.1:10/';
const GONE = { statusCode: 410, error: 'gone' };

test('a late answer of the URL before changes nothing of a webhook that has another; one of its own does', async () => {
  const id = await outbox.webhook({ pace_ms: 40, last_delivery_at: new Date(nowMs) });
  for (let n = 0; n < 3; n++) await outbox.event('race.result', newRace());
  await fanOut();
  const [one, two, three] = await claimed();
  await movedTo(id, NEW_URL);
  const hook = async () =>
    (
      await outbox.rows(
        'SELECT slow_until, failure_count, lagging, pace_ms, gone_since, disabled_reason FROM webhooks WHERE webhook_id = $1',
        id,
      )
    )[0];
  const fresh = {
    slow_until: null,
    failure_count: 0,
    lagging: false,
    pace_ms: null,
    gone_since: null,
    disabled_reason: null,
  };
  expect(await hook()).toEqual(fresh);
  const slowUntil = new Date(nowMs + DAY).toISOString();
  const dueAt = now();
  expect(await end(one!, 'retrying', { ...GONE, slowUntil, dueAt })).toBe(true);
  expect(await end(two!, 'delivered', { durationMs: 9000 })).toBe(true);
  expect(await deliveries.disable(id, 'gone', now(), one!.url)).toBe(false);
  expect(await hook()).toEqual(fresh);
  expect(await outbox.rows('SELECT FROM webhook_failures')).toEqual([]);
  // Both URLs in one burst.
  const [again1] = await again();
  expect([again1!.url, again1!.goneBefore]).toEqual([NEW_URL, false]);
  await Promise.all([
    end(three!, 'retrying', { slowUntil, dueAt: slowUntil }),
    end(again1!, 'retrying', { ...GONE, dueAt }),
  ]);
  expect(await hook()).toMatchObject({ slow_until: null, failure_count: 1, gone_since: new Date(nowMs).toISOString() });
  expect((await again())[0]!.goneBefore).toBe(true);
  expect(await deliveries.disable(id, 'gone', now(), NEW_URL)).toBe(true);
});

test('a new URL begins without the failures of the one before: neither they nor its 410s count', async () => {
  const failing = { created_at: new Date(nowMs - 9 * DAY), failure_count: 7, lagging: true, gone_since: new Date(0) };
  const id = await outbox.webhook(failing);
  for (const day of [0, 1, 2, 3, 4])
    await outbox.rows('INSERT INTO webhook_failures VALUES ($1, $2)', id, new Date(nowMs - (day + 0.5) * DAY));
  await outbox.event('race.result', newRace());
  await fanOut();
  const [one] = await claimed();
  await end(one!, 'retrying', { ...GONE, dueAt: now() });
  expect(await deliveries.failing(now())).toEqual([id]);
  await movedTo(id, NEW_URL);
  expect(await deliveries.failing(now())).toEqual([]);
  await outbox.event('odds.change', newRace());
  await fanOut();
  for (const first of [...(await again()), ...(await claimed())])
    expect([first.url, first.goneBefore, first.attempt === 1 && first.failing]).toEqual([NEW_URL, false, false]);
  await endLeases();
  await deliveries.tidy(now());
  await handOver(one!);
  expect(await take(one!)).toMatchObject({ kind: 'taken', delivery: { goneBefore: false } });
});

test('a success after more than five seconds counts as failing for claims, until one is quick', async () => {
  await outbox.webhook();
  for (let n = 0; n < 9; n++) await outbox.event('race.result', newRace());
  await fanOut();
  for (const one of await claimed()) await end(one, 'delivered', { durationMs: 5001 });
  const [only, ...more] = await claimed();
  expect([only!.failing, more]).toEqual([true, []]);
  await end(only!, 'delivered', { durationMs: 900 });
  expect((await claimed()).map(({ failing }) => failing)).toEqual([false, false, false, false]);
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
  expect(await again()).toEqual([]);
  expect(await take(one!)).toEqual({ kind: 'ended', status: 'cancelled' });
  expect(await take(two!)).toEqual({ kind: 'ended', status: 'pending' });
  expect(await deliveries.disable(gone, 'gone', now())).toBe(true);
  expect(await deliveries.disable(gone, 'gone', now())).toBe(false);
  expect(await claimed()).toEqual([]);
  const open = await outbox.rows('SELECT webhook_id, leased_until IS NULL AS free FROM webhook_queue');
  // What is under way goes on to its end.
  expect(open.filter(({ free }) => free)).toEqual([]);
  expect(open).toHaveLength(7);
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
  // They are in no day that was made.
  expect(await deliveries.deleteStrays(now())).toBe(2);
  expect(await deliveries.deleteStrays(now())).toBe(0);
  await deliveries.forget(now());
  expect(await outbox.rows('SELECT FROM webhook_failures WHERE webhook_id = $1', rare)).toHaveLength(4);
  expect(await outbox.rows('SELECT event_id FROM webhook_deliveries ORDER BY event_id')).toEqual([
    { event_id: 'evt_odds.change2' },
    { event_id: 'evt_race.result4' },
  ]);
});
