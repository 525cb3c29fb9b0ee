// Which deliveries workers may post at the same moment, as rows: in which order, how many per endpoint, and whose.
import { newRace } from '../../support/webhooks/outbox';
import { deliveriesLab, MINUTE } from './deliveries-lab';

const lab = deliveriesLab();
const { outbox, now, fanOut, claim, claimed, again, end, statuses } = lab;

test('the first attempts for one race keep their order at each endpoint, and a retry blocks nothing', async () => {
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
  await end(atSlow!, 'retrying', { dueAt: new Date(lab.nowMs + 5000).toISOString() });
  // One at a time while it fails: its other race is still in progress.
  expect(await claimed()).toEqual([]);
  await end(begun.find((one) => one.webhookId === slow && one.eventId === elsewhere)!, 'delivered');
  expect((await claimed()).map(({ webhookId, eventId }) => [webhookId, eventId])).toEqual([[slow, second]]);
});

const TEST = `INSERT INTO webhook_deliveries (webhook_id, event_id, kind, test, body) VALUES ($1, $2, 'odds.change', true, '{}')`;

test('at most four deliveries of an endpoint are leased, one of them reserved for a waiting test or later attempt', async () => {
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
  lab.nowMs += 1000;
  // Three are in progress: one test fits, and then nothing more.
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

test('a worker leases fewer deliveries ahead the longer its endpoint takes', async () => {
  const ahead = async (pace: number | null) =>
    (await outbox.rows<{ n: number }>('SELECT leased_ahead($1) AS n', pace))[0]!.n;
  const leases = [];
  for (let pace = 0; pace <= 1000; pace += 20) leases.push(await ahead(pace));
  expect([leases[0], leases.at(-1), await ahead(null)]).toEqual([16, 4, 4]);
  // Twenty milliseconds more never cost more than a quarter.
  for (const [i, one] of leases.entries()) expect(one).toBeGreaterThanOrEqual(0.75 * leases[Math.max(0, i - 1)]!);
  for (const [i, one] of leases.entries()) expect(one).toBeLessThanOrEqual(leases[Math.max(0, i - 1)]!);
  // Four such posts at once, and no more than half a second's.
  for (const [i, one] of leases.entries()) expect((one / 4) * i * 20).toBeLessThanOrEqual(Math.max(560, i * 20));
});

test('one of two workers at an endpoint takes its deliveries, and the other takes over when the first stops', async () => {
  await outbox.webhook({ pace_ms: 100 });
  for (let n = 0; n < 60; n++) await outbox.event('race.result', newRace());
  await fanOut();
  const one = (await claim({ worker: 'one', most: 2 })).claimed;
  // As many as the first, which started before the other had anything.
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
  // A dead one does not block the endpoint for others for long.
  await outbox.rows('DELETE FROM webhook_leases WHERE ctid NOT IN (SELECT ctid FROM webhook_leases LIMIT 1)');
  expect((await claim({ worker: 'other' })).claimed).toEqual([]);
  await outbox.rows("UPDATE webhook_leases SET leased_until = leased_until - interval '3 s'");
  expect((await claim({ worker: 'other' })).claimed).toHaveLength(3);
});

test('a single worker leases ahead at a working endpoint, unless a test or a later attempt waits', async () => {
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
  await Promise.all(ahead.slice(3).map((one) => lab.deliveries.giveBack(one, now())));
  const tests = (await claim({ worker: 'other' })).claimed;
  expect(tests.map(({ test }) => test)).toEqual([true]);
  await end(ahead[0]!, 'retrying', { dueAt: now() });
  await Promise.all(ahead.slice(1, 3).map((one) => lab.deliveries.giveBack(one, now())));
  await end(tests[0]!, 'delivered');
  expect(await outbox.rows('SELECT 1 FROM webhook_leases')).toEqual([]);
  // It failed: the next worker gets one, at its first attempt, beside the test that waited and one later attempt. What
  // is claimed at once has no order.
  const next = [...(await claim({ worker: 'other' })).claimed, ...(await again())];
  expect(next.map(({ test, attempt }) => `${test ? 'test' : 'event'} ${attempt}`).sort()).toEqual([
    'event 1',
    'event 2',
    'test 1',
  ]);
  for (const one of next) await end(one, 'delivered');
  expect((await claim({ worker: 'one' })).claimed.length).toBeGreaterThan(8);
});

test('a delivery leased ahead ends if it was superseded or cancelled meanwhile, and is given back only once', async () => {
  const id = await outbox.webhook({ pace_ms: 10, events: ['odds.change'] });
  const race = newRace();
  const other = newRace();
  const first = await outbox.event('odds.change', race);
  await outbox.event('odds.change', other);
  await fanOut();
  const [old, only] = [...(await claimed())].sort((one) => (one.eventId === first ? -1 : 1));
  const newest = await outbox.event('odds.change', race);
  expect(await fanOut()).toMatchObject({ superseded: 0 });
  for (const one of [old!, only!, only!]) await lab.deliveries.giveBack(one, now());
  expect(await outbox.rows('SELECT 1 FROM webhook_attempts')).toEqual([]);
  const [{ status, error, attempt_count: attempts } = {}] = await outbox.rows(
    'SELECT status, error, attempt_count FROM webhook_deliveries WHERE delivery_id = $1',
    old!.deliveryId,
  );
  expect([status, error, attempts]).toEqual(['cancelled', 'Superseded by a newer price.', 0]);
  const again = await claimed();
  expect(again.map(({ eventId }) => eventId).sort()).toEqual([newest, only!.eventId].sort());
  expect(again.map(({ attempt }) => attempt)).toEqual([1, 1]);
  // A delivery cancelled while leased stays cancelled, whether it is given back or ends.
  await outbox.rows("UPDATE webhook_deliveries SET status = 'cancelled', settled_at = now() WHERE webhook_id = $1", id);
  await lab.deliveries.giveBack(again[0]!, now());
  expect(await end(again[1]!, 'retrying', { dueAt: now() })).toBe(false);
  expect([...new Set(await statuses())]).toEqual(['cancelled']);
  expect(await outbox.rows('SELECT 1 FROM webhook_queue')).toEqual([]);
});

test('a slow or failing endpoint takes no other’s turn, and replays come last', async () => {
  const slow = await outbox.webhook({ slow_until: new Date(lab.nowMs + MINUTE) });
  const failing = await outbox.webhook({ failure_count: 3 });
  const fine = await outbox.webhook();
  for (let n = 0; n < 4; n++) await outbox.event('race.result', newRace());
  await fanOut();
  await outbox.rows(
    `INSERT INTO webhook_deliveries (webhook_id, event_id, kind, replay_of)
     SELECT webhook_id, event_id, kind, delivery_id FROM webhook_deliveries WHERE webhook_id = $1 LIMIT 1`,
    fine,
  );
  lab.nowMs += 1000;
  const first = await claimed(5);
  expect(first.map(({ webhookId, replay }) => [webhookId, replay]).sort()).toEqual(
    [[failing, false], ...Array.from({ length: 4 }, () => [fine, false])].sort(),
  );
  for (const one of first) await end(one, 'delivered');
  // A working endpoint has four turns again.
  const next = await claimed();
  expect(next.filter(({ webhookId }) => webhookId === failing)).toHaveLength(3);
  expect(next.filter(({ replay }) => replay)).toHaveLength(1);
  lab.nowMs += MINUTE;
  expect((await claimed()).map(({ webhookId }) => webhookId)).toEqual([slow, slow, slow, slow]);
});

test('a success after more than five seconds counts as failing for claims, until a quick one', async () => {
  await outbox.webhook();
  for (let n = 0; n < 9; n++) await outbox.event('race.result', newRace());
  await fanOut();
  for (const one of await claimed()) await end(one, 'delivered', { durationMs: 5001 });
  const [only, ...more] = await claimed();
  expect([only!.failing, more]).toEqual([true, []]);
  await end(only!, 'delivered', { durationMs: 900 });
  expect((await claimed()).map(({ failing }) => failing)).toEqual([false, false, false, false]);
});

test('failing endpoints get no more than their share, and a round looks at every endpoint', async () => {
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
