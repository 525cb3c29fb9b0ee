// B 4.14 and D57 over real HTTP: what an owner makes, changes, tests and replays. A trigger stands in for the worker of
// a test call; the last test has lanes and a receiver.
import { randomBytes, randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import { Webhook } from 'standardwebhooks';
import { createStores } from '../../../../src/store/create-stores';
import { createDeliveryStore } from '../../../../src/store/webhooks/deliveries';
import { createResolver } from '../../../../src/webhooks/address/resolver';
import { NOW } from '../../../support/api/api';
import { expectConforms, expectProblemConforms } from '../../../support/api/conforms';
import { followed } from '../../../support/api/next-link';
import { type Served, serve } from '../../../support/api/served';
import { PATIENT_MS } from '../../../support/patient';
import { poolAs } from '../../../support/servers/roles';
import { waitFor } from '../../../support/servers/service';
import { type DnsServer, startDnsServer } from '../../../support/webhooks/dns-server';
import { openOutbox } from '../../../support/webhooks/outbox';
import { createTestSender, fanOutAll, openLanes } from '../../../support/webhooks/posting';
import { startReceiver } from '../../../support/webhooks/receiver';

const PATH = '/v1/webhooks';
const URL_OF_OURS = 'https://hooks.example.com/odds';
const DAY_MS = 86_400_000;

let served: Served;
let dns: DnsServer;
let apiPool: Pool;
let wallMs: number;
let clock = (): number => wallMs;
const settings = { rules: { allowLoopback: false, allowHttp: false }, testPatienceMs: 200 };
beforeAll(async () => {
  dns = await startDnsServer();
  dns.names.set('hooks.example.com', ['93.184.216.34']);
  dns.names.set('inside.example.com', ['10.0.0.1']);
  served = await serve((db) => {
    apiPool = poolAs(db, 'racing_api');
    return {
      wallMs: () => clock(),
      webhooks: Object.assign(settings, {
        store: createStores(apiPool).ownedWebhooks,
        resolve: createResolver(3000, [dns.address]),
        random: randomBytes,
      }),
    };
  });
  await served.db.pool.query(`
    CREATE FUNCTION settle_test() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      NEW.status := 'delivered'; NEW.attempt_count := 1; NEW.status_code := 204; NEW.delivered_at := NEW.created_at; NEW.settled_at := NEW.created_at;
      RETURN NEW; END $$`);
});
afterAll(async () => {
  await served.stop();
  await apiPool.end();
  await dns.close();
});
beforeEach(() => {
  wallMs = Date.parse(NOW);
  clock = () => wallMs;
});

const db = () => served.db.pool;
const json = (body: object) => ({ headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
const send = (key: string, method: string, path: string, body?: object, headers: Record<string, string> = {}) => {
  const sent = body ? json(body) : { headers: {} };
  return served.api.send(method, path, { key, ...sent, headers: { ...sent.headers, ...headers } });
};
const ok = async (operation: string, reply: ReturnType<typeof send>) => {
  const { status, body } = await reply;
  expect([status, body]).toEqual([/^replay/.test(operation) ? 202 : 200, body]);
  expectConforms(operation, body);
  return body;
};
const refused = async (status: number, reply: ReturnType<typeof send>) => {
  const problem = await reply;
  expect([problem.status, problem.body]).toEqual([status, problem.body]);
  expectProblemConforms(problem.body);
  return problem;
};
const create = (key: string, more: object = {}) =>
  ok('create_webhook', send(key, 'POST', PATH, { url: URL_OF_OURS, ...more }));
const list = (key: string) => ok('list_webhooks', send(key, 'GET', PATH));
const plus = () => served.addKey({ plan: 'plus' });

/** Deliveries as workers leave them, a second apart, the first at the time of the test. */
async function delivered(webhookId: string, ...rows: { kind?: string; status?: string }[]): Promise<string[]> {
  const ids: string[] = [];
  for (const [i, { kind = 'race.result', status = 'delivered' }] of rows.entries()) {
    const at = new Date(wallMs + i * 1000).toISOString();
    const { rows: made } = await db().query(
      `WITH e AS (
         INSERT INTO events (kind, occurred_at, facts, fanned_at, sequence, body) VALUES ($2, $4, '{}', $4, $5, $6) RETURNING event_id, written
       ) INSERT INTO webhook_deliveries (webhook_id, event_id, kind, written, status, created_at, delivered_at, settled_at)
         SELECT $1, event_id, $2, written, $3, $4::timestamptz, CASE WHEN $3 = 'delivered' THEN $4::timestamptz END,
                CASE WHEN $3 NOT IN ('pending', 'retrying') THEN $4::timestamptz END
           FROM e RETURNING delivery_id AS id`,
      [webhookId, kind, status, at, i + 1, JSON.stringify({ event: kind, sequence: i + 1 })],
    );
    ids.push(made[0].id);
  }
  return ids;
}
const after = (ms: number): string => new Date(Date.parse(NOW) + ms).toISOString();
const rowsOf = async (webhookId: string) =>
  (await db().query('SELECT * FROM webhook_deliveries WHERE webhook_id = $1 ORDER BY due_at, delivery_id', [webhookId]))
    .rows;

describe('a webhook', () => {
  test('shows its secret when it is made and never again', async () => {
    const key = await plus();
    const made = await create(key, {
      events: ['race.result', 'race.result'],
      country: ['AU'],
      venue: ['Royal Randwick'],
    });
    expect(made).toMatchObject({
      id: expect.stringMatching(/^wh_[0-9a-f]{12}$/),
      url: URL_OF_OURS,
      events: ['race.result'],
      sports: [],
      country: ['AU'],
      venue: ['Royal Randwick'],
      is_active: true,
      created_at: NOW,
      last_delivery_at: null,
      failure_count: 0,
      delivery_entitled: true,
      delivery_paused_reason: null,
    });
    expect(made.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(await list(key)).toEqual([{ ...made, secret: null }]);
    const { rows } = await db().query('SELECT secret FROM webhooks WHERE webhook_id = $1', [made.id]);
    expect(rows).toEqual([{ secret: made.secret }]);
  });

  test('is refused with a reason for its URL, an event that does not exist and an edge that filters nothing', async () => {
    const key = await plus();
    const detailOf = async (body: object) => (await refused(422, send(key, 'POST', PATH, body))).body.detail;
    for (const [url, detail] of [
      ['http://hooks.example.com/', 'it must begin with https://'],
      ['https://inside.example.com/', 'its host is not a public address'],
      ['https://missing.example.com/', 'its host has no address'],
      ['https://127.0.0.1/', 'its host is not a public address'],
    ]) {
      expect(await detailOf({ url })).toBe(`/url is not allowed: ${detail}.`);
    }
    expect(await detailOf({ url: URL_OF_OURS, events: ['race.started'] })).toContain('/events/0');
    expect(await detailOf({ url: URL_OF_OURS, sports: ['quidditch'] })).toContain('/sports/0');
    expect(await detailOf({ url: URL_OF_OURS, country: ['Australia'] })).toBe(
      '/country/0 must be an ISO country code of two capital letters, such as AU.',
    );
    expect(await detailOf({ url: URL_OF_OURS, venue: ['Randwick', ' '] })).toContain('/venue/1');
    expect(await detailOf({ url: URL_OF_OURS, events: ['race.result'], min_edge_pct: 2 })).toContain('/min_edge_pct');
    expect(await list(key)).toEqual([]);
    expect(await create(key, { min_edge_pct: 2 })).toMatchObject({ events: [], min_edge_pct: 2 });
  });

  test('an account has as many as its plan allows, however many are made at once', async () => {
    const key = await plus();
    const replies = await Promise.all(Array.from({ length: 8 }, () => send(key, 'POST', PATH, { url: URL_OF_OURS })));
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 200, 409, 409, 409]);
    expect(await list(key)).toHaveLength(5);
  });

  test('is changed, paused, and enabled again after it was disabled', async () => {
    const key = await plus();
    const { id } = await create(key, { events: ['arb.opportunity'], min_edge_pct: 1.5 });
    const change = (body: object) => ok('update_webhook', send(key, 'PATCH', `${PATH}/${id}`, body));
    expect(await change({ sports: ['racing_horse'] })).toMatchObject({
      events: ['arb.opportunity'],
      min_edge_pct: 1.5,
    });
    await refused(422, send(key, 'PATCH', `${PATH}/${id}`, { events: ['race.result'] }));
    expect(await change({ events: ['race.result'], min_edge_pct: null })).toMatchObject({ sports: ['racing_horse'] });
    expect(await change({ venue: ['Moonee Valley'] })).toMatchObject({
      sports: ['racing_horse'],
      venue: ['Moonee Valley'],
    });
    expect(await change({ venue: [] })).toMatchObject({ venue: [] });
    expect(await change({ paused: true })).toMatchObject({ is_active: false, delivery_paused_reason: 'paused' });
    expect(await change({ paused: false })).toMatchObject({ is_active: true, delivery_paused_reason: null });
    const text = `UPDATE webhooks SET disabled_at = $2, disabled_reason = 'failing', disabled_mailed_at = $2, failure_count = 9, slow_until = 'infinity' WHERE webhook_id = $1`;
    await db().query(text, [id, NOW]);
    expect(await change({ events: [] })).toMatchObject({ is_active: false, delivery_paused_reason: 'failing' });
    expect(await change({ paused: false })).toMatchObject({ is_active: true, failure_count: 0 });
    const { rows } = await db().query(
      'SELECT disabled_at, disabled_mailed_at, enabled_at, slow_until FROM webhooks WHERE webhook_id = $1',
      [id],
    );
    expect(rows).toEqual([{ disabled_at: null, disabled_mailed_at: null, enabled_at: NOW, slow_until: null }]);
  });

  test('a new secret leaves the one before it a day; at once, if it must', async () => {
    const key = await plus();
    const { id, secret: first } = await create(key);
    const secrets = async () =>
      (await db().query('SELECT secret, previous_secret AS previous FROM webhooks WHERE webhook_id = $1', [id]))
        .rows[0];
    const rotate = (query = '') =>
      ok('rotate_webhook_secret', send(key, 'POST', `${PATH}/${id}/secret/rotate${query}`));
    const second = await rotate();
    expect(second.previous_secret_until).toBe(new Date(wallMs + DAY_MS).toISOString());
    expect(await secrets()).toEqual({ secret: second.secret, previous: first });
    const third = await rotate('?immediate=true');
    expect([third.previous_secret_until, await secrets()]).toEqual([null, { secret: third.secret, previous: null }]);
    expect(new Set([first, second.secret, third.secret]).size).toBe(3);
  });

  test('that is deleted has no secret, and nothing is posted to it any more', async () => {
    const key = await plus();
    const { id } = await create(key);
    await delivered(id, {}, { status: 'pending' }, { status: 'retrying' });
    expect(await ok('delete_webhook', send(key, 'DELETE', `${PATH}/${id}`))).toEqual({ deleted: true, id });
    expect((await rowsOf(id)).map(({ status }) => status).sort()).toEqual(['cancelled', 'cancelled', 'delivered']);
    const { rows } = await db().query('SELECT secret, previous_secret FROM webhooks WHERE webhook_id = $1', [id]);
    expect(rows).toEqual([{ secret: '', previous_secret: null }]);
    expect(await list(key)).toEqual([]);
    await refused(404, send(key, 'DELETE', `${PATH}/${id}`));
  });
});

describe('rights', () => {
  test('another account’s webhook is none', async () => {
    const [key, other] = await Promise.all([plus(), plus()]);
    const { id } = await create(key);
    const [delivery] = await delivered(id, {});
    const range = { from: NOW, to: new Date(wallMs + 1000).toISOString() };
    for (const [method, path, body] of [
      ['PATCH', '', { paused: true }],
      ['DELETE', ''],
      ['GET', '/deliveries'],
      ['POST', '/test'],
      ['POST', '/secret/rotate'],
      ['POST', `/deliveries/${delivery}/replay`],
      ['POST', '/replay', range],
    ] as const) {
      await refused(404, send(other, method, `${PATH}/${id}${path}`, body));
    }
    expect(await rowsOf(id)).toHaveLength(1);
  });

  test('Plus and above, older plans by what they count as; after a downgrade they are listed, and delivery waits', async () => {
    for (const plan of ['free', 'standard', 'starter']) {
      await refused(403, send(await served.addKey({ plan }), 'POST', PATH, { url: URL_OF_OURS }));
    }
    const key = await served.addKey({ plan: 'growth' });
    const { id } = await create(key);
    await db().query(
      `UPDATE accounts SET plan = 'standard' WHERE account_id = (SELECT account_id FROM webhooks WHERE webhook_id = $1)`,
      [id],
    );
    await db().query(
      `UPDATE api_keys SET plan = 'standard' WHERE account_id = (SELECT account_id FROM webhooks WHERE webhook_id = $1)`,
      [id],
    );
    served.api.now += 60_000;
    expect(await list(key)).toMatchObject([
      { is_active: true, delivery_entitled: false, delivery_paused_reason: 'plan' },
    ]);
    await refused(403, send(key, 'POST', `${PATH}/${id}/test`));
    await ok('list_webhook_deliveries', send(key, 'GET', `${PATH}/${id}/deliveries`));
    await ok('delete_webhook', send(key, 'DELETE', `${PATH}/${id}`));
  });
});

describe('a test call', () => {
  afterEach(() => db().query('DROP TRIGGER IF EXISTS settle_test ON webhook_deliveries'));
  const answered = () =>
    db().query(
      'CREATE TRIGGER settle_test BEFORE INSERT ON webhook_deliveries FOR EACH ROW WHEN (NEW.test) EXECUTE FUNCTION settle_test()',
    );

  test('reports what a worker made of it, ten times a minute', async () => {
    await answered();
    const key = await plus();
    const { id } = await create(key);
    await ok('update_webhook', send(key, 'PATCH', `${PATH}/${id}`, { paused: true }));
    const result = await ok('test_webhook', send(key, 'POST', `${PATH}/${id}/test`));
    expect(result).toEqual({
      delivered: true,
      status_code: 204,
      error: null,
      webhook_active: false,
      delivery_id: expect.stringMatching(/^dl_[0-9a-f]{32}$/),
    });
    const [row] = await ok('list_webhook_deliveries', send(key, 'GET', `${PATH}/${id}/deliveries`));
    expect(row).toMatchObject({
      id: result.delivery_id,
      event_type: 'odds.change',
      test: true,
      attempt_count: 1,
      replay_of: null,
      payload: { event: 'odds.change', test: true, sent_at: NOW, message: expect.any(String) },
    });
    await refused(409, send(key, 'POST', `${PATH}/${id}/deliveries/${row.id}/replay`));
    let calls = 1;
    let last = await send(key, 'POST', `${PATH}/${id}/test`);
    for (; last.status === 200 && calls < 100; calls++) last = await send(key, 'POST', `${PATH}/${id}/test`);
    expect(calls).toBeGreaterThanOrEqual(10);
    expect([last.status, last.body.code]).toEqual([429, 'rate_limit']);
    expect(Number(last.headers.get('retry-after'))).toBeGreaterThan(0);
  });

  test('that no worker takes is cancelled and answered', async () => {
    const key = await plus();
    const { id } = await create(key);
    const result = await ok('test_webhook', send(key, 'POST', `${PATH}/${id}/test`));
    const error = 'No attempt has ended within 1 seconds.';
    expect(result).toMatchObject({ delivered: false, status_code: null, error, webhook_active: true });
    expect(await rowsOf(id)).toMatchObject([{ delivery_id: result.delivery_id, status: 'cancelled', error }]);
  });
});

describe('deliveries', () => {
  test('are listed a page at a time, the newest first, with what was sent and each attempt', async () => {
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

  test('one is made again with the id and the body of its event', async () => {
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

  test('those of a range are made again once under a key, in order, 20 a second', async () => {
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
    const range = { from: NOW, to: new Date(wallMs + 5000).toISOString() };
    const replay = (body: object, name?: string) =>
      send(key, 'POST', `${PATH}/${id}/replay`, body, name === undefined ? {} : { 'idempotency-key': name });
    const replays = async () => (await rowsOf(id)).filter(({ replay_of }) => replay_of !== null);
    wallMs += 60_000;
    // Written with another offset, it is the same range.
    const sameRange = { ...range, from: '2026-11-21T14:00:00+11:00' };
    expect(Date.parse(sameRange.from)).toBe(Date.parse(range.from));
    const both = await Promise.all([replay(range, 'a'), replay(sameRange, 'a')]);
    for (const one of both) expect([one.status, one.body]).toEqual([202, { webhook_id: id, replayed: 3 }]);
    const made = await replays();
    expect(made.map(({ replay_of }) => replay_of)).toEqual([ids[0], ids[1], ids[4]]);
    expect(made.map(({ due_at }) => Date.parse(due_at) - wallMs)).toEqual([0, 50, 100]);
    await refused(409, replay({ ...range, statuses: ['failed'] }, 'a'));
    await ok('update_webhook', send(key, 'PATCH', `${PATH}/${id}`, { paused: true }));
    expect(await ok('replay_webhook', replay(range, 'a'))).toMatchObject({ replayed: 3 });
    await refused(409, replay(range, 'c'));
    await ok('update_webhook', send(key, 'PATCH', `${PATH}/${id}`, { paused: false }));
    // One that is retried tomorrow holds up none of the next.
    const later = `UPDATE webhook_deliveries SET status = 'retrying', due_at = due_at + interval '20 hours' WHERE delivery_id = $1`;
    await db().query(later, [made[1].delivery_id]);
    expect(await ok('replay_webhook', replay({ ...range, statuses: ['failed'] }, 'b'))).toMatchObject({ replayed: 1 });
    expect(Date.parse((await replays()).at(-2).due_at) - wallMs).toBe(100);
    expect(await ok('replay_webhook', replay({ ...range, events: ['race.scratching'] }))).toMatchObject({
      replayed: 0,
    });
    await refused(422, replay({ from: range.to, to: range.from }));
    await refused(422, replay({ from: NOW, to: new Date(Date.parse(NOW) + DAY_MS + 1).toISOString() }));
    for (const wrong of ['', 'two words', 'x'.repeat(256)]) await refused(422, replay(range, wrong));
  });

  test('more than 10,000 that wait are too many', async () => {
    const key = await plus();
    const { id } = await create(key);
    await delivered(id, {}, {});
    const text = `
      INSERT INTO webhook_deliveries (webhook_id, event_id, kind, replay_of, created_at, due_at)
      SELECT $1, 'evt_' || i, 'race.result', 'dl_before', $2, $2 FROM generate_series(1, 9999) i`;
    await db().query(text, [id, NOW]);
    const range = { from: NOW, to: new Date(wallMs + 5000).toISOString() };
    const { body } = await refused(
      409,
      send(key, 'POST', `${PATH}/${id}/replay`, range, { 'idempotency-key': 'full' }),
    );
    expect(body.detail).toContain('10000');
    expect(await rowsOf(id)).toHaveLength(10_001);
    const one = { ...range, to: new Date(wallMs + 1000).toISOString() };
    expect(await ok('replay_webhook', send(key, 'POST', `${PATH}/${id}/replay`, one))).toMatchObject({ replayed: 1 });
  });
});

test('a receiver with a library of Standard Webhooks accepts tests, events and replays, through a rotation, until it is gone', async () => {
  const key = await plus();
  const receiver = await startReceiver();
  const workerPool = poolAs(served.db, 'racing_worker');
  const sender = createTestSender();
  // Receivers refuse what is older than five minutes.
  clock = Date.now;
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
    // Once may be a proxy; the second attempt is due in a minute, which is over.
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
