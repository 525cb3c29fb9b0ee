// Credits over two API processes, one database: what is charged and refused, what the headers say, and that the ledger adds up after each.
import { Type } from '@sinclair/typebox';
import type { Pool } from 'pg';
import type { ApiDeps } from '../../../src/api/app';
import { type Endpoint, endpoint, flat } from '../../../src/api/endpoint';
import { AppError } from '../../../src/errors';
import { createStores } from '../../../src/store/create-stores';
import { followKeyChanges, type KeyChanges } from '../../../src/store/key-changes';
import { hashApiKey } from '../../../src/store/keys';
import type { Listener } from '../../../src/store/pg/listener';
import type { Reads } from '../../../src/store/reads/reads';
import type { Stores } from '../../../src/store/stores';
import { type Answer, keyRow, NOW, newKey, startApi, type TestApi } from '../../support/api/api';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database';
import { poolAs } from '../../support/servers/roles';

const about = { tag: 'Test', summary: 's', description: 'd', method: 'get', auth: 'key' } as const;
const ok = { description: 'ok', schema: Type.Any(), example: {} };
let worked = 0;
let meanwhile: () => Promise<unknown> = async () => {};
const ENDPOINTS: Endpoint[] = [
  endpoint({
    ...about,
    path: '/v1/thing',
    operationId: 'thing',
    cost: flat(3),
    query: { size: Type.Integer({ default: 1, minimum: 1, maximum: 9 }) },
    ok,
    async handler({ query }) {
      worked++;
      await meanwhile();
      if (query.size === 9) throw new AppError('not_found', 'There is no such thing.');
      return { body: { size: query.size } };
    },
  }),
  endpoint({ ...about, path: '/v1/one', operationId: 'one', cost: flat(1), ok, handler: async () => ({ body: {} }) }),
  endpoint({ ...about, path: '/v1/free', operationId: 'free', cost: flat(0), ok, handler: async () => ({ body: {} }) }),
];

let db: TestDatabase;
let stores: Stores;
let pools: Pool[];
const clock = { wall: Date.parse(NOW) };
const apis: TestApi[] = [];
const changes: (KeyChanges & Listener)[] = [];
const refreshed: (() => void)[] = [];
beforeAll(async () => {
  db = await createTestDatabase();
  stores = createStores(db.pool);
  pools = [poolAs(db, 'racing_api'), poolAs(db, 'racing_api')];
  for (const pool of pools) {
    const { keys, credits } = createStores(pool);
    const keyChanges = followKeyChanges(db.url);
    const following = new Promise<void>((done) =>
      keyChanges.watch({ following: done, lost: () => {}, changed: () => {} }),
    );
    changes.push(keyChanges);
    apis.push(await start({ keys, credits, keyChanges }));
    keyChanges.watch({ following: () => {}, lost: () => {}, changed: () => refreshed.shift()?.() });
    await following;
  }
});
afterEach(async () => {
  meanwhile = async () => {};
  clock.wall = Date.parse(NOW);
  expect(await stores.credits.audit()).toEqual([]);
});
afterAll(async () => {
  for (const api of apis) await api.close();
  for (const one of changes) await one.close();
  for (const pool of pools) await pool.end();
  await db.drop();
});

const start = (deps: Pick<ApiDeps, 'keys' | 'credits'> & Partial<ApiDeps>): Promise<TestApi> =>
  startApi({ reads: {} as Reads, endpoints: ENDPOINTS, wallMs: () => clock.wall, ...deps });

interface Account {
  readonly key: string;
  readonly accountId: string;
}
/** With so many of its credits used this month. */
async function anAccount(plan = 'free', used = 0): Promise<Account> {
  const key = newKey();
  await stores.keys.insert(hashApiKey(key), keyRow(key, { plan }));
  const { accountId, epoch } = (await stores.keys.find([hashApiKey(key)]))[0]!;
  const spent = { keyHash: hashApiKey(key), epoch, endpoint: 'before', allowance: used, period: '2026-11-01', at: NOW };
  if (used > 0) await stores.credits.charge([{ ...spent, cost: used }]);
  return { key, accountId };
}

const get = (key: string, path = '/v1/thing', i = 0, headers = {}): Promise<Answer> => apis[i]!.get(path, key, headers);
const creditsOf = ({ headers }: Answer) =>
  ['cost', 'used', 'limit', 'remaining', 'pct-used'].map((name) => headers.get(`x-credits-${name}`));
const usedBy = async ({ accountId }: Account): Promise<number> =>
  (
    await db.pool.query('SELECT COALESCE(sum(credits), 0) AS used FROM credit_ledger WHERE account_id = $1', [
      accountId,
    ])
  ).rows[0].used;
/** Resolves when both processes were told of a change. */
async function announced(write: () => Promise<unknown>): Promise<void> {
  const both = Promise.all([1, 2].map(() => new Promise<void>((done) => refreshed.push(done))));
  await write();
  await both;
}

test('a 200 costs its credits and says what is left', async () => {
  const { key } = await anAccount();
  expect(creditsOf(await get(key))).toEqual(['3', '3', '3000', '2997', '0.1']);
  expect(creditsOf(await get(key, '/v1/one', 1))).toEqual(['1', '4', '3000', '2996', '0.1']);
});

test('what fails, a 304, HEAD and an operation without a cost are free', async () => {
  const account = await anAccount();
  const { key } = account;
  const first = await get(key);
  const free = [
    await get(key, '/v1/thing?size=0'),
    await get(key, '/v1/thing?size=9'),
    await get(key, '/v1/thing', 0, { 'If-None-Match': first.headers.get('etag')! }),
    await apis[0]!.send('HEAD', '/v1/thing', { key }),
    await get(key, '/v1/free'),
  ];
  expect(free.map(({ status }) => status)).toEqual([422, 404, 304, 200, 200]);
  expect(free.map((one) => creditsOf(one)[0])).toEqual([null, null, '0', '0', null]);
  expect(await usedBy(account)).toBe(3);
});

test('200 callers on two processes with 150 credits left get exactly 150 credits’ worth', async () => {
  const account = await anAccount('free', 2850);
  const all = await Promise.all(
    Array.from({ length: 200 }, (_, i) => get(account.key, i % 4 < 2 ? '/v1/thing' : '/v1/one', i % 2)),
  );
  const worth = all.filter(({ status }) => status === 200).map((one) => Number(creditsOf(one)[0]));
  expect(worth.reduce((sum, cost) => sum + cost, 0)).toBe(150);
  expect(new Set(all.map(({ status }) => status))).toEqual(new Set([200, 402]));
  // No two answers left the same balance.
  expect(new Set(all.filter(({ status }) => status === 200).map((one) => creditsOf(one)[3])).size).toBe(worth.length);
  expect(await usedBy(account)).toBe(3000);
});

test('a 402 names the plan that the measured rate needs, and is refused before the work the next time', async () => {
  const { key } = await anAccount('free', 2999);
  const first = await get(key);
  expect(first.body).toMatchObject({
    code: 'payment_required',
    required_plan: 'hobby',
    upgrade_url: 'https://api.example.com/docs',
  });
  expect(first.body.detail).toMatch(
    /^This call costs 3 credits, and 1 of this month are left on the Free plan \(3,000 credits a month\)[.] The Hobby plan has 7,500 credits for A[$]9 a month, enough for your rate of [\d,]+ credits a month[.] Credits reset at 2026-12-01T00:00:00.000Z[.]$/,
  );
  expect(creditsOf(first)).toEqual(['0', '2999', '3000', '1', '100.0']);
  const upgrade = Object.fromEntries([...first.headers].filter(([name]) => name.startsWith('x-upgrade')));
  expect(upgrade).toEqual({
    'x-upgrade-plan': 'hobby',
    'x-upgrade-credits': '7500',
    'x-upgrade-price-aud': '9',
    'x-upgrade-url': 'https://api.example.com/docs',
    'x-upgrade-covers': 'full',
    'x-upgrade-sized-for': expect.stringMatching(/^\d+$/),
  });
  const before = worked;
  expect((await get(key)).status).toBe(402);
  expect(worked).toBe(before);
  expect((await get(key, '/v1/one')).status).toBe(200);
});

test('from 80 percent on every charged response warns and shows an upgrade', async () => {
  const { key } = await anAccount('free', 2396);
  const [below, above] = [await get(key), await get(key)];
  expect([below, above].map(({ headers }) => headers.get('x-credits-warning'))).toEqual([null, 'approaching-limit']);
  expect([below, above].map(({ headers }) => headers.get('x-upgrade-plan'))).toEqual([null, 'hobby']);
  expect(above.headers.get('x-credits-pct-used')).toBe('80.1');
});

describe('an account that is spent works again', () => {
  test.each<[string, (account: Account) => Promise<unknown>]>([
    [
      'when the month turns in UTC',
      async () => {
        clock.wall = Date.parse('2026-12-01T00:00:00.000Z');
      },
    ],
    [
      'after a grant',
      ({ accountId }) =>
        announced(() => stores.credits.grant({ accountId, credits: 5, reason: 'test', period: '2026-11-01', at: NOW })),
    ],
    ['after an upgrade', ({ accountId }) => announced(() => stores.keyRegister.setPlan(accountId, 'hobby'))],
  ])('%s', async (_, heal) => {
    const account = await anAccount('free', 3000);
    for (const i of [0, 1, 0, 1]) expect((await get(account.key, '/v1/thing', i)).status).toBe(402);
    await heal(account);
    expect((await get(account.key)).status).toBe(200);
    expect((await get(account.key, '/v1/one', 1)).status).toBe(200);
  });

  test('the moment before the month turns it does not', async () => {
    const { key } = await anAccount('free', 3000);
    clock.wall = Date.parse('2026-11-30T23:59:59.999Z');
    expect((await get(key)).status).toBe(402);
  });

  test('after seconds, where nothing was announced', async () => {
    const { key, accountId } = await anAccount('free', 3000);
    expect((await get(key)).status).toBe(402);
    await db.pool.query('INSERT INTO credit_grants VALUES ($1, 3)', [accountId]);
    await db.pool.query(
      `INSERT INTO credit_ledger (period, at, account_id, kind, subject, credits) VALUES ('2026-11-01', $2, $1, 'grant', 'x', 3)`,
      [accountId, NOW],
    );
    expect((await get(key)).status).toBe(402);
    clock.wall += 5000;
    expect((await get(key)).status).toBe(200);
  });
});

describe('a key that changes while its call is worked on', () => {
  test('and is revoked is refused, and not charged', async () => {
    const account = await anAccount();
    meanwhile = () => stores.keyRegister.revoke(hashApiKey(account.key).toString('hex'), NOW);
    expect((await get(account.key)).body).toMatchObject({ status: 401, code: 'unauthorized' });
    expect(await usedBy(account)).toBe(0);
  });
  test('and moves to another plan is asked to call again', async () => {
    const account = await anAccount();
    meanwhile = () => stores.keyRegister.setPlan(account.accountId, 'plus');
    const { status, headers } = await get(account.key);
    expect([status, headers.get('retry-after')]).toEqual([503, '1']);
    expect(await usedBy(account)).toBe(0);
    meanwhile = async () => {};
    expect(creditsOf(await get(account.key))).toEqual(['3', '3', '140000', '139997', '0.0']);
  });
  test('and keeps its rights is served and charged once', async () => {
    const account = await anAccount();
    meanwhile = () =>
      db.pool.query(`UPDATE api_keys SET label = 'other' WHERE key_hash = $1`, [hashApiKey(account.key)]);
    expect((await get(account.key)).status).toBe(200);
    expect(await usedBy(account)).toBe(3);
  });
});

test('an internal key is not metered', async () => {
  const key = newKey();
  await stores.keys.insert(hashApiKey(key), keyRow(key, { role: 'internal' }));
  expect(creditsOf(await get(key))).toEqual(['0', '0', 'unlimited', 'unlimited', null]);
});

test('while the database is away, what costs credits is a 503 with Retry-After, and what is free is served (D36)', async () => {
  const { key } = await anAccount();
  const away = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
  const api = await start({ keys: stores.keys, credits: { ...stores.credits, charge: () => Promise.reject(away) } });
  try {
    const { status, headers, body } = await api.get('/v1/thing', key);
    expect([status, body.code, headers.get('retry-after')]).toEqual([503, 'unavailable', '5']);
    expect((await api.get('/v1/free', key)).status).toBe(200);
  } finally {
    await api.close();
  }
});
