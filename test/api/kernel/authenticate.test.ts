// Who may call what besides a plain key: sessions, primary keys, allow-lists, replaced keys.
import { randomBytes } from 'node:crypto';
import { Type } from '@sinclair/typebox';
import { endpoint, flat } from '../../../src/api/kernel/endpoint/endpoint';
import { isAllowed } from '../../../src/api/kernel/keys/allow-list';
import { hashToken } from '../../../src/api/kernel/session/session';
import { logout } from '../../../src/api/operations/session/logout';
import { logoutAll } from '../../../src/api/operations/session/logout-all';
import { hashApiKey } from '../../../src/store/keys/keys';
import { type Served, serve } from '../../support/api/served';

const about = {
  method: 'post',
  tag: 'Health',
  summary: 's',
  description: 'd',
  cost: flat(0),
  ofAccount: true,
} as const;
const ok = { description: 'ok', schema: Type.Any(), example: {} };
const whose = { ok, handler: async ({ account }: { account: unknown }) => ({ body: account }) };
const either = endpoint()({ ...about, ...whose, path: '/v1/either', operationId: 'either', auth: 'session_or_key' });
const primary = endpoint()({ ...about, ...whose, path: '/v1/primary', operationId: 'primary', auth: 'primary_key' });

let served: Served;
beforeAll(async () => {
  served = await serve({ endpoints: [logout, logoutAll, either, primary] });
});
afterAll(() => served.stop());

const accountOf = async (key: string): Promise<string> => {
  const { rows } = await served.db.pool.query('SELECT account_id FROM api_keys WHERE key_hash = $1', [hashApiKey(key)]);
  return rows[0].account_id;
};

/** The cookie of a new session. */
async function signIn(accountId: string): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  const text = `INSERT INTO sessions VALUES ($1, $2, $3, $3::timestamptz + interval '30 days')`;
  await served.db.pool.query(text, [hashToken(token), accountId, new Date(served.api.now)]);
  return `__Host-session=${token}`;
}

const post = (path: string, headers: Record<string, string> = {}, key?: string) =>
  served.api.send('POST', path, { key, headers });

test('a session ends with sign-out, on this device or on all', async () => {
  const accountId = await accountOf(await served.addKey());
  const here = await signIn(accountId);
  const there = await signIn(accountId);
  const elsewhere = await signIn(accountId);
  const out = await post('/v1/logout', { Cookie: here });
  expect([out.status, out.headers.get('cache-control')]).toEqual([200, 'no-store']);
  expect(out.headers.get('set-cookie')).toMatch(
    /^__Host-session=; path=\/; expires=Thu, 01 Jan 1970.*; samesite=lax; secure; httponly$/,
  );
  expect((await post('/v1/either', { Cookie: here })).status).toBe(401);
  expect((await post('/v1/either', { Cookie: there })).body).toMatchObject({ accountId });
  expect((await post('/v1/logout/all', { Cookie: there })).status).toBe(200);
  expect((await post('/v1/either', { Cookie: elsewhere })).status).toBe(401);
});

test('a session lasts thirty days', async () => {
  const cookie = await signIn(await accountOf(await served.addKey()));
  const month = 30 * 86_400_000;
  served.api.now += month - 1000;
  expect((await post('/v1/either', { Cookie: cookie })).status).toBe(200);
  served.api.now += 1000;
  expect((await post('/v1/either', { Cookie: cookie })).status).toBe(401);
  served.api.now -= month;
});

test('a page of another origin cannot use a session, and a forged cookie opens none', async () => {
  const cookie = await signIn(await accountOf(await served.addKey()));
  const foreign: Record<string, string>[] = [
    { Origin: 'https://evil.example' },
    { Origin: 'null' },
    { 'Sec-Fetch-Site': 'cross-site' },
  ];
  for (const headers of [...foreign, { 'Sec-Fetch-Site': 'same-site' }])
    expect((await post('/v1/logout', { Cookie: cookie, ...headers })).body.code).toBe('plan_required');
  for (const headers of [
    { Origin: 'https://api.example.com' } as Record<string, string>,
    { 'Sec-Fetch-Site': 'same-origin' },
    {},
  ])
    expect((await post('/v1/either', { Cookie: cookie, ...headers })).status).toBe(200);
  for (const forged of ['__Host-session=x', `__Host-session=${'a'.repeat(5000)}`, 'session=x'])
    expect((await post('/v1/either', { Cookie: forged })).status).toBe(401);
});

test('a team key is not the account’s primary key', async () => {
  expect((await post('/v1/primary', {}, await served.addKey())).status).toBe(200);
  const key = await served.addKey();
  await served.db.pool.query('UPDATE api_keys SET is_primary = false WHERE key_hash = $1', [hashApiKey(key)]);
  expect((await post('/v1/primary', {}, key)).body).toMatchObject({ status: 403, code: 'plan_required' });
  expect((await post('/v1/either', {}, key)).status).toBe(200);
});

test('a key with an allow-list is refused elsewhere, and the refused request costs nothing', async () => {
  const allowing = async (list: string[]) => {
    const key = await served.addKey();
    const text = 'UPDATE api_keys SET allowed_addresses = $2 WHERE key_hash = $1';
    await served.db.pool.query(text, [hashApiKey(key), list]);
    return key;
  };
  const key = await allowing(['203.0.113.0/24', '2001:db8::/32']);
  const refused = await post('/v1/either', {}, key);
  expect(refused.body).toMatchObject({
    status: 403,
    code: 'ip_not_allowed',
    detail: expect.stringContaining('127.0.0.1'),
  });
  expect(refused.headers.get('x-ratelimit-limit')).toBeNull();
  expect((await post('/v1/either', {}, await allowing(['127.0.0.0/8']))).status).toBe(200);
});

test.each([
  ['203.0.113.7', true],
  ['203.0.114.7', false],
  ['2001:db8:1::7', true],
  ['2001:db9::7', false],
  ['', false],
])('an allow-list of both families and %p: %p', (address, expected) => {
  expect(isAllowed(['203.0.113.0/24', '2001:db8::/32'], address)).toBe(expected);
});

test('a replaced key works until its last instant', async () => {
  const key = await served.addKey();
  const text = 'UPDATE api_keys SET expires_at = $2 WHERE key_hash = $1';
  await served.db.pool.query(text, [hashApiKey(key), new Date(served.api.now + 1000)]);
  expect((await post('/v1/primary', {}, key)).status).toBe(200);
  served.api.now += 1000;
  expect((await post('/v1/primary', {}, key)).body).toMatchObject({
    status: 401,
    detail: expect.stringContaining('replaced'),
  });
  served.api.now -= 1000;
});
