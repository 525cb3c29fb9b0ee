// The keys of accounts over two API processes on one database: replaced, restricted, shared in a team, minted; and that
// no key is anywhere but in the response that makes it.
import { randomBytes, randomInt, randomUUID } from 'node:crypto';
import { Type } from '@sinclair/typebox';
import type { Pool } from 'pg';
import { createAccounts } from '../../../../src/accounts/accounts';
import { createPasswords } from '../../../../src/accounts/passwords';
import { createCharger } from '../../../../src/api/kernel/charging/charger';
import { endpoint, flat } from '../../../../src/api/kernel/endpoint/endpoint';
import { createAddressCount } from '../../../../src/api/kernel/limits/address-count';
import { hashToken } from '../../../../src/api/kernel/session/session';
import { ENDPOINTS } from '../../../../src/api/operations';
import { keyIdOf } from '../../../../src/plans/key-id';
import { createStores } from '../../../../src/store/create-stores';
import { followKeyChanges } from '../../../../src/store/keys/key-changes';
import { type ApiKeyRow, hashApiKey } from '../../../../src/store/keys/keys';
import { createReads } from '../../../../src/store/reads/reads';
import { createKeyLimit } from '../../../../src/store/redis/key-limit';
import { createRedis } from '../../../../src/store/redis/redis';
import { type Answer, startApi, type TestApi } from '../../../support/api/api';
import { expectConforms, expectProblemConforms } from '../../../support/api/conforms';
import { type Served, serve } from '../../../support/api/served';
import { PATIENT_MS } from '../../../support/patient';
import { poolAs } from '../../../support/servers/roles';

/** What happens while a call is worked on, after it was judged. */
let meanwhile: () => Promise<unknown> = async () => {};
const paid = endpoint()({
  method: 'get',
  path: '/v1/paid',
  operationId: 'paid',
  tag: 'Health',
  summary: 's',
  description: 'd',
  auth: 'key',
  cost: flat(2),
  neverCached: true,
  ok: { description: 'ok', schema: Type.Any(), example: {} },
  async handler() {
    await meanwhile();
    return { body: {} };
  },
});

const everything = endpoint()({
  method: 'get',
  path: '/v1/all',
  operationId: 'all',
  tag: 'Health',
  summary: 's',
  description: 'd',
  auth: 'key',
  cost: flat(300_000),
  ok: { description: 'ok', schema: Type.Any(), example: {} },
  handler: async () => ({ body: {} }),
});

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

let served: Served;
let here: TestApi;
/** Another process, behind one proxy. */
let there: TestApi;
let pool: Pool;
const redis = createRedis(process.env.REDIS_URL!, PATIENT_MS);
const followers: ReturnType<typeof followKeyChanges>[] = [];
/** Every response, as it was sent. */
const sent: { readonly text: string; readonly headers: string; readonly url: string }[] = [];

beforeAll(async () => {
  const over = (url: string) => {
    const keyChanges = followKeyChanges(url);
    followers.push(keyChanges);
    return { keyChanges, keyLimit: createKeyLimit(redis, url, DAY_MS), endpoints: [...ENDPOINTS, paid, everything] };
  };
  served = await serve((db) => {
    pool = poolAs(db, 'racing_api');
    const stores = createStores(pool);
    const accounts = createAccounts({
      ...stores,
      passwords: createPasswords(),
      receivesMail: async () => 'unsure',
      counts: createAddressCount(null, () => here.now),
      random: randomBytes,
      wallMs: () => here.now,
      baseUrl: 'https://api.example.com',
      mailWritten: () => {},
    });
    const backfills = { store: stores.backfill, start: () => {}, random: randomInt };
    return { ...over(db.url), charger: createCharger(stores.credits), accounts, backfills };
  });
  here = served.api;
  const stores = createStores(pool);
  const clock = () => here.now;
  there = await startApi({
    ...over(served.db.url),
    ...stores,
    reads: createReads(pool),
    keyStores: stores,
    now: clock,
    wallMs: clock,
    trustedProxies: 1,
  });
  await Promise.all(
    followers.map(
      (one) => new Promise<void>((done) => one.watch({ following: done, lost: () => {}, changed: () => {} })),
    ),
  );
});
afterEach(async () => {
  meanwhile = async () => {};
  expect(await createStores(served.db.pool).credits.audit()).toEqual([]);
});
afterAll(async () => {
  await there.close();
  for (const one of followers) await one.close();
  await pool.end();
  redis.disconnect();
  await served.stop();
});

/** Resolves when both processes have everything that is committed by now. */
async function announced(): Promise<void> {
  const mark = randomUUID();
  const all = followers.map(
    (one) =>
      new Promise<void>((done) =>
        one.watch({ following: () => {}, lost: () => {}, changed: (id) => id === mark && done() }),
      ),
  );
  await served.db.pool.query(`SELECT pg_notify('api_keys_changed', $1)`, [mark]);
  await Promise.all(all);
}

interface Sending {
  readonly key?: string;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
  readonly api?: TestApi;
}

async function call(
  method: string,
  path: string,
  { key, body, headers = {}, api = here }: Sending = {},
): Promise<Answer> {
  const json = body === undefined ? {} : { body: JSON.stringify(body) };
  const type: Record<string, string> = body === undefined ? {} : { 'Content-Type': 'application/json' };
  const answer = await api.send(method, path, { key, headers: { ...type, ...headers }, ...json });
  sent.push({ text: answer.text, headers: JSON.stringify([...answer.headers]), url: path });
  if (answer.status >= 400) expectProblemConforms(answer.body);
  return answer;
}
/** Of a key at both processes. */
const statuses = async (key: string) => [
  (await call('GET', '/v1/keys/info', { key })).status,
  (await call('GET', '/v1/keys/info', { key, api: there })).status,
];
const info = async (key: string) => (await call('GET', '/v1/keys/info', { key })).body;
const addKey = (over: Partial<ApiKeyRow> = {}) => served.addKey({ plan: 'platform', ...over });
const minted: string[] = [];

async function rotated(key: string, query = ''): Promise<Answer['body']> {
  const { status, body } = await call('POST', `/v1/keys/rotate${query}`, { key });
  expect([status, body.code]).toEqual([200, undefined]);
  minted.push(body.new_key);
  await announced();
  return body;
}

const accountOf = async (key: string): Promise<string> =>
  (await served.db.pool.query('SELECT account_id FROM api_keys WHERE key_hash = $1', [hashApiKey(key)])).rows[0]
    .account_id;

async function signIn(key: string): Promise<Record<string, string>> {
  const token = randomBytes(32).toString('base64url');
  const text = `INSERT INTO sessions VALUES ($1, $2, $3, $3::timestamptz + interval '30 days')`;
  await served.db.pool.query(text, [hashToken(token), await accountOf(key), new Date(here.now)]);
  return { Cookie: `__Host-session=${token}` };
}

describe('rotate', () => {
  test('the new key keeps id, issue instant, label, allow-list, limit window and usage; the old one works a day more', async () => {
    const old = await addKey({ plan: 'standard', issuedAt: '2026-09-01T00:00:00.000Z', label: 'production' });
    await call('POST', '/v1/keys/ip-whitelist', { key: old, body: ['127.0.0.1'] });
    await announced();
    const before = await call('GET', '/v1/paid', { key: old });
    const body = await rotated(old);
    expectConforms('rotate_key', body);
    const until = new Date(here.now + DAY_MS).toISOString();
    expect(body).toMatchObject({
      api_key: body.new_key,
      old_key_hint: `pe_live_…${old.slice(-4)}`,
      key_version: 2,
      rotated_at: new Date(here.now).toISOString(),
      previous_key_valid_until: until,
    });
    const after = await call('GET', '/v1/keys/info', { key: body.new_key });
    expectConforms('key_info', after.body);
    expect(after.body).toMatchObject({
      key_hint: `pe_live_…${body.new_key.slice(-4)}`,
      label: 'production',
      key_version: 2,
      is_primary: true,
      created_at: '2026-09-01T00:00:00.000Z',
      rotated_at: body.rotated_at,
      ip_whitelist: ['127.0.0.1/32'],
      credits_used: 2,
      last_used_at: new Date(here.now).toISOString(),
      valid_until: null,
      last_used_ip: null,
    });
    const left = ({ headers }: Answer) => Number(headers.get('x-ratelimit-remaining'));
    expect(left(before) - left(after)).toBe(2);
    expect(await info(old)).toMatchObject({ key_id: after.body.key_id, key_version: 1, valid_until: until });
    here.now += DAY_MS - 1;
    expect(await statuses(old)).toEqual([200, 200]);
    here.now += 1;
    expect(await statuses(old)).toEqual([401, 401]);
    here.now -= DAY_MS;
  });

  test('a right of an older key outlives rotation, another plan and the way back (D11)', async () => {
    const key = await addKey({ plan: 'standard', issuedAt: '2026-09-01T00:00:00.000Z' });
    const { new_key: next } = await rotated(key);
    const { keyRegister } = createStores(served.db.pool);
    const marketsOf = async (plan: string) => {
      await keyRegister.setPlan(await accountOf(next), plan);
      await announced();
      return (await call('GET', '/v1/racing/markets?race_id=00000000-0000-5000-8000-000000000000', { key: next }))
        .status;
    };
    // 404: the gate is passed, and there is no such race.
    for (const [plan, status] of [
      ['standard', 404],
      ['plus', 404],
      ['standard', 404],
      ['hobby', 403],
    ] as const)
      expect([plan, await marketsOf(plan)]).toEqual([plan, status]);
  });

  test('at most one previous key lives, and immediate=true ends both', async () => {
    const first = await addKey();
    const { new_key: second } = await rotated(first);
    const { new_key: third } = await rotated(second);
    expect([await statuses(first), await statuses(second), await statuses(third)]).toEqual([
      [401, 401],
      [200, 200],
      [200, 200],
    ]);
    const body = await rotated(third, '?immediate=true');
    expect(body).toMatchObject({ previous_key_valid_until: null, key_version: 4 });
    for (const ended of [first, second, third]) expect(await statuses(ended)).toEqual([401, 401]);
    expect(await statuses(body.new_key)).toEqual([200, 200]);
  });

  test('a request whose response was lost makes no second key: the replaced key is refused', async () => {
    const key = await addKey();
    const { new_key: next } = await rotated(key);
    for (const query of ['', '?immediate=true'])
      expect((await call('POST', `/v1/keys/rotate${query}`, { key })).body).toMatchObject({
        status: 409,
        code: 'conflict',
        detail: expect.stringContaining('console'),
      });
    expect(await statuses(next)).toEqual([200, 200]);
  });

  test('a replaced key reads on, and changes nothing of the account or its keys', async () => {
    const old = await addKey({ plan: 'business' });
    const { new_key: next } = await rotated(old);
    const { body: worker } = await call('POST', '/v1/keys/team', { key: next, body: { label: 'worker' } });
    minted.push(worker.key);
    for (const path of ['/v1/paid', '/v1/keys/info', '/v1/keys/team', '/v1/usage', '/v1/account'])
      expect([path, (await call('GET', path, { key: old })).status]).toEqual([path, 200]);
    for (const { method, path, body } of ENDPOINTS.filter((one) => one.currentKeyOnly)) {
      const named = path.replace('{key_id}', worker.key_id);
      const refused = await call(method.toUpperCase(), named, { key: old, body: body?.examples?.[0] });
      expect([path, refused.body]).toEqual([path, expect.objectContaining({ status: 409, code: 'conflict' })]);
      expect(refused.body.detail).toContain('Send its replacement');
    }
    expect((await call('GET', '/v1/keys/team', { key: next })).body.keys).toMatchObject([
      { ip_whitelist: [], key_version: 2 },
      { key_id: worker.key_id, label: 'worker' },
    ]);
    // A key of a team is no other.
    await rotated(worker.key);
    const list = await call('POST', '/v1/keys/ip-whitelist', { key: worker.key, body: ['127.0.0.1'] });
    expect(list.body.code).toBe('conflict');
  });

  test('of many rotations of one key at once exactly one wins', async () => {
    const key = await addKey();
    const all = await Promise.all(
      Array.from({ length: 12 }, (_, i) => call('POST', '/v1/keys/rotate', { key, api: i % 2 ? here : there })),
    );
    const won = all.filter(({ status }) => status === 200);
    expect(won).toHaveLength(1);
    expect(all.filter(({ status }) => status === 409)).toHaveLength(11);
    minted.push(won[0]!.body.new_key);
    const text = `SELECT version, expires_at IS NULL AS current FROM api_keys
      WHERE account_id = $1 AND revoked_at IS NULL ORDER BY version`;
    const { rows } = await served.db.pool.query(text, [await accountOf(key)]);
    expect(rows).toEqual([
      { version: 1, current: false },
      { version: 2, current: true },
    ]);
  });

  test('a call is charged once when its key is replaced meanwhile, and free when the key ends', async () => {
    const key = await addKey();
    let next = '';
    meanwhile = async () => {
      meanwhile = async () => {};
      next = (await rotated(key)).new_key;
    };
    expect((await call('GET', '/v1/paid', { key })).headers.get('x-credits-used')).toBe('2');
    let last = '';
    meanwhile = async () => {
      meanwhile = async () => {};
      last = (await rotated(next, '?immediate=true')).new_key;
    };
    expect((await call('GET', '/v1/paid', { key: next })).status).toBe(401);
    expect(await info(last)).toMatchObject({ credits_used: 2 });
  });
});

describe('reveal', () => {
  const revealed = async (headers: Record<string, string>) => {
    const { status, body } = await call('POST', '/v1/keys/reveal', { headers });
    expect(status).toBe(200);
    expectConforms('reveal_key', body);
    minted.push(body.key);
    await announced();
    return body;
  };

  test('needs a session; shows a new primary key once, and the one in use survives a second click', async () => {
    const inUse = await addKey();
    const headers = await signIn(inUse);
    expect((await call('POST', '/v1/keys/reveal', { key: inUse })).status).toBe(401);
    const lost = await revealed(headers);
    const until = new Date(here.now + DAY_MS).toISOString();
    expect(lost).toMatchObject({ key_version: 2, previous_key_valid_until: until });
    here.now += 60_000;
    const shown = await revealed(headers);
    expect(shown).toMatchObject({ key_version: 3, previous_key_valid_until: until });
    expect(shown.message).toContain('The key that was shown before it has ended; the key before that one works until');
    expect([await statuses(inUse), await statuses(lost.key), await statuses(shown.key)]).toEqual([
      [200, 200],
      [401, 401],
      [200, 200],
    ]);
    here.now += HOUR_MS;
    const later = await revealed(headers);
    expect([await statuses(inUse), await statuses(shown.key), await statuses(later.key)]).toEqual([
      [401, 401],
      [200, 200],
      [200, 200],
    ]);
  });

  test('leaves a key that was made by rotation its day, however soon after it', async () => {
    const first = await addKey();
    const { new_key: deployed } = await rotated(first);
    here.now += 300_000;
    const shown = await revealed(await signIn(deployed));
    const until = new Date(here.now + DAY_MS).toISOString();
    expect(shown).toMatchObject({
      previous_key_valid_until: until,
      message: expect.stringContaining('The key before it works'),
    });
    expect([await statuses(first), await statuses(deployed), await statuses(shown.key)]).toEqual([
      [401, 401],
      [200, 200],
      [200, 200],
    ]);
  });

  test('an account whose primary key an operator revoked gets no other one', async () => {
    const key = await addKey();
    const headers = await signIn(key);
    await served.db.pool.query('UPDATE api_keys SET revoked_at = now() WHERE key_hash = $1', [hashApiKey(key)]);
    const refused = (await call('POST', '/v1/keys/reveal', { headers })).body;
    expect(refused).toMatchObject({ status: 409, code: 'conflict', detail: expect.stringContaining('Contact us') });
  });
});

describe('ip-whitelist', () => {
  const restrict = (key: string, body: unknown, more: Sending = {}) =>
    call('POST', '/v1/keys/ip-whitelist', { key, body, ...more });

  test('counts at once in every process, for the replaced key too, and [] clears it', async () => {
    const old = await addKey();
    const { new_key: key } = await rotated(old);
    const { status, body } = await restrict(key, ['127.0.0.1', '::ffff:127.0.0.1', '2001:db8::/32']);
    expect(status).toBe(200);
    expectConforms('set_ip_whitelist', body);
    expect(body.ip_whitelist).toEqual(['127.0.0.1/32', '2001:db8::/32']);
    await announced();
    expect(await info(old)).toMatchObject({ ip_whitelist: body.ip_whitelist });
    const from = (address: string) => ({ api: there, headers: { 'X-Forwarded-For': address } });
    for (const each of [old, key]) {
      const elsewhere = await call('GET', '/v1/keys/info', { key: each, ...from('203.0.113.9') });
      expect(elsewhere.body).toMatchObject({ status: 403, code: 'ip_not_allowed' });
      expect((await call('GET', '/v1/keys/info', { key: each, ...from('2001:db8:7::1') })).status).toBe(200);
    }
    expect((await restrict(key, [])).body).toMatchObject({ ip_whitelist: [] });
    await announced();
    expect((await call('GET', '/v1/keys/info', { key: old, ...from('203.0.113.9') })).status).toBe(200);
  });

  test('X-Forwarded-For opens nothing unless a trusted proxy wrote it', async () => {
    const key = await addKey();
    await restrict(key, ['198.51.100.7', '127.0.0.1']);
    const only = `UPDATE api_keys SET allowed_addresses = '{198.51.100.7/32}' WHERE key_hash = $1`;
    await served.db.pool.query(only, [hashApiKey(key)]);
    await announced();
    const sends = async (api: TestApi, ...forged: string[]) =>
      Promise.all(
        forged.map(
          async (value) =>
            (await call('GET', '/v1/keys/info', { key, api, headers: { 'X-Forwarded-For': value } })).status,
        ),
      );
    // No proxy is trusted here: whatever the header has, the connection's own address counts.
    expect(await sends(here, '198.51.100.7', '198.51.100.7, 127.0.0.1', "' OR 1=1", '::ffff:198.51.100.7')).toEqual([
      403, 403, 403, 403,
    ]);
    // One is trusted there: the last address is the one that it wrote.
    expect(await sends(there, '198.51.100.7', '203.0.113.9, 198.51.100.7', '::ffff:198.51.100.7')).toEqual([
      200, 200, 200,
    ]);
    expect(await sends(there, '198.51.100.7, 203.0.113.9', '198.51.100.7, unknown', '')).toEqual([403, 403, 403]);
  });

  test('a list that shuts out its own caller, and one with faults, is a 422 that changes nothing', async () => {
    const key = await addKey();
    expect((await restrict(key, ['203.0.113.0/24'])).body).toMatchObject({
      status: 422,
      errors: [{ pointer: '', detail: expect.stringContaining('127.0.0.1') }],
    });
    expect((await restrict(key, ['127.0.0.1/8', '127.0.0.1', 'x'])).body.errors).toMatchObject([
      { pointer: '/0' },
      { pointer: '/2' },
    ]);
    for (const body of [{}, ['127.0.0.1', 7], 'x', Array(101).fill('127.0.0.1'), null])
      expect((await restrict(key, body)).status).toBe(422);
    expect((await restrict(key, Array(100).fill('127.0.0.1'))).body.ip_whitelist).toEqual(['127.0.0.1/32']);
  });

  test('a call is judged again, and not charged, when the list of its key changes meanwhile', async () => {
    const key = await addKey();
    meanwhile = () => restrict(key, ['127.0.0.1']);
    const refused = await call('GET', '/v1/paid', { key });
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
    meanwhile = async () => {};
    expect((await call('GET', '/v1/paid', { key })).headers.get('x-credits-used')).toBe('2');
  });
});

describe('team keys', () => {
  const team = (key: string, more: Sending = {}) => call('GET', '/v1/keys/team', { key, ...more });
  const add = async (key: string, body: unknown = { label: 'worker' }, api = here) => {
    const answer = await call('POST', '/v1/keys/team', { key, body, api });
    if (answer.status === 200) minted.push(answer.body.key);
    return answer;
  };
  const change = (key: string, id: string, body: unknown) => call('PATCH', `/v1/keys/team/${id}`, { key, body });
  const remove = (key: string, id: string) => call('DELETE', `/v1/keys/team/${id}`, { key });

  test('need Business; a 403 names it', async () => {
    const key = await addKey({ plan: 'plus' });
    for (const answer of [
      await team(key),
      await add(key),
      await remove(key, 'tk_x'),
      await change(key, 'tk_x', { label: 'x' }),
    ])
      expect(answer.body).toMatchObject({
        status: 403,
        code: 'plan_required',
        required_plan: 'business',
        upgrade_url: 'https://api.example.com/account',
      });
  });

  test('are exactly as many as the plan allows, however many are made at once', async () => {
    const key = await addKey({ plan: 'platform' });
    const all = await Promise.all(
      Array.from({ length: 20 }, (_, i) => add(key, { label: `worker ${i}` }, i % 2 ? here : there)),
    );
    expect(all.map(({ status }) => status).sort()).toEqual([...Array(4).fill(200), ...Array(16).fill(409)]);
    const { body } = await team(key);
    expectConforms('list_team_keys', body);
    expect([body.limit, body.keys.length, body.keys[0].is_primary]).toEqual([5, 5, true]);
    const refused = all.find(({ status }) => status === 409)!;
    expect(refused.body).toMatchObject({
      code: 'conflict',
      required_plan: 'scale',
      detail: expect.stringContaining('Scale plan has 10'),
    });
  });

  test('share the credits of the account, each with a usage line, a limit and rights of its own', async () => {
    const key = await addKey({ plan: 'business', issuedAt: '2026-09-01T00:00:00.000Z' });
    const { body: worker } = await add(key, { label: 'pricing worker', ip_whitelist: ['127.0.0.0/8', '2001:db8::1'] });
    expectConforms('create_team_key', worker);
    expect(worker).toMatchObject({
      is_primary: false,
      label: 'pricing worker',
      ip_whitelist: ['127.0.0.0/8', '2001:db8::1/128'],
      created_at: new Date(here.now).toISOString(),
      requests_per_minute: 750,
      key_version: 1,
      credits_used: 0,
    });
    const first = await call('GET', '/v1/paid', { key: worker.key });
    expect(first.headers.get('x-ratelimit-remaining')).toBe('749');
    await call('GET', '/v1/paid', { key: worker.key });
    expect((await call('GET', '/v1/paid', { key })).headers.get('x-credits-used')).toBe('6');
    const { keys } = (await team(key)).body;
    expect(keys.map((one: Answer['body']) => [one.label, one.calls_used, one.credits_used])).toEqual([
      ['test', 1, 2],
      ['pricing worker', 2, 4],
    ]);
    expect(await info(worker.key)).toMatchObject({ key_id: worker.key_id, is_primary: false, credits_used: 6 });
    // In the next month its line begins anew.
    here.now += 10 * DAY_MS;
    expect((await team(key)).body.keys[1]).toMatchObject({
      calls_used: 0,
      credits_used: 0,
      last_used_at: first.headers.get('date') && keys[1].last_used_at,
    });
    here.now -= 10 * DAY_MS;
  });

  test('are not refused by what another key of the account last knew of its credits', async () => {
    const key = await addKey({ plan: 'business' });
    const { body: worker } = await add(key);
    await change(key, (await info(key)).key_id, { label: 'changed once' });
    await announced();
    expect((await call('GET', '/v1/all', { key })).status).toBe(200);
    expect((await call('GET', '/v1/paid', { key: worker.key })).status).toBe(402);
    expect((await call('GET', '/v1/paid', { key })).status).toBe(402);
    const grant = { credits: 10, reason: 'test', period: '2026-11-01', at: new Date(here.now).toISOString() };
    await createStores(served.db.pool).credits.grant({ ...grant, accountId: await accountOf(key) });
    await announced();
    expect((await call('GET', '/v1/paid', { key: worker.key })).headers.get('x-credits-remaining')).toBe('8');
  });

  test('only the primary key manages them; a key of the team may replace itself', async () => {
    const key = await addKey({ plan: 'business' });
    const { body: worker } = await add(key);
    for (const answer of [await team(worker.key), await add(worker.key), await remove(worker.key, worker.key_id)])
      expect(answer.body).toMatchObject({ status: 403, detail: expect.stringContaining('primary key') });
    const { new_key: next } = await rotated(worker.key);
    expect(await info(next)).toMatchObject({ key_id: worker.key_id, key_version: 2, is_primary: false });
    expect((await team(key)).body.keys).toMatchObject([
      { key_version: 1 },
      { key_version: 2, previous_key_valid_until: expect.any(String) },
    ]);
  });

  test('PATCH changes what is sent at once, DELETE ends a key with the one before it', async () => {
    const key = await addKey({ plan: 'business' });
    const { body: worker } = await add(key);
    const { new_key: next } = await rotated(worker.key);
    const renamed = await change(key, worker.key_id, { label: 'Melbourne' });
    expectConforms('update_team_key', renamed.body);
    expect(renamed.body).toMatchObject({ label: 'Melbourne', ip_whitelist: [] });
    expect((await change(key, worker.key_id, { ip_whitelist: ['203.0.113.7'] })).body).toMatchObject({
      label: 'Melbourne',
      ip_whitelist: ['203.0.113.7/32'],
    });
    await announced();
    for (const each of [worker.key, next]) expect(await statuses(each)).toEqual([403, 403]);
    const { key_id: own } = await info(key);
    expect((await change(key, own, { ip_whitelist: ['203.0.113.7'] })).status).toBe(422);
    expect((await change(key, own, { label: 'main' })).body).toMatchObject({ label: 'main', is_primary: true });
    for (const body of [
      {},
      { label: '' },
      { label: 'a\u0000b' },
      { plan: 'scale' },
      { label: 'x'.repeat(101) },
      { ip_whitelist: null },
    ])
      expect((await change(key, worker.key_id, body)).status).toBe(422);
    const gone = await remove(key, worker.key_id);
    expectConforms('delete_team_key', gone.body);
    await announced();
    for (const each of [worker.key, next]) expect(await statuses(each)).toEqual([401, 401]);
    expect((await remove(key, worker.key_id)).status).toBe(404);
    expect((await remove(key, own)).body).toMatchObject({ status: 409, code: 'conflict' });
    expect(await statuses(key)).toEqual([200, 200]);
  });

  test('scopes count at once in every process, for the replaced key too, until null clears them', async () => {
    const key = await addKey({ plan: 'business' });
    const { body: worker } = await add(key, { label: 'archivist', scopes: ['archive', 'read'] });
    expectConforms('create_team_key', worker);
    expect(worker.scopes).toEqual(['archive', 'read']);
    const { new_key: next } = await rotated(worker.key);
    const judged = async () => {
      await announced();
      const all = [worker.key, next].flatMap((each) => [here, there].map((api) => ({ key: each, api })));
      return new Set(await Promise.all(all.map(async (more) => (await call('GET', '/v1/sports', more)).status)));
    };
    expect(await judged()).toEqual(new Set([200]));
    const narrowed = await change(key, worker.key_id, { scopes: ['archive'] });
    expectConforms('update_team_key', narrowed.body);
    expect(narrowed.body).toMatchObject({ label: 'archivist', scopes: ['archive'] });
    expect(await judged()).toEqual(new Set([403]));
    expect(await info(next)).toMatchObject({ scopes: ['archive'] });
    const refused = (await call('GET', '/v1/sports', { key: next })).body;
    expect(refused).toMatchObject({ code: 'scope_required', required_scope: 'read' });
    expectProblemConforms(refused);
    expect((await change(key, worker.key_id, { label: 'renamed' })).body.scopes).toEqual(['archive']);
    expect((await change(key, worker.key_id, { scopes: null })).body.scopes).toBeNull();
    expect(await judged()).toEqual(new Set([200]));
    for (const scopes of [[], ['write'], ['read', 'read'], 'read', [null]])
      expect((await change(key, worker.key_id, { scopes })).status).toBe(422);
    const { key_id: own } = await info(key);
    expect((await change(key, own, { scopes: ['read'] })).body).toMatchObject({ status: 409, code: 'conflict' });
    expect((await change(key, own, { scopes: null })).status).toBe(200);
  });

  test('a call is judged again, and not charged, when its key loses the scope meanwhile', async () => {
    const key = await addKey({ plan: 'business' });
    const { body: worker } = await add(key);
    meanwhile = () => change(key, worker.key_id, { scopes: ['archive'] });
    expect((await call('GET', '/v1/paid', { key: worker.key })).status).toBe(503);
    meanwhile = async () => {};
    await announced();
    expect((await call('GET', '/v1/paid', { key: worker.key })).body).toMatchObject({ code: 'scope_required' });
    expect((await team(key)).body.keys[1]).toMatchObject({ calls_used: 0, credits_used: 0 });
  });

  test('of other accounts and of operators are not found', async () => {
    const key = await addKey({ plan: 'business' });
    const other = await addKey({ plan: 'business' });
    const { body: worker } = await add(other);
    const operator = await addKey({ role: 'internal', plan: 'enterprise' });
    const { keyId } = (await createStores(pool).keys.find([hashApiKey(operator)]))[0]!;
    await served.db.pool.query('UPDATE api_keys SET account_id = $2 WHERE key_hash = $1', [
      hashApiKey(operator),
      await accountOf(key),
    ]);
    expect(keyIdOf((await info(operator)).key_id)).toBe(keyId);
    for (const id of [worker.key_id, (await info(operator)).key_id, 'tk_nothing', encodeURIComponent("' OR '1'='1")]) {
      expect((await change(key, id, { label: 'mine' })).status).toBe(404);
      expect((await remove(key, id)).status).toBe(404);
    }
    expect((await team(key)).body.keys).toHaveLength(1);
    expect(await statuses(worker.key)).toEqual([200, 200]);
  });

  test('are not managed by a key that ended, also where that was not announced', async () => {
    const key = await addKey({ plan: 'business' });
    const { body: worker } = await add(key);
    const stores = createStores(pool);
    const unannounced = await startApi({
      ...stores,
      reads: createReads(pool),
      keyStores: stores,
      now: () => here.now,
      wallMs: () => here.now,
    });
    try {
      expect((await team(key, { api: unannounced })).status).toBe(200);
      const { new_key: next } = await rotated(key, '?immediate=true');
      const refused = [
        await add(key, { label: 'thief' }, unannounced),
        await call('PATCH', `/v1/keys/team/${worker.key_id}`, { key, api: unannounced, body: { label: 'thief' } }),
        await call('DELETE', `/v1/keys/team/${worker.key_id}`, { key, api: unannounced }),
        await call('POST', '/v1/keys/ip-whitelist', { key, api: unannounced, body: ['127.0.0.1'] }),
      ];
      expect(refused.map(({ status, body }) => [status, body.code])).toEqual(Array(4).fill([409, 'conflict']));
      const { body } = await team(next);
      expect(body.keys).toMatchObject([{ ip_whitelist: [] }, { label: 'worker' }]);
    } finally {
      await unannounced.close();
    }
  });

  test('go on after a downgrade with the limits of the new plan, and can be ended, but none can be added', async () => {
    const key = await addKey({ plan: 'business' });
    const { body: worker } = await add(key);
    await createStores(served.db.pool).keyRegister.setPlan(await accountOf(key), 'hobby');
    await announced();
    expect((await call('GET', '/v1/paid', { key: worker.key })).headers.get('x-ratelimit-limit')).toBe('60');
    expect((await add(key)).body).toMatchObject({ status: 403, required_plan: 'business' });
    expect((await team(key)).body).toMatchObject({ limit: 1, keys: [{}, { requests_per_minute: 60 }] });
    expect((await remove(key, worker.key_id)).status).toBe(200);
    expect((await team(key)).status).toBe(403);
  });
});

describe('operators', () => {
  const open = (query: string, key: string) => call('POST', `/v1/keys?${query}`, { key });
  let operator: string;
  beforeAll(async () => {
    operator = await addKey({ role: 'internal', plan: 'enterprise' });
  });

  test('open accounts with a customer’s key, and with an owner whose address has one account', async () => {
    const { status, body } = await open('label=Acme&plan=business&email=Owner%40Acme.EXAMPLE', operator);
    expect(status).toBe(200);
    expectConforms('create_key', body);
    expect(body).toMatchObject({ plan: 'business', label: 'Acme', credits_limit: 300_000 });
    minted.push(body.key);
    const { rows } = await served.db.pool.query(
      `SELECT role, is_primary, o.email, o.email_key FROM api_keys JOIN account_owners o USING (account_id) WHERE key_hash = $1`,
      [hashApiKey(body.key)],
    );
    expect(rows).toEqual([
      { role: 'customer', is_primary: true, email: 'Owner@acme.example', email_key: 'owner@acme.example' },
    ]);
    expect(await info(body.key)).toMatchObject({
      plan: 'business',
      is_primary: true,
      created_at: new Date(here.now).toISOString(),
    });
    const accounts = async () => (await served.db.pool.query('SELECT count(*) AS n FROM accounts')).rows[0].n;
    const before = await accounts();
    expect((await open('label=Acme&email=owner%40ACME.example', operator)).body).toMatchObject({
      status: 409,
      code: 'conflict',
    });
    const twins = await Promise.all([1, 2, 3].map(() => open('label=Twin&email=twin%40acme.example', operator)));
    minted.push(...twins.flatMap((one) => one.body.key ?? []));
    expect(twins.map((one) => one.status).sort()).toEqual([200, 409, 409]);
    expect(await accounts()).toBe(before + 1);
  });

  test('customers may not, no parameter makes another role, and only plans on sale are accepted', async () => {
    expect((await open('label=x&plan=free', await addKey())).body).toMatchObject({
      status: 403,
      code: 'plan_required',
    });
    for (const query of [
      'plan=free',
      'label=x&plan=pro',
      'label=x&plan=internal',
      'label=x&role=internal',
      'label=x&email=x',
      'label=x&email=a..b%40acme.example',
      'label=x&email=a%40b.example%0d%0aBcc%3a%20c%40d.example',
      'label=a%0d%0ab',
    ])
      expect([query, (await open(query, operator)).status]).toEqual([query, 422]);
  });

  test('are not metered; their keys are not rotated and have no team', async () => {
    const answer = await call('GET', '/v1/paid', { key: operator });
    expect(answer.headers.get('x-credits-remaining')).toBe('unlimited');
    const use = await call('GET', '/v1/usage', { key: operator });
    expect([use.status, use.body.credits_limit, use.body.credits_remaining]).toEqual([200, null, null]);
    expect((await call('POST', '/v1/keys/rotate', { key: operator })).status).toBe(409);
    expect((await call('POST', '/v1/keys/team', { key: operator, body: { label: 'x' } })).status).toBe(409);
    expect((await call('GET', '/v1/keys/team', { key: operator })).body).toMatchObject({ keys: [] });
    const list = await call('POST', '/v1/keys/ip-whitelist', { key: operator, body: ['127.0.0.1'] });
    expect(list.body.ip_whitelist).toEqual(['127.0.0.1/32']);
  });
});

/** By place, each text of an example replaced in turn. */
function* spoilt(value: unknown, text: string): Generator<unknown> {
  if (typeof value === 'string') yield text;
  if (typeof value !== 'object' || value === null) return;
  for (const [name, member] of Object.entries(value))
    for (const other of spoilt(member, text))
      yield Array.isArray(value) ? value.with(Number(name), other) : { ...value, [name]: other };
}

/** What a request needs beside a parameter so that the parameter is used: the other names of a race, an instant. */
function beside(name: string): Record<string, string> {
  if (name === 'race_id') return {};
  const since = new Date(Date.now() - 60_000).toISOString();
  return { venue: 'Flemington', meeting_date: '2026-11-21', race_number: '1', label: 'test', since };
}

const HOSTILE = ["' OR '1'='1", "x'; DROP TABLE api_keys; --", '$1::uuid{}\\"%_'];

test('texts that mean something to SQL are data in every parameter and member of every operation', async () => {
  const key = await addKey({ role: 'internal', plan: 'enterprise' });
  const customer = await addKey();
  const requests = ENDPOINTS.flatMap((one) => {
    const method = one.method.toUpperCase();
    const example = one.body?.examples?.[0];
    const named = one.path.replace(/\{(\w+)\}/g, 'tab');
    const as = one.auth === 'primary_key' ? customer : key;
    return HOSTILE.flatMap((text) => [
      ...Object.keys(one.query ?? {}).map((name) => {
        const others = Object.entries(beside(name)).filter(([other]) => other in (one.query ?? {}));
        const query = new URLSearchParams({ ...Object.fromEntries(others), [name]: text });
        return [method, `${named}?${query}`, as, example];
      }),
      ...(one.params ? [[method, one.path.replace(/\{(\w+)\}/g, encodeURIComponent(text)), as, example]] : []),
      ...[...spoilt(example, text)].map((body) => [method, named, as, body]),
    ]) as [string, string, string, unknown][];
  });
  expect(requests.length).toBeGreaterThan(200);
  const failed: string[] = [];
  const lane = async (): Promise<void> => {
    for (let one = requests.pop(); one; one = requests.pop()) {
      const [method, path, as, body] = one;
      const { status, body: answer } = await call(method, path, { key: as, body });
      if (status === 200 && answer?.key) minted.push(answer.key);
      // No registry was read for this database: a premiership is a 503 whatever its name.
      if (status >= 500 && answer?.code !== 'store_filling')
        failed.push(`${method} ${path} ${JSON.stringify(body)}: ${status}`);
    }
  };
  await Promise.all(Array.from({ length: 8 }, lane));
  for (const text of HOSTILE)
    for (const name of ['X-API-Key', 'Cookie', 'X-Forwarded-For', 'If-None-Match', 'X-Request-Id', 'Origin']) {
      const value = name === 'Cookie' ? `__Host-session=${encodeURIComponent(text)}` : text;
      const { status, headers } = await call('POST', '/v1/keys/reveal', { headers: { [name]: value } });
      if (status >= 500 || JSON.stringify([...headers]).includes(text)) failed.push(`${name}: ${text}`);
    }
  expect(failed).toEqual([]);
});

test('a header of a request never becomes one of a response', async () => {
  const { headers } = await call('GET', '/v1/keys/info', {
    headers: { 'X-Request-Id': 'a%0d%0aSet-Cookie: x=1', 'X-API-Key': 'pe_live_%0d%0aX-Injected: 1' },
  });
  expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{32,36}$/);
  expect([headers.get('set-cookie'), headers.get('x-injected')]).toEqual([null, null]);
});

test('no key is anywhere but in the response that made it: not in another response, a header, an address, a log or the database', async () => {
  expect(minted.length).toBeGreaterThan(20);
  const { rows: tables } = await served.db.pool.query(
    `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')`,
  );
  const stored = await Promise.all(
    tables.map(
      async ({ name }) =>
        (await served.db.pool.query(`SELECT coalesce(string_agg(t::text, ' '), '') AS all FROM "${name}" t`)).rows[0]
          .all,
    ),
  );
  const everywhere = [
    stored.join(' '),
    JSON.stringify([here.logged, there.logged]),
    ...sent.map(({ headers, url }) => headers + url),
  ].join(' ');
  for (const key of minted) {
    expect(sent.filter(({ text }) => text.includes(key))).toHaveLength(1);
    expect(everywhere).not.toContain(key);
    expect(everywhere).not.toContain(key.slice(8, 40));
  }
  expect(stored.join(' ')).toContain(hashApiKey(minted[0]!).toString('hex'));
});
