// D57 over real HTTP: what an owner can read about deliveries and replays. The last test has lanes and a receiver.
import { randomUUID } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { createDeliveryStore } from '../../../../src/store/webhooks/deliveries';
import { NOW } from '../../../support/api/api';
import { followed } from '../../../support/api/next-link';
import { PATIENT_MS } from '../../../support/patient';
import { poolAs } from '../../../support/servers/roles';
import { waitFor } from '../../../support/servers/service';
import { openOutbox } from '../../../support/webhooks/outbox';
import { createTestSender, fanOutAll, openLanes } from '../../../support/webhooks/posting';
import { startReceiver } from '../../../support/webhooks/receiver';
import { after, DAY_MS, ownedWebhooks } from './owned-webhooks';
import { PATH } from './webhook-owner';

const lab = ownedWebhooks();
const { settings, db, send, ok, refused, create, list, plus, delivered, rowsOf } = lab;

describe('deliveries', () => {
  test('are listed a page at a time, newest first, with what was sent and each attempt', async () => {
    const key = await plus();
    const { id } = await create(key);
    const ids = await delivered(id, {}, { status: 'failed' }, { kind: 'odds.change', status: 'cancelled' });
    const attempts = `
      INSERT INTO webhook_attempts (delivery_id, attempt, started_at, duration_ms, status_code, error)
      VALUES ($1, 2, $2::timestamptz + interval '5 s', NULL, NULL, NULL), ($1, 1, $2, 35, 500, 'The receiver responded with status 500.')`;
    await db().query(attempts, [ids[1], NOW]);
    const page = (query: string) => ok('list_webhook_deliveries', send(key, 'GET', `${PATH}/${id}/deliveries${query}`));
    const all = await page('');
    expect(all.map((row: { id: string }) => row.id)).toEqual(ids.toReversed());
    const failed = 'The receiver responded with status 500.';
    expect(all.map((row: { attempt_count: number }) => row.attempt_count)).toContain(2);
    expect(all.map((row: { attempts: unknown }) => row.attempts)).toEqual([
      [],
      [
        { attempt: 1, started_at: NOW, duration_ms: 35, status_code: 500, error: failed },
        { attempt: 2, started_at: after(5000), duration_ms: null, status_code: null, error: null },
      ],
      [],
    ]);
    const linked = await followed(`${PATH}/${id}/deliveries?limit=2`, (path) => send(key, 'GET', path));
    expect([linked.map((rows) => rows.length), linked.flat()]).toEqual([[2, 1], all]);
    expect(await page('?limit=1&offset=2')).toMatchObject([
      { id: ids[0], payload: { event: 'race.result', sequence: 1 }, status: 'delivered', created_at: NOW },
    ]);
  });

  test('one is replayed with the id and the body of its event', async () => {
    const key = await plus();
    const { id } = await create(key);
    const [sent, waiting, price] = await delivered(id, {}, { status: 'retrying' }, { kind: 'odds.change' });
    const replay = (one: string) => send(key, 'POST', `${PATH}/${id}/deliveries/${one}/replay`);
    const again = await ok('replay_webhook_delivery', replay(sent!));
    const [original] = (await rowsOf(id)).filter(({ delivery_id }) => delivery_id === sent);
    expect(again).toMatchObject({
      status: 'pending',
      replay_of: sent,
      event_id: original.event_id,
      payload: { sequence: 1 },
    });
    await refused(409, replay(waiting!));
    await refused(409, replay(price!));
    await refused(404, replay('dl_unknown'));
    await db().query('DELETE FROM events WHERE event_id = $1', [original.event_id]);
    await refused(410, replay(sent!));
    await ok('update_webhook', send(key, 'PATCH', `${PATH}/${id}`, { paused: true }));
    await refused(409, replay(sent!));
  });

  test('a range is replayed once per idempotency key, in order, 20 a second', async () => {
    const key = await plus();
    const { id } = await create(key);
    const kinds = [
      {},
      { status: 'failed' },
      { kind: 'odds.change' },
      { status: 'pending' },
      { status: 'cancelled' },
      {},
    ];
    const ids = await delivered(id, ...kinds);
    const range = { from: NOW, to: new Date(lab.wallMs + 5000).toISOString() };
    const replay = (body: object, name?: string) =>
      send(key, 'POST', `${PATH}/${id}/replay`, body, name === undefined ? {} : { 'idempotency-key': name });
    const replays = async () => (await rowsOf(id)).filter(({ replay_of }) => replay_of !== null);
    lab.wallMs += 60_000;
    // Written with another offset, it is the same range.
    const sameRange = { ...range, from: '2026-11-21T14:00:00+11:00' };
    expect(Date.parse(sameRange.from)).toBe(Date.parse(range.from));
    const both = await Promise.all([replay(range, 'a'), replay(sameRange, 'a')]);
    for (const one of both) expect([one.status, one.body]).toEqual([202, { webhook_id: id, replayed: 3 }]);
    const made = await replays();
    expect(made.map(({ replay_of }) => replay_of)).toEqual([ids[0], ids[1], ids[4]]);
    expect(made.map(({ due_at }) => Date.parse(due_at) - lab.wallMs)).toEqual([0, 50, 100]);
    await refused(409, replay({ ...range, statuses: ['failed'] }, 'a'));
    await ok('update_webhook', send(key, 'PATCH', `${PATH}/${id}`, { paused: true }));
    expect(await ok('replay_webhook', replay(range, 'a'))).toMatchObject({ replayed: 3 });
    await refused(409, replay(range, 'c'));
    await ok('update_webhook', send(key, 'PATCH', `${PATH}/${id}`, { paused: false }));
    // A delivery that is retried tomorrow delays none of the next.
    const later = `UPDATE webhook_deliveries SET status = 'retrying', due_at = due_at + interval '20 hours' WHERE delivery_id = $1`;
    await db().query(later, [made[1].delivery_id]);
    expect(await ok('replay_webhook', replay({ ...range, statuses: ['failed'] }, 'b'))).toMatchObject({ replayed: 1 });
    expect(Date.parse((await replays()).at(-2).due_at) - lab.wallMs).toBe(100);
    expect(await ok('replay_webhook', replay({ ...range, events: ['race.scratching'] }))).toMatchObject({
      replayed: 0,
    });
    await refused(422, replay({ from: range.to, to: range.from }));
    await refused(422, replay({ from: NOW, to: new Date(Date.parse(NOW) + DAY_MS + 1).toISOString() }));
    for (const wrong of ['', 'two words', 'x'.repeat(256)]) await refused(422, replay(range, wrong));
  });

  test('are not replayed while more than 10,000 of them wait', async () => {
    const key = await plus();
    const { id } = await create(key);
    await delivered(id, {}, {});
    const text = `
      INSERT INTO webhook_deliveries (webhook_id, event_id, kind, replay_of, created_at, due_at)
      SELECT $1, 'evt_' || i, 'race.result', 'dl_before', $2, $2 FROM generate_series(1, 9999) i`;
    await db().query(text, [id, NOW]);
    const range = { from: NOW, to: new Date(lab.wallMs + 5000).toISOString() };
    const { body } = await refused(
      409,
      send(key, 'POST', `${PATH}/${id}/replay`, range, { 'idempotency-key': 'full' }),
    );
    expect(body.detail).toContain('10000');
    expect(await rowsOf(id)).toHaveLength(10_001);
    const one = { ...range, to: new Date(lab.wallMs + 1000).toISOString() };
    expect(await ok('replay_webhook', send(key, 'POST', `${PATH}/${id}/replay`, one))).toMatchObject({ replayed: 1 });
  });
});

test('a receiver with a Standard Webhooks library accepts tests, events and replays, through a rotation, until it is gone', async () => {
  const key = await plus();
  const receiver = await startReceiver();
  const workerPool = poolAs(lab.served.db, 'racing_worker');
  const sender = createTestSender();
  // Receivers refuse anything older than five minutes.
  lab.clock = Date.now;
  await db().query('TRUNCATE webhook_deliveries, webhook_queue');
  const lanes = openLanes(workerPool, sender);
  Object.assign(settings.rules, { allowLoopback: true, allowHttp: true });
  settings.testPatienceMs = PATIENT_MS;
  try {
    const { id, secret } = await create(key, {
      url: `http://127.0.0.1:${receiver.port}/hook`,
      events: ['race.result'],
    });
    const last = async (count: number) => {
      await waitFor(async () => receiver.posts.length >= count, PATIENT_MS);
      return receiver.posts[count - 1]!;
    };
    const verified = (by: string, { body, headers }: Awaited<ReturnType<typeof last>>) =>
      new Webhook(by).verify(body, headers as Record<string, string>);
    expect(await ok('test_webhook', send(key, 'POST', `${PATH}/${id}/test`))).toMatchObject({
      delivered: true,
      status_code: 200,
    });
    expect(verified(secret, await last(1))).toMatchObject({ event: 'odds.change', test: true });

    const { secret: next } = await ok('rotate_webhook_secret', send(key, 'POST', `${PATH}/${id}/secret/rotate`));
    await openOutbox(db()).event('race.result', randomUUID());
    await fanOutAll(createDeliveryStore(workerPool));
    const event = await last(2);
    for (const one of [secret, next]) expect(verified(one, event)).toMatchObject({ event: 'race.result', sequence: 1 });

    await waitFor(async () => (await list(key))[0].last_delivery_at !== null, PATIENT_MS);
    const [delivery] = await ok('list_webhook_deliveries', send(key, 'GET', `${PATH}/${id}/deliveries?limit=1`));
    expect(delivery).toMatchObject({ status: 'delivered', attempt_count: 1, event_id: event.headers['webhook-id'] });
    expect(delivery.attempts).toMatchObject([
      { attempt: 1, duration_ms: expect.any(Number), status_code: 200, error: null },
    ]);
    receiver.answer = (response) => response.writeHead(410).end();
    await ok('replay_webhook_delivery', send(key, 'POST', `${PATH}/${id}/deliveries/${delivery.id}/replay`));
    const again = await last(3);
    expect([again.body, again.headers['webhook-id']]).toEqual([event.body, event.headers['webhook-id']]);
    await waitFor(async () => (await list(key))[0].failure_count === 1, PATIENT_MS);
    // A single 410 may come from a proxy; the second attempt is due after a minute, which has passed.
    expect(await list(key)).toMatchObject([{ is_active: true, delivery_paused_reason: null }]);
    await db().query('UPDATE webhook_queue SET due_at = now()');
    await waitFor(async () => (await list(key))[0].failure_count === 2, PATIENT_MS);
    expect(await list(key)).toMatchObject([{ is_active: false, delivery_paused_reason: 'gone' }]);
  } finally {
    Object.assign(settings.rules, { allowLoopback: false, allowHttp: false });
    settings.testPatienceMs = 200;
    await lanes.close();
    await sender.close();
    await workerPool.end();
    await receiver.close();
  }
});
