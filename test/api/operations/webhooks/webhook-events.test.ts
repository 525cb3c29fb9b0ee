// What a customer can recover after an outage, over real HTTP: the list of events (D65), the replay of what a disabled
// webhook missed (D57), the filters and pages of deliveries, and a webhook that moves to another URL.
import type { Pool } from 'pg';
import { createDeliveryStore, type DeliveryStore } from '../../../../src/store/webhooks/deliveries';
import { expectConforms } from '../../../support/api/conforms';
import { type Served, serve } from '../../../support/api/served';
import { poolAs } from '../../../support/servers/roles';
import { newRace, type Outbox, openOutbox } from '../../../support/webhooks/outbox';
import { fanOutAll } from '../../../support/webhooks/posting';
import { PATH, webhookOwner } from './webhook-owner';

const DAY_MS = 86_400_000;

let served: Served;
let workerPool: Pool;
let deliveries: DeliveryStore;
let outbox: Outbox;
/** Wall. */
let wallMs: number;
beforeAll(async () => {
  served = await serve({ wallMs: () => wallMs });
  workerPool = poolAs(served.db, 'racing_worker');
  deliveries = createDeliveryStore(workerPool);
  outbox = openOutbox(served.db.pool);
});
afterAll(async () => {
  await workerPool?.end();
  await served.stop();
});
beforeEach(async () => {
  wallMs = Date.now();
  await outbox.rows(
    'TRUNCATE events, event_sequences, webhooks, webhook_deliveries, webhook_attempts, webhook_queue, webhook_disablings',
  );
});

const iso = (ms: number): string => new Date(ms).toISOString();
const { send, ok, refused, create, plus } = webhookOwner(() => served, 'https://127.0.0.1/odds');
const change = (key: string, id: string, body: object) =>
  ok('update_webhook', send(key, 'PATCH', `${PATH}/${id}`, body));
const fanOut = () => fanOutAll(deliveries);
const results = async (count: number): Promise<string[]> => {
  const ids: string[] = [];
  for (let n = 0; n < count; n++) ids.push(await outbox.event('race.result', newRace()));
  return ids;
};

describe('the list of events', () => {
  const list = (key: string, query = '') => ok('list_webhook_events', send(key, 'GET', `${PATH}/events${query}`));
  const idsOf = (page: { events: { id: string }[] }) => page.events.map(({ id }) => id);

  test('is not a webhook named `events`: disallowed methods of its path are refused with the allowed ones', async () => {
    const key = await plus();
    for (const method of ['DELETE', 'PATCH', 'OPTIONS']) {
      const { status, body, headers } = await send(key, method, `${PATH}/events`, method === 'PATCH' ? {} : undefined);
      expect([status, body.code, headers.get('allow')]).toEqual([405, 'method_not_allowed', 'GET, HEAD']);
    }
  });

  test('has what was posted, byte for byte, page by page; the end is a cursor too', async () => {
    const key = await plus();
    const { id } = await create(key, { events: ['race.result'], sports: null });
    const ids = await results(3);
    await outbox.event('race.scratching', newRace());
    await fanOut();
    const first = await list(key, '?limit=2');
    expect([idsOf(first), first.has_more]).toEqual([ids.slice(0, 2), true]);
    const second = await list(key, `?limit=2&after=${first.next}`);
    expect([idsOf(second), second.has_more]).toEqual([ids.slice(2), false]);
    const posted = await ok('list_webhook_deliveries', send(key, 'GET', `${PATH}/${id}/deliveries`));
    const bodies = new Map(posted.map((row: { event_id: string; payload: object }) => [row.event_id, row.payload]));
    expect([...first.events, ...second.events]).toEqual(ids.map((one) => bodies.get(one)));
    expect(idsOf(await list(key, `?after=${second.next}`))).toEqual([]);
    const [last] = await results(1);
    await fanOut();
    expect(idsOf(await list(key, `?after=${second.next}`))).toEqual([last]);
    expect(idsOf(await list(key, `?after=${encodeURIComponent(iso(wallMs - 60_000))}&events=race.scratching`))).toEqual(
      [],
    );
    expect(idsOf(await list(key, `?webhook_id=${id}`))).toEqual([...ids, last]);
  });

  test('starts with what is stored, at a cursor that is not too old a second later', async () => {
    const key = await plus();
    const [old, stored] = await results(2);
    await fanOut();
    const at = (id: string, ms: number) =>
      outbox.rows('UPDATE events SET written_at = $2 WHERE event_id = $1', id, new Date(wallMs - 30 * DAY_MS + ms));
    await at(old!, -1800_000);
    await at(stored!, 1800_000);
    const first = await list(key, '?limit=1');
    expect(idsOf(first)).toEqual([stored]);
    wallMs += 60_000;
    expect(idsOf(await list(key, `?limit=1&after=${first.next}`))).not.toContain(stored);
  });

  test('a cursor that is too old, unreadable or was never issued is a free 422 that names the floor', async () => {
    const key = await plus();
    await results(1);
    await fanOut();
    const { next } = await list(key);
    for (const after of [
      'x',
      'MS4x',
      Buffer.from(`1.999999999.${wallMs}`).toString('base64url'),
      Buffer.from('1.1.999999999999999').toString('base64url'),
      iso(wallMs - 31 * DAY_MS),
      iso(wallMs + DAY_MS),
    ]) {
      const { body } = await refused(422, send(key, 'GET', `${PATH}/events?after=${after}`));
      expect(body.detail).toContain(`not before ${iso(wallMs - 30 * DAY_MS)}`);
    }
    wallMs += 31 * DAY_MS;
    expect((await refused(422, send(key, 'GET', `${PATH}/events?after=${next}`))).body.detail).toContain(
      iso(wallMs - 30 * DAY_MS),
    );
  });

  test('is for Plus and above, and covers one’s own webhooks', async () => {
    await refused(403, send(await served.addKey({ plan: 'standard' }), 'GET', `${PATH}/events`));
    const { id } = await create(await plus());
    await refused(404, send(await plus(), 'GET', `${PATH}/events?webhook_id=${id}`));
    await refused(422, send(await plus(), 'GET', `${PATH}/events?events=odds.change`));
  });
});

describe('a replay after a webhook was disabled', () => {
  const range = () => ({ from: iso(wallMs - 3_600_000), to: iso(wallMs + 3_600_000) });
  const replay = (key: string, id: string, more: object = {}) =>
    ok('replay_webhook', send(key, 'POST', `${PATH}/${id}/replay`, { ...range(), ...more }));
  const disable = (id: string) => deliveries.disable(id, 'gone', new Date().toISOString());

  test('sends everything that it wanted meanwhile, once each, and nothing that it did not want before', async () => {
    const key = await plus();
    const { id } = await create(key, { events: ['race.result'], country: ['AU'] });
    const [unwanted] = [await outbox.event('race.scratching', newRace())];
    await fanOut();
    // Before the minute of tolerance for clocks.
    await outbox.rows(`UPDATE events SET fanned_at = fanned_at - interval '5 minutes'`);
    await disable(id);
    const missed = await results(25);
    await outbox.event('race.result', newRace(), { country: 'NZ' });
    await outbox.event('odds.change', newRace());
    await outbox.event('backfill.completed', null, { account_id: newRace() });
    await fanOut();
    expect(await outbox.rows('SELECT FROM webhook_deliveries WHERE webhook_id = $1', id)).toEqual([]);
    await refused(409, send(key, 'POST', `${PATH}/${id}/replay`, range()));
    await change(key, id, { paused: false, events: [] });
    await change(key, id, { events: ['race.result', 'race.scratching'] });
    expect(await replay(key, id, { statuses: ['failed'] })).toMatchObject({ replayed: 0 });
    const both = await Promise.all([replay(key, id), replay(key, id)]);
    expect(both.map(({ replayed }) => replayed)).toEqual([25, 25]);
    const rows = await outbox.rows<{ event_id: string; status: string; replay_of: string | null }>(
      'SELECT event_id, status, replay_of FROM webhook_deliveries WHERE webhook_id = $1 ORDER BY due_at, created_at, written',
      id,
    );
    const originals = rows.filter(({ replay_of }) => replay_of === null);
    expect(originals.map(({ event_id }) => event_id)).toEqual(missed);
    expect(new Set(originals.map(({ status }) => status))).toEqual(new Set(['cancelled']));
    const again = rows.filter(({ replay_of }) => replay_of !== null).map(({ event_id }) => event_id);
    expect([...again].sort()).toEqual([...missed, ...missed].sort());
    expect(again).not.toContain(unwanted);
    const [row] = await ok(
      'list_webhook_deliveries',
      send(key, 'GET', `${PATH}/${id}/deliveries?status=cancelled&limit=1`),
    );
    expect(row).toMatchObject({ error: 'The webhook was disabled.', payload: { event: 'race.result' } });
  });

  test('covers each time that it was disabled, within the limit on waiting deliveries', async () => {
    const key = await plus();
    const { id } = await create(key);
    for (let n = 0; n < 2; n++) {
      await disable(id);
      await results(2);
      await fanOut();
      await change(key, id, { paused: false });
      await results(1);
      await fanOut();
    }
    await outbox.rows(
      `INSERT INTO webhook_deliveries (webhook_id, event_id, kind, replay_of, created_at, due_at)
       SELECT $1, 'evt_' || i, 'race.result', 'dl_before', now(), now() FROM generate_series(1, 9997) i`,
      id,
    );
    await refused(409, send(key, 'POST', `${PATH}/${id}/replay`, { ...range(), statuses: ['cancelled'] }));
    const cancelled = `SELECT FROM webhook_deliveries WHERE webhook_id = $1 AND status = 'cancelled'`;
    // The deliveries that were waiting when it was disabled.
    expect(await outbox.rows(cancelled, id)).toHaveLength(1);
    await outbox.rows(`DELETE FROM webhook_queue WHERE event_id IN ('evt_1', 'evt_2')`);
    expect(await replay(key, id, { statuses: ['cancelled'] })).toMatchObject({ replayed: 5 });
  });
});

describe('deliveries', () => {
  test('are filtered by status, kind and time, and new ones shift no page', async () => {
    const key = await plus();
    const { id } = await create(key);
    const made = async (kind: string, status: string, ageMs: number): Promise<string> => {
      const [row] = await outbox.rows<{ id: string }>(
        `INSERT INTO webhook_deliveries (webhook_id, event_id, kind, status, created_at, settled_at) VALUES ($1, 'evt_x' || random(), $2, $3, $4, $4)
         RETURNING delivery_id AS id`,
        id,
        kind,
        status,
        iso(wallMs - ageMs),
      );
      return row!.id;
    };
    const failed = await made('race.result', 'failed', 5000);
    // All at the same instant.
    const moves = [];
    for (let n = 0; n < 5; n++) moves.push(await made('odds.change', 'cancelled', 4000));
    const newest = await made('race.scratching', 'failed', 3000);
    const page = async (query: string) => {
      const { body, headers } = await send(key, 'GET', `${PATH}/${id}/deliveries${query}`);
      expectConforms('list_webhook_deliveries', body);
      const [, next] = /^<[^>]*deliveries(\?[^>]+)>; rel="next"$/.exec(headers.get('link') ?? '') ?? [];
      return { ids: body.map((row: { id: string }) => row.id) as string[], next };
    };
    expect((await page('?status=failed')).ids).toEqual([newest, failed]);
    expect((await page('?status=failed,cancelled&event=race.result,race.scratching')).ids).toEqual([newest, failed]);
    expect((await page(`?from=${iso(wallMs - 4500)}&to=${iso(wallMs - 3000)}`)).ids.sort()).toEqual(moves.toSorted());
    const seen: string[] = [];
    for (let query: string | undefined = '?limit=2&status=cancelled,failed'; query !== undefined; ) {
      const { ids, next } = await page(query);
      seen.push(...ids);
      query = next;
      await made('odds.change', 'cancelled', 0);
    }
    expect(seen).toHaveLength(7);
    expect([...seen].sort()).toEqual([failed, ...moves, newest].sort());
    expect((await refused(422, send(key, 'GET', `${PATH}/${id}/deliveries?before=dl_unknown`))).body.detail).toContain(
      'before',
    );
  });
});

describe('a change', () => {
  test('moves a webhook to another URL by the rules of a new one; its secret stays, and waiting deliveries go there', async () => {
    const key = await plus();
    const { id } = await create(key, { bookmakers: ['tab'], min_move_pct: 5 });
    const secret = async () =>
      (await outbox.rows('SELECT secret, slow_until FROM webhooks WHERE webhook_id = $1', id))[0];
    const before = await secret();
    await results(1);
    await fanOut();
    await outbox.rows(`UPDATE webhooks SET slow_until = 'infinity' WHERE webhook_id = $1`, id);
    for (const url of ['ftp://127.0.0.1/', 'https://10.0.0.1/odds', 'https://user@127.0.0.1/'])
      expect((await refused(422, send(key, 'PATCH', `${PATH}/${id}`, { url }))).body.detail).toContain(
        '/url is not allowed',
      );
    await refused(404, send(await plus(), 'PATCH', `${PATH}/${id}`, { url: 'https://127.0.0.1/new' }));
    expect(await change(key, id, { url: 'https://127.0.0.1/new' })).toMatchObject({
      url: 'https://127.0.0.1/new',
      bookmakers: ['tab'],
      min_move_pct: 5,
    });
    expect(await secret()).toEqual(before);
    const now = new Date().toISOString();
    const order = { worker: 'one', after: '', endpoints: 10, most: 10, failing: 10, plans: ['plus'], now };
    const { claimed } = await deliveries.claim(order);
    expect(claimed.map(({ webhookId, url }) => [webhookId, url])).toEqual([[id, 'https://127.0.0.1/new']]);
  });

  test('accepts null for a filter, like a new webhook', async () => {
    const key = await plus();
    const none = { sports: null, country: null, venue: null, bookmakers: null, min_edge_pct: null, min_move_pct: null };
    const empty = { sports: [], country: [], venue: [], bookmakers: [], min_edge_pct: null, min_move_pct: null };
    expect(await create(key, none)).toMatchObject(empty);
    const { id } = await create(key, {
      sports: ['racing_horse'],
      country: ['AU'],
      venue: ['Randwick'],
      bookmakers: ['tab'],
    });
    expect(await change(key, id, none)).toMatchObject(empty);
    await refused(422, send(key, 'PATCH', `${PATH}/${id}`, { events: ['race.result'], min_move_pct: 5 }));
    await refused(422, send(key, 'PATCH', `${PATH}/${id}`, { bookmakers: ['no_book'] }));
  });
});
