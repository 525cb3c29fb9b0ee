// Credits over two API processes, one database: what is charged and refused, what the headers say, and that the ledger
// adds up after each.

import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { Type } from '@sinclair/typebox';
import type { Pool, PoolClient } from 'pg';
import { createBalances } from '../../../../src/api/kernel/charging/balances';
import { createCharger } from '../../../../src/api/kernel/charging/charger';
import { type Endpoint, endpoint, flat } from '../../../../src/api/kernel/endpoint/endpoint';
import type { Services } from '../../../../src/api/operations';
import { keyInfo } from '../../../../src/api/operations/account/key-info';
import { usage } from '../../../../src/api/operations/account/usage';
import { usageAnalytics } from '../../../../src/api/operations/account/usage-analytics';
import { AppError } from '../../../../src/errors';
import { createStores } from '../../../../src/store/create-stores';
import type { BalanceQuery, Charge, CreditStore } from '../../../../src/store/credits/credits';
import { followKeyChanges, type KeyChanges } from '../../../../src/store/keys/key-changes';
import { hashApiKey, type StoredKey } from '../../../../src/store/keys/keys';
import type { Listener } from '../../../../src/store/pg/listener';
import { createPool } from '../../../../src/store/pg/pool';
import { isUnreachable } from '../../../../src/store/pg/unreachable';
import type { Reads } from '../../../../src/store/reads/reads';
import type { Stores } from '../../../../src/store/stores';
import { type Answer, keyRow, NOW, newKey, startApi, type TestApi } from '../../../support/api/api';
import { expectConforms } from '../../../support/api/conforms';
import type { GivenApi } from '../../../support/api/given-api';
import { PATIENT_MS } from '../../../support/patient';
import { createTestDatabase, type TestDatabase } from '../../../support/servers/database';
import { untilBlocked } from '../../../support/servers/lock-waiters';
import { asLogin, poolAs } from '../../../support/servers/roles';
import { waitFor } from '../../../support/servers/service';
import { type TcpLine, tcpLine } from '../../../support/servers/tcp-line';

const about = { tag: 'Health', summary: 's', description: 'd', method: 'get', auth: 'key' } as const;
const ok = { description: 'ok', schema: Type.Any(), example: {} };
let worked = 0;
let meanwhile: () => Promise<unknown> = async () => {};
const ENDPOINTS: Endpoint<Services>[] = [
  endpoint()({
    ...about,
    path: '/v1/thing',
    operationId: 'thing',
    cost: flat(3),
    query: { size: Type.Integer({ default: 1, minimum: 1, maximum: 9 }) },
    ok,
    async handler({ query }) {
      worked++;
      await meanwhile();
      if (query.size === 8) throw new Error('it broke');
      if (query.size === 9) throw new AppError('not_found', 'There is no such thing.');
      return { body: { size: query.size } };
    },
  }),
  endpoint()({ ...about, path: '/v1/one', operationId: 'one', cost: flat(1), ok, handler: async () => ({ body: {} }) }),
  usage,
  usageAnalytics,
  keyInfo,
  endpoint()({
    ...about,
    path: '/v1/stream',
    operationId: 'stream',
    cost: flat(5),
    query: { breaks: Type.Boolean({ default: false }) },
    streamed: () => true,
    ok,
    async handler({ query }) {
      const rows = async function* () {
        yield 'first\n';
        if (query.breaks) throw new Error('the source broke');
      };
      return { type: 'text/csv', open: () => Readable.from(rows()) };
    },
  }),
  endpoint()({
    ...about,
    path: '/v1/free',
    operationId: 'free',
    cost: flat(0),
    ok,
    handler: async () => ({ body: {} }),
  }),
];

let db: TestDatabase;
let stores: Stores;
let pools: Pool[];
const clock = { wall: Date.parse(NOW) };
const apis: TestApi[] = [];
const changes: (KeyChanges & Listener)[] = [];
const refreshed: (() => void)[] = [];
/** However slow the machine is. */
const balancesOf = (store: Pick<CreditStore, 'balances'>) => createBalances(store, { withinMs: PATIENT_MS, restMs: 0 });
beforeAll(async () => {
  db = await createTestDatabase();
  stores = createStores(db.pool);
  pools = [poolAs(db, 'racing_api'), poolAs(db, 'racing_api')];
  for (const pool of pools) {
    const { keys, credits, usage: used } = createStores(pool);
    const keyChanges = followKeyChanges(db.url);
    const following = new Promise<void>((done) =>
      keyChanges.watch({ following: done, lost: () => {}, changed: () => {} }),
    );
    changes.push(keyChanges);
    const metered = { charger: createCharger(credits), balances: balancesOf(credits), usage: used };
    apis.push(await start({ keys, ...metered, keyChanges }));
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

const start = (deps: Pick<GivenApi, 'keys' | 'charger'> & Partial<GivenApi>): Promise<TestApi> =>
  startApi({ reads: {} as Reads, endpoints: ENDPOINTS, wallMs: () => clock.wall, ...deps });

interface Account {
  readonly key: string;
  readonly accountId: string;
}
/** With so many of its credits used this month. */
async function anAccount(plan = 'free', used = 0, usedAt = NOW): Promise<Account> {
  const key = newKey();
  await stores.keys.insert(hashApiKey(key), keyRow(key, { plan }));
  const { accountId, epoch } = (await stores.keys.find([hashApiKey(key)]))[0]!;
  const at = { period: '2026-11-01', at: usedAt };
  const spent = {
    id: randomUUID(),
    keyHash: hashApiKey(key),
    epoch,
    endpoint: 'before',
    allowance: used,
    overage: 0,
    ...at,
  };
  if (used > 0) await stores.credits.charge([{ ...spent, cost: used }]);
  return { key, accountId };
}

const get = (key: string, path = '/v1/thing', i = 0, headers = {}): Promise<Answer> => apis[i]!.get(path, key, headers);
const creditsOf = ({ headers }: Answer) =>
  ['cost', 'used', 'limit', 'remaining', 'pct-used'].map((name) => headers.get(`x-credits-${name}`));
const usedBy = async ({ accountId }: Account): Promise<number> =>
  (
    await db.pool.query(
      `SELECT COALESCE(sum(CASE kind WHEN 'return' THEN -credits ELSE credits END), 0) AS used FROM credit_ledger WHERE account_id = $1`,
      [accountId],
    )
  ).rows[0].used;
/** Resolves when both processes have received the change. */
async function announced(write: () => Promise<unknown>): Promise<void> {
  const both = Promise.all([1, 2].map(() => new Promise<void>((done) => refreshed.push(done))));
  await write();
  await both;
}

test('a 200 costs its credits and reports what is left', async () => {
  const { key } = await anAccount();
  expect(creditsOf(await get(key))).toEqual(['3', '3', '3000', '2997', '0.1']);
  expect(creditsOf(await get(key, '/v1/one', 1))).toEqual(['1', '4', '3000', '2996', '0.1']);
});

test('a refusal, a 304 and HEAD cost 0 and state the balance, also of another process; a failure of ours and what is free do not', async () => {
  const account = await anAccount();
  const { key } = account;
  const first = await get(key);
  const free = [
    await get(key, '/v1/thing?size=0', 1),
    await get(key, '/v1/thing?size=9'),
    await get(key, '/v1/thing', 0, { 'If-None-Match': first.headers.get('etag')! }),
    await apis[0]!.send('HEAD', '/v1/thing', { key }),
    await apis[1]!.send('HEAD', '/v1/stream', { key }),
    await get(key, '/v1/thing?size=8'),
    await get(key, '/v1/free'),
    await get(newKey()),
  ];
  expect(free.map(({ status }) => status)).toEqual([422, 404, 304, 200, 200, 500, 200, 401]);
  const stated = ['0', '3', '3000', '2997', '0.1'];
  const none = [null, null, null, null];
  expect(free.map(creditsOf)).toEqual([...Array(5).fill(stated), ['0', ...none], ...Array(2).fill([null, ...none])]);
  expect(await usedBy(account)).toBe(3);
});

test('requests beyond the limit read the balance of their account once a second, however many they are', async () => {
  const { key } = await anAccount('free', 2);
  const reads: BalanceQuery[] = [];
  const counted = balancesOf({
    balances: (queries) => {
      reads.push(...queries);
      return stores.credits.balances(queries);
    },
  });
  const full = { take: async () => ({ admitted: false, remaining: 0, waitMs: 1 }), windowMs: 60_000 };
  const charger = createCharger(stores.credits);
  const limited = await start({ keys: stores.keys, charger, balances: counted, keyLimit: full });
  try {
    const flood = () => Promise.all(Array.from({ length: 50 }, () => limited.get('/v1/thing', key)));
    const answers = [...(await flood()), ...(await flood())];
    const texts = answers.map((one) => [one.status, ...creditsOf(one)].join(' '));
    expect(new Set(texts)).toEqual(new Set(['429 0 2 3000 2998 0.1']));
    expect(reads).toHaveLength(1);
    clock.wall += 1000;
    await get(key);
    clock.wall += 1000;
    expect(creditsOf((await flood())[0]!)[1]).toBe('5');
    expect(reads).toHaveLength(2);
  } finally {
    await limited.close();
  }
});

test('a stream costs its credits, and a stream that the server breaks is given back (D34)', async () => {
  const account = await anAccount();
  expect(creditsOf(await get(account.key, '/v1/stream'))).toEqual(['5', '5', '3000', '2995', '0.2']);
  await expect(get(account.key, '/v1/stream?breaks=true')).rejects.toThrow();
  await waitFor(async () => (await usedBy(account)) === 5, PATIENT_MS);
  const { body } = await get(account.key, '/v1/usage');
  expect(body.recent_activity.map(({ credits }: { credits: number }) => credits)).toEqual([5]);
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
    upgrade_url: 'https://api.example.com/account',
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
    'x-upgrade-url': 'https://api.example.com/account',
    'x-upgrade-covers': 'full',
    'x-upgrade-sized-for': expect.stringMatching(/^\d+$/),
  });
  const before = worked;
  expect((await get(key)).status).toBe(402);
  expect(worked).toBe(before);
  // HEAD is free.
  expect((await apis[0]!.send('HEAD', '/v1/thing', { key })).status).toBe(200);
  expect((await get(key, '/v1/one')).status).toBe(200);
});

test("once one key has used the balance up, the account's other keys are refused before any work", async () => {
  const { key, accountId } = await anAccount('business', 299_999);
  const by = { accountId, keyHash: hashApiKey(key) };
  const others = [newKey(), newKey()];
  for (const one of others) {
    const draft = { hash: hashApiKey(one), last4: one.slice(-4), label: 'team', allowedAddresses: [], scopes: null };
    await stores.teamKeys.add(by, draft, NOW, () => 10);
  }
  const all = [key, ...others];
  for (const one of all) expect((await get(one)).status).toBe(402);
  const before = worked;
  for (const one of [...all, ...all]) expect((await get(one)).status).toBe(402);
  expect(worked).toBe(before);
  expect((await get(others[0]!, '/v1/one')).status).toBe(200);
});

test('the rate goes by the days until the credits were used up, in a 402, in refusals and in usage', async () => {
  const { key } = await anAccount('free', 2999, '2026-11-03T00:00:00.000Z');
  const sizedFor = ({ headers }: Answer) => [headers.get('x-upgrade-plan'), headers.get('x-upgrade-sized-for')];
  const first = await get(key);
  expect([first.status, first.body.required_plan]).toEqual([402, 'standard']);
  for (const answer of [first, await get(key), await get(key, '/v1/thing?size=0'), await get(key, '/v1/thing', 1)])
    expect(sizedFor(answer)).toEqual(['standard', '44985']);
  const { upgrade } = (await get(key, '/v1/usage')).body;
  expect(upgrade).toMatchObject({ recommended_plan: 'standard', sized_for_credits_per_month: 44_985 });
});

test('from 80 percent on every response that states the balance warns and shows an upgrade', async () => {
  const { key } = await anAccount('free', 2396);
  const refused = () => get(key, '/v1/thing?size=0');
  const below = await get(key);
  const above = await get(key);
  const upgradeOf = ({ headers }: Answer) =>
    [...headers].filter(([name]) => /^x-(credits-warning|upgrade)/.test(name)).join();
  expect(upgradeOf(await refused())).toBe(upgradeOf(above));
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

  test.each([5000, -5000])('after seconds, where nothing was announced: the clock moves by %i ms', async (byMs) => {
    const { key, accountId } = await anAccount('free', 3000);
    expect((await get(key)).status).toBe(402);
    await db.pool.query('INSERT INTO credit_grants VALUES ($1, 3)', [accountId]);
    await db.pool.query(
      `INSERT INTO credit_ledger (period, at, account_id, kind, subject, credits) VALUES ('2026-11-01', $2, $1, 'grant', 'x', 3)`,
      [accountId, NOW],
    );
    expect((await get(key)).status).toBe(402);
    clock.wall += byMs;
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
  test('and moves to another plan gets a 503, to call again', async () => {
    const account = await anAccount();
    meanwhile = () => stores.keyRegister.setPlan(account.accountId, 'plus');
    const { status, headers } = await get(account.key);
    expect([status, headers.get('retry-after'), headers.get('x-credits-cost')]).toEqual([503, '1', '0']);
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
  for (const path of ['/v1/thing', '/v1/thing?size=0'])
    expect(creditsOf(await get(key, path))).toEqual(['0', '0', 'unlimited', 'unlimited', null]);
});

describe('behind a connection to the database that breaks', () => {
  let line: TcpLine;
  let pool: Pool;
  let api: TestApi;
  beforeAll(async () => {
    line = await tcpLine(asLogin(db.url, 'racing_api'));
    pool = createPool(line.url, 5);
    const { keys, credits } = createStores(pool);
    api = await start({ keys, charger: createCharger(credits), balances: balancesOf(credits) });
  });
  afterEach(() => line.mend());
  afterAll(async () => {
    await api.close();
    await pool.end();
    await line.close();
  });
  /** Charges of the account wait while this runs. */
  async function whileHeld({ accountId }: Account, work: (holder: PoolClient) => Promise<unknown>): Promise<void> {
    const holder = await db.pool.connect();
    try {
      await holder.query('BEGIN');
      await holder.query('SELECT FROM credit_balances WHERE account_id = $1 FOR UPDATE', [accountId]);
      await work(holder);
      await holder.query('COMMIT');
    } finally {
      // Ends its transaction, whatever happened.
      holder.release(true);
    }
  }

  test('a charge whose reply is lost is sent again, answered and charged once', async () => {
    const account = await anAccount('free', 1);
    expect((await api.get('/v1/free', account.key)).status).toBe(200);
    let answer: Promise<Answer> | undefined;
    await whileHeld(account, async (holder) => {
      answer = api.get('/v1/thing', account.key);
      await untilBlocked(db.pool, holder);
      await line.cut();
      await line.mend();
    });
    expect(creditsOf(await answer!)).toEqual(['3', '4', '3000', '2996', '0.1']);
    expect(await usedBy(account)).toBe(4);
  });

  test('a charge whose outcome stays unknown is refused, and given back once the database answers', async () => {
    const account = await anAccount('free', 1);
    const [{ epoch, keyId }] = (await stores.keys.find([hashApiKey(account.key)])) as [StoredKey];
    const charger = createCharger(createStores(pool).credits, undefined, {
      againForMs: 0,
      pauseMs: 1,
      giveBackEveryMs: 1,
      mostUnsettled: 9,
    });
    const { accountId } = account;
    const charge = { keyHash: hashApiKey(account.key), epoch, allowance: 19, overage: 0, endpoint: 'x', cost: 2 };
    const chargeOf = (name?: string): Charge => ({
      ...charge,
      id: randomUUID(),
      period: '2026-11-01',
      at: NOW,
      ...(name && { part: { accountId, name, since: '2026-11-20T03:00:00.000Z' } }),
    });
    const send = (name?: string) => charger.charge(chargeOf(name), { accountId, keyId });
    const refused: Promise<unknown>[] = [];
    await whileHeld(account, async (holder) => {
      refused.push(...[send('shared'), send('alone'), send()].map((each) => each.catch(isUnreachable)));
      await untilBlocked(db.pool, holder, 3);
      await line.cut();
      expect(await Promise.all(refused)).toEqual([true, true, true]);
    });
    // The statements that were under way were committed all the same, and another process serves a part before they are
    // given back.
    await waitFor(async () => (await usedBy(account)) === 7, PATIENT_MS);
    const elsewhere = createCharger(stores.credits);
    const part = () => elsewhere.charge(chargeOf('shared'), { accountId, keyId });
    expect(await part()).toMatchObject({ verdict: 'charged', joined: '2026-11-01', used: 7 });
    await line.mend();
    await waitFor(async () => (await usedBy(account)) === 3, PATIENT_MS);
    expect(await send()).toMatchObject({ verdict: 'charged', used: 5 });
    expect(await send('shared')).toMatchObject({ joined: '2026-11-01', used: 5 });
    expect(await send('alone')).toMatchObject({ joined: null, used: 7 });
  });

  test('a return that fails does not end its download, so that the next part is not charged again', async () => {
    const account = await anAccount('free', 1);
    const [{ epoch, keyId }] = (await stores.keys.find([hashApiKey(account.key)])) as [StoredKey];
    const { accountId } = account;
    const line = { endpoint: 'x', period: '2026-11-01', at: NOW };
    const charge = { keyHash: hashApiKey(account.key), epoch, allowance: 9, overage: 0, cost: 2 };
    const part = { accountId, name: 'v1', since: '2026-11-20T03:00:00.000Z' };
    const fetchPart = (id: string) => stores.credits.chargeDownload({ ...line, ...charge, id, part });
    const id = randomUUID();
    expect(await fetchPart(id)).toMatchObject({ verdict: 'charged', joined: null });
    const giveBack = () => createStores(pool).credits.giveBack([{ ...line, id, accountId, keyId, download: 'v1' }]);
    await whileHeld(account, async (holder) => {
      const failed = expect(giveBack()).rejects.toThrow('canceling statement');
      await untilBlocked(db.pool, holder);
      await holder.query(
        'SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE pg_backend_pid() = ANY (pg_blocking_pids(pid))',
      );
      await failed;
    });
    expect(await fetchPart(randomUUID())).toMatchObject({ verdict: 'charged', joined: '2026-11-01' });
    await giveBack();
    expect(await usedBy(account)).toBe(3);
  });

  test('what costs credits is a 503 with Retry-After while it is away; what is free is served, and refusals state no balance (D36)', async () => {
    const account = await anAccount();
    expect((await api.get('/v1/free', account.key)).status).toBe(200);
    await line.cut();
    const { status, headers, body } = await api.get('/v1/thing', account.key);
    expect([status, body.code, headers.get('retry-after')]).toEqual([503, 'unavailable', '5']);
    const refused = await api.get('/v1/thing?size=0', account.key);
    expect([refused.status, ...creditsOf(refused)]).toEqual([422, '0', null, null, null, null]);
    expect((await api.get('/v1/free', account.key)).status).toBe(200);
    expect(await usedBy(account)).toBe(0);
  });
});

describe('overage', () => {
  /** A Business account with overage on, and so many of its credits used. */
  async function business(used: number): Promise<Account> {
    const account = await anAccount('business', used);
    await announced(() => stores.overage.setOverage(account.accountId, true));
    return account;
  }
  const overageOf = ({ headers }: Answer) => headers.get('x-credits-overage');

  test('goes on beyond the allowance to its ceiling, and the headers count it', async () => {
    const { key } = await business(299_998);
    const over = await get(key);
    expect([...creditsOf(over), overageOf(over)]).toEqual(['3', '300001', '450000', '149999', '66.7', '1']);
    const { body } = await get(key, '/v1/usage');
    expectConforms('usage', body);
    expect(body).toMatchObject({ credits_used: 300_001, credits_overage: 1, credits_limit: 450_000 });
    expect(body.credits_remaining).toBe(149_999);
  });

  test('is warned of before it begins: from 80 percent of the allowance on', async () => {
    const { key } = await business(239_994);
    const answers = [await get(key), await get(key)];
    expect(answers.map(({ headers }) => headers.get('x-credits-warning'))).toEqual([null, 'approaching-limit']);
    expect(answers.map(({ headers }) => headers.get('x-upgrade-plan'))).toEqual([null, 'platform']);
    expect((await get(key, '/v1/usage')).body).toMatchObject({
      warning: 'approaching-limit',
      credits_limit: 450_000,
      upgrade: { recommended_plan: 'platform' },
    });
  });

  test('ends at the ceiling with a 402 that names it, on both processes', async () => {
    const account = await business(300_000);
    const [{ epoch }] = (await stores.keys.find([hashApiKey(account.key)])) as [StoredKey];
    const charge = {
      keyHash: hashApiKey(account.key),
      epoch,
      endpoint: 'before',
      allowance: 300_000,
      overage: 150_000,
    };
    await stores.credits.charge([{ ...charge, id: randomUUID(), cost: 149_998, period: '2026-11-01', at: NOW }]);
    const both = await Promise.all([get(account.key), get(account.key, '/v1/thing', 1)]);
    for (const one of both) {
      expect([...creditsOf(one), overageOf(one)]).toEqual(['0', '449998', '450000', '2', '100.0', '149998']);
      expect(one.body.detail).toContain('(300,000 credits a month, and 150,000 credits of overage)');
    }
    expect(await stores.overage.overage(account.accountId, '2026-11-01')).toMatchObject({
      used: [{ plan: 'business', credits: 149_998 }],
    });
  });

  test('is no more once it is switched off, and none on a plan without it', async () => {
    const account = await business(300_000);
    expect((await get(account.key)).status).toBe(200);
    await announced(() => stores.overage.setOverage(account.accountId, false));
    const off = await get(account.key);
    expect([off.status, ...creditsOf(off), overageOf(off)]).toEqual([402, '0', '300003', '300003', '0', '100.0', '3']);
    const plus = await anAccount('plus', 140_000);
    await announced(() => stores.overage.setOverage(plus.accountId, true));
    const spent = await get(plus.key);
    expect([spent.status, creditsOf(spent)[2], overageOf(spent)]).toEqual([402, '140000', null]);
  });
});

describe('what an account reads of itself', () => {
  const spend = async (): Promise<{ account: Account; last: Answer }> => {
    const account = await anAccount();
    clock.wall = Date.parse('2026-10-31T23:00:00.000Z');
    await get(account.key);
    clock.wall = Date.parse(NOW);
    await get(account.key, '/v1/one');
    return { account, last: await get(account.key, '/v1/thing', 1) };
  };
  const own = async (key: string, path: string): Promise<Answer> => {
    const answer = await get(key, path);
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect([...answer.headers.keys()].filter((name) => /^x-credits|^etag/.test(name))).toEqual([]);
    return answer;
  };

  test('are the figures in the headers of its last charge', async () => {
    const { account, last } = await spend();
    const { body } = await own(account.key, '/v1/usage');
    expectConforms('usage', body);
    expect(creditsOf(last)).toEqual(['3', '4', '3000', '2996', '0.1']);
    expect(body).toMatchObject({
      plan: 'free',
      credits_used: 4,
      credits_limit: 3000,
      credits_remaining: 2996,
      warning: null,
      upgrade: null,
      period_start: '2026-11-01T00:00:00.000Z',
      reset_at: '2026-12-01T00:00:00.000Z',
      burn_rate_per_day: 0.2,
      projected_month_end_credits: 6,
      all_time: { calls: 3, credits: 7, endpoints: 2 },
      usage_by_endpoint: [
        { endpoint: '/v1/thing', calls: 2, credits: 6 },
        { endpoint: '/v1/one', calls: 1, credits: 1 },
      ],
      usage_by_endpoint_period: [
        { endpoint: '/v1/thing', calls: 1, credits: 3 },
        { endpoint: '/v1/one', calls: 1, credits: 1 },
      ],
      plans: { free: { credits_per_month: 3000, price_aud: 0 }, enterprise: { price_aud: null } },
    });
    expect(body.recent_activity).toHaveLength(3);
    expect(body.recent_activity.at(-1)).toEqual({ endpoint: '/v1/thing', credits: 3, ts: '2026-10-31T23:00:00.000Z' });
    expect(body.recent_activity_period).toHaveLength(2);
  });

  test('near the limit come with the upgrade and the day on which they run out', async () => {
    const { key } = await anAccount('free', 2900);
    const { body } = await own(key, '/v1/usage');
    expect(body).toMatchObject({
      warning: 'approaching-limit',
      projected_exhaustion_date: '2026-11-21',
      upgrade: { recommended_plan: 'hobby', covers_projected_need: true, credits_per_month: 7500, checkout: null },
    });
    expectConforms('usage', body);
  });

  test('are summed by operation over the last days or the month', async () => {
    const { account } = await spend();
    const of = async (query: string) => (await own(account.key, `/v1/usage/analytics?${query}`)).body;
    const month = await of('period=billing');
    const days = await of('');
    const today = await of('days=1');
    for (const body of [month, days, today]) {
      expectConforms('usage_analytics', body);
      expect(body).toMatchObject({ credits_used_this_period: 4, credits_limit: 3000, credits_remaining: 2996 });
    }
    expect(month).toMatchObject({ period_start: '2026-11-01T00:00:00.000Z', total_calls: 2, total_credits: 4 });
    expect(days).toMatchObject({ period_start: '2026-10-23T00:00:00.000Z', period_days: 30, total_credits: 7 });
    expect(today).toMatchObject({ period_start: '2026-11-21T00:00:00.000Z', period_end: NOW, total_credits: 4 });
  });

  test('the key is shown without itself, with the use of the whole account and its own last use', async () => {
    const { account } = await spend();
    const second = newKey();
    await stores.keys.insert(hashApiKey(second), keyRow(second), account.accountId);
    const first = await own(account.key, '/v1/keys/info');
    const other = await own(second, '/v1/keys/info');
    for (const { body } of [first, other]) expectConforms('key_info', body);
    expect(first.body).toMatchObject({ org_id: account.accountId, credits_used: 4, last_used_at: NOW });
    expect(other.body).toMatchObject({ org_id: account.accountId, credits_used: 4, last_used_at: null });
    expect(first.text).not.toContain(account.key);
    expect(first.body.key_hint).toBe(`pe_live_…${account.key.slice(-4)}`);
  });

  test('an internal key reads that it is not limited (D38)', async () => {
    const key = newKey();
    await stores.keys.insert(hashApiKey(key), keyRow(key, { role: 'internal' }));
    const { body } = await own(key, '/v1/usage');
    expectConforms('usage', body);
    expect(body).toMatchObject({ credits_used: 0, credits_limit: null, credits_remaining: null });
  });
});
