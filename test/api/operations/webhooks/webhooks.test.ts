// B 4.14 and D57 over real HTTP: what an owner creates, changes and tests. A trigger replaces the worker of a test
// call.
import { NOW } from '../../../support/api/api';
import { DAY_MS, ownedWebhooks, URL_OF_OURS } from './owned-webhooks';
import { PATH } from './webhook-owner';

const lab = ownedWebhooks();
const { db, send, ok, refused, create, list, plus, delivered, rowsOf } = lab;

describe('a webhook', () => {
  test('shows its secret when it is created and never again', async () => {
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

  test('an account has as many as its plan allows, however many are created simultaneously', async () => {
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

  test('after a rotation the previous secret signs for another day, unless it is ended at once', async () => {
    const key = await plus();
    const { id, secret: first } = await create(key);
    const secrets = async () =>
      (await db().query('SELECT secret, previous_secret AS previous FROM webhooks WHERE webhook_id = $1', [id]))
        .rows[0];
    const rotate = (query = '') =>
      ok('rotate_webhook_secret', send(key, 'POST', `${PATH}/${id}/secret/rotate${query}`));
    const second = await rotate();
    expect(second.previous_secret_until).toBe(new Date(lab.wallMs + DAY_MS).toISOString());
    expect(await secrets()).toEqual({ secret: second.secret, previous: first });
    const third = await rotate('?immediate=true');
    expect([third.previous_secret_until, await secrets()]).toEqual([null, { secret: third.secret, previous: null }]);
    expect(new Set([first, second.secret, third.secret]).size).toBe(3);
  });

  test('that is deleted has no secret, and nothing more is posted to it', async () => {
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
  test('another account’s webhook is not found', async () => {
    const [key, other] = await Promise.all([plus(), plus()]);
    const { id } = await create(key);
    const [delivery] = await delivered(id, {});
    const range = { from: NOW, to: new Date(lab.wallMs + 1000).toISOString() };
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

  test('start at Plus, and equivalent older plans; after a downgrade webhooks are listed and delivery waits', async () => {
    for (const plan of ['free', 'standard', 'starter']) {
      await refused(403, send(await lab.served.addKey({ plan }), 'POST', PATH, { url: URL_OF_OURS }));
    }
    const key = await lab.served.addKey({ plan: 'growth' });
    const { id } = await create(key);
    await db().query(
      `UPDATE accounts SET plan = 'standard' WHERE account_id = (SELECT account_id FROM webhooks WHERE webhook_id = $1)`,
      [id],
    );
    await db().query(
      `UPDATE api_keys SET plan = 'standard' WHERE account_id = (SELECT account_id FROM webhooks WHERE webhook_id = $1)`,
      [id],
    );
    lab.served.api.now += 60_000;
    expect(await list(key)).toMatchObject([
      { is_active: true, delivery_entitled: false, delivery_paused_reason: 'plan' },
    ]);
    await refused(403, send(key, 'POST', `${PATH}/${id}/test`));
    await ok('list_webhook_deliveries', send(key, 'GET', `${PATH}/${id}/deliveries`));
    await ok('delete_webhook', send(key, 'DELETE', `${PATH}/${id}`));
  });
});

describe('a test call', () => {
  beforeAll(() =>
    db().query(`
      CREATE FUNCTION settle_test() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        NEW.status := 'delivered'; NEW.attempt_count := 1; NEW.status_code := 204; NEW.delivered_at := NEW.created_at; NEW.settled_at := NEW.created_at;
        RETURN NEW; END $$`),
  );
  afterEach(() => db().query('DROP TRIGGER IF EXISTS settle_test ON webhook_deliveries'));
  const answered = () =>
    db().query(
      'CREATE TRIGGER settle_test BEFORE INSERT ON webhook_deliveries FOR EACH ROW WHEN (NEW.test) EXECUTE FUNCTION settle_test()',
    );

  test('reports a worker’s result, ten times a minute', async () => {
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
