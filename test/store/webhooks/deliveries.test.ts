// What ends deliveries and disables webhooks, as rows.
import { createWebhookStore, type WebhookFilters } from '../../../src/store/webhooks/webhooks';
import { newRace } from '../../support/webhooks/outbox';
import { DAY, deliveriesLab } from './deliveries-lab';

const lab = deliveriesLab();
const { outbox, now, fanOut, claimed, again, end, endLeases, handOver, take } = lab;

test('a price move that gets a 410 a minute after another disables its webhook, unless a delivery succeeded in between', async () => {
  const id = await outbox.webhook({ events: ['odds.change'] });
  const move = async () => {
    await outbox.event('odds.change', newRace());
    await fanOut();
    lab.nowMs = Date.now();
    return (await claimed())[0]!;
  };
  const gone = { statusCode: 410, error: 'gone' };
  const first = await move();
  expect(first.goneBefore).toBe(false);
  await end(first, 'cancelled', gone);
  expect((await move()).goneBefore).toBe(false);
  await outbox.rows("UPDATE webhooks SET gone_since = gone_since - interval '1 minute' WHERE webhook_id = $1", id);
  await endLeases();
  await lab.deliveries.tidy(now());
  const [third] = await claimed();
  expect(third!.goneBefore).toBe(true);
  await end(third!, 'delivered');
  const fourth = await move();
  expect(fourth.goneBefore).toBe(false);
});

const movedTo = async (id: string, url: string): Promise<void> => {
  const [row] = await outbox.rows<{ account_id: string }>('SELECT account_id FROM webhooks WHERE webhook_id = $1', id);
  const change = (stored: WebhookFilters & { paused: boolean }) => ({ ...stored, url, enable: false });
  await createWebhookStore(lab.db.pool).update(row!.account_id, id, now(), change);
};
const NEW_URL = 'http://127.0.0.1:10/';
const GONE = { statusCode: 410, error: 'gone' };

test('a late answer of the previous URL does not change the webhook; an answer of its own URL does', async () => {
  const id = await outbox.webhook({ pace_ms: 40, last_delivery_at: new Date(lab.nowMs) });
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
  const slowUntil = new Date(lab.nowMs + DAY).toISOString();
  const dueAt = now();
  expect(await end(one!, 'retrying', { ...GONE, slowUntil, dueAt })).toBe(true);
  expect(await end(two!, 'delivered', { durationMs: 9000 })).toBe(true);
  expect(await lab.deliveries.disable(id, 'gone', now(), one!.url)).toBe(false);
  expect(await hook()).toEqual(fresh);
  expect(await outbox.rows('SELECT FROM webhook_failures')).toEqual([]);
  // Both URLs in one burst.
  const [again1] = await again();
  expect([again1!.url, again1!.goneBefore]).toEqual([NEW_URL, false]);
  await Promise.all([
    end(three!, 'retrying', { slowUntil, dueAt: slowUntil }),
    end(again1!, 'retrying', { ...GONE, dueAt }),
  ]);
  expect(await hook()).toMatchObject({
    slow_until: null,
    failure_count: 1,
    gone_since: new Date(lab.nowMs).toISOString(),
  });
  expect((await again())[0]!.goneBefore).toBe(true);
  expect(await lab.deliveries.disable(id, 'gone', now(), NEW_URL)).toBe(true);
});

test('a new URL starts without the failures and 410s of the previous one', async () => {
  const failing = {
    created_at: new Date(lab.nowMs - 9 * DAY),
    failure_count: 7,
    lagging: true,
    gone_since: new Date(0),
  };
  const id = await outbox.webhook(failing);
  for (const day of [0, 1, 2, 3, 4])
    await outbox.rows('INSERT INTO webhook_failures VALUES ($1, $2)', id, new Date(lab.nowMs - (day + 0.5) * DAY));
  await outbox.event('race.result', newRace());
  await fanOut();
  const [one] = await claimed();
  await end(one!, 'retrying', { ...GONE, dueAt: now() });
  expect(await lab.deliveries.failing(now())).toEqual([id]);
  await movedTo(id, NEW_URL);
  expect(await lab.deliveries.failing(now())).toEqual([]);
  await outbox.event('odds.change', newRace());
  await fanOut();
  for (const first of [...(await again()), ...(await claimed())])
    expect([first.url, first.goneBefore, first.attempt === 1 && first.failing]).toEqual([NEW_URL, false, false]);
  await endLeases();
  await lab.deliveries.tidy(now());
  await handOver(one!);
  expect(await take(one!)).toMatchObject({ kind: 'taken', delivery: { goneBefore: false } });
});

test('a webhook that is deleted, paused or not in its plan ends its pending and retried deliveries', async () => {
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
  expect(await lab.deliveries.disable(gone, 'gone', now())).toBe(true);
  expect(await lab.deliveries.disable(gone, 'gone', now())).toBe(false);
  expect(await claimed()).toEqual([]);
  const open = await outbox.rows('SELECT webhook_id, leased_until IS NULL AS free FROM webhook_queue');
  // Attempts in progress continue to their end.
  expect(open.filter(({ free }) => free)).toEqual([]);
  expect(open).toHaveLength(7);
  // A test that was called while its webhook was deleted.
  const test = `INSERT INTO webhook_deliveries (webhook_id, event_id, kind, test, body) VALUES ($1, 'evt_t', 'odds.change', true, '{}')`;
  await outbox.rows('UPDATE webhooks SET deleted_at = now() WHERE webhook_id = $1', gone);
  await outbox.rows(test, gone);
  expect(await claimed()).toEqual([]);
  expect(await outbox.rows('SELECT status FROM webhook_deliveries WHERE test')).toEqual([{ status: 'cancelled' }]);
});

test('five days, each with a failure and no delivery, disable a webhook, fewer do not; old rows are deleted', async () => {
  const failed = async (days: readonly number[]) => {
    const id = await outbox.webhook({ created_at: new Date(lab.nowMs - 9 * DAY) });
    for (const day of days)
      await outbox.rows('INSERT INTO webhook_failures VALUES ($1, $2)', id, new Date(lab.nowMs - (day + 0.5) * DAY));
    return id;
  };
  const dead = await failed([0, 1, 2, 3, 4]);
  const rare = await failed([0, 1, 3, 4, 6]);
  const alive = await failed([0, 1, 2, 3, 4]);
  await outbox.rows(
    'UPDATE webhooks SET last_delivery_at = $2 WHERE webhook_id = $1',
    alive,
    new Date(lab.nowMs - 4 * DAY),
  );
  const young = await failed([0, 1, 2, 3, 4]);
  await outbox.rows('UPDATE webhooks SET created_at = $2 WHERE webhook_id = $1', young, new Date(lab.nowMs - 4 * DAY));
  expect(await lab.deliveries.failing(now())).toEqual([dead]);
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
      new Date(lab.nowMs - days * DAY),
    );
  // They are outside any existing day.
  expect(await lab.deliveries.deleteStrays(now())).toBe(2);
  expect(await lab.deliveries.deleteStrays(now())).toBe(0);
  await lab.deliveries.forget(now());
  expect(await outbox.rows('SELECT FROM webhook_failures WHERE webhook_id = $1', rare)).toHaveLength(4);
  expect(await outbox.rows('SELECT event_id FROM webhook_deliveries ORDER BY event_id')).toEqual([
    { event_id: 'evt_odds.change2' },
    { event_id: 'evt_race.result4' },
  ]);
});
