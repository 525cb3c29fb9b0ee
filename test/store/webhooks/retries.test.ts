// Who makes the later attempts of a delivery, and when, as rows: lanes, workflows, and interrupted attempts.
import { newRace } from '../../support/webhooks/outbox';
import { deliveriesLab, MINUTE } from './deliveries-lab';

const lab = deliveriesLab();
const { outbox, now, fanOut, claimed, again, end, endLeases, statuses, handOver, take } = lab;

test('a failing or slow endpoint has one workflow retry at a time; the more are due, the longer the others wait, blocking no row', async () => {
  await outbox.webhook();
  for (let n = 0; n < 4; n++) await outbox.event('race.result', newRace());
  await fanOut();
  const begun = await claimed();
  for (const one of begun) await end(one, 'retrying', { dueAt: now() });
  await handOver(...begun);
  const wait = (seconds: number) => ({ kind: 'wait', until: new Date(lab.nowMs + seconds * 1000).toISOString() });
  expect(await take(begun[0]!)).toMatchObject({ kind: 'taken', delivery: { attempt: 2 } });
  expect(await take(begun[1]!)).toEqual(wait(5 + 0.5 * 4 * 10));
  await outbox.rows('UPDATE webhooks SET failure_count = 0, lagging = true');
  expect(await take(begun[1]!)).toMatchObject({ kind: 'wait' });
  await outbox.rows('UPDATE webhooks SET lagging = false');
  const other = await lab.db.pool.connect();
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

test('later attempts of failing endpoints leave room for others, and each of them gets its turn', async () => {
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

test('an interrupted attempt does not count among the three that lanes make', async () => {
  await outbox.webhook();
  await outbox.event('race.result', newRace());
  await fanOut();
  await claimed();
  await endLeases();
  await lab.deliveries.tidy(now());
  let [one] = await claimed();
  for (const [attempt, rank] of [
    [2, 4],
    [3, 4],
    [4, 3],
  ]) {
    expect([one!.attempt, one!.cutOff]).toEqual([attempt, 1]);
    await end(one!, 'retrying', { dueAt: new Date(++lab.nowMs).toISOString() });
    expect(await outbox.rows('SELECT rank FROM webhook_queue')).toEqual([{ rank }]);
    [one] = await again();
  }
});

test('at a failing endpoint the lanes and a workflow make one attempt each', async () => {
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

test('lanes make the second and third attempts and a workflow the others; neither takes the other’s attempts', async () => {
  await outbox.webhook();
  await outbox.event('race.result', newRace());
  await fanOut();
  let [one] = await claimed();
  for (const attempt of [2, 3]) {
    expect(await end(one!, 'retrying', { dueAt: new Date(lab.nowMs + MINUTE).toISOString() })).toBe(true);
    expect(await again()).toEqual([]);
    lab.nowMs += MINUTE;
    // A workflow of the previous release looks, waits for the lanes, and is not late.
    expect(await take(one!)).toEqual({ kind: 'wait', until: new Date(lab.nowMs + MINUTE).toISOString() });
    expect(await claimed()).toEqual([]);
    const both = (await Promise.all([again(), again()])).flat();
    expect(both.map((taken) => [taken.attempt, taken.again])).toEqual([[attempt, true]]);
    [one] = both;
    // It is interrupted: the lanes repeat it.
    if (attempt === 2) {
      await endLeases();
      expect(await lab.deliveries.tidy(now())).toEqual({ freed: 1, expired: 0 });
      [one] = await again();
      expect([one!.attempt, one!.cutOff]).toEqual([3, 1]);
      await outbox.rows('UPDATE webhook_queue SET attempt_count = 2, leased_until = NULL');
      await outbox.rows('DELETE FROM webhook_attempts WHERE attempt = 3');
      await outbox.rows('DELETE FROM webhook_leases');
      one = { ...one!, attempt: 2 };
    }
  }
  await end(one!, 'retrying', { dueAt: new Date(lab.nowMs + MINUTE).toISOString() });
  lab.nowMs += MINUTE;
  expect(await again()).toEqual([]);
  expect(await take(one!)).toMatchObject({ kind: 'taken', delivery: { attempt: 4, again: true } });
});

test('a delivery that a workflow of the previous release carries stays with it to its end', async () => {
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

test('a delivery is late after two minutes if it is not in progress and no workflow has looked at it', async () => {
  await outbox.webhook();
  for (let n = 0; n < 4; n++) await outbox.event('race.result', newRace());
  await fanOut();
  const [first, second, third, fourth] = await claimed();
  for (const one of [first!, second!, third!]) await end(one, 'retrying', { dueAt: now() });
  await handOver(first!, second!);
  const late = async () => (await lab.deliveries.late(now(), 10)).map(({ deliveryId }) => deliveryId);
  lab.nowMs += 119_000;
  expect(await late()).toEqual([]);
  lab.nowMs += 2000;
  expect((await late()).sort()).toEqual([first!.deliveryId, second!.deliveryId].sort());
  expect(await lab.deliveries.late(now(), 1)).toHaveLength(1);
  // One is taken, and the other finds no room and gets the time to look again.
  expect(await take(first!)).toMatchObject({ kind: 'taken' });
  expect(await take(second!)).toMatchObject({ kind: 'wait' });
  expect(await late()).toEqual([]);
  lab.nowMs += 10 * MINUTE;
  expect(await late()).toEqual([second!.deliveryId]);
  expect(fourth).toBeDefined();
  const plan = await outbox.rows<{ 'QUERY PLAN': string }>(
    `EXPLAIN SELECT FROM webhook_queue WHERE rank = 3 AND greatest(due_at, looks_at) < now() ORDER BY greatest(due_at, looks_at) LIMIT 10`,
  );
  expect(plan.map((row) => row['QUERY PLAN']).join()).toContain('webhook_queue_late');
});

test('an attempt whose lease expired is repeated; its late end counts only if it delivered', async () => {
  await outbox.webhook();
  await outbox.event('race.result', newRace());
  await fanOut();
  const [lost] = await claimed();
  await endLeases();
  expect(await lab.deliveries.tidy(now())).toEqual({ freed: 1, expired: 0 });
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
