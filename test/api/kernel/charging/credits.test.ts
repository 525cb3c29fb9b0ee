// Credits over two API processes, one database: what is charged and refused, what the headers report, and that the
// ledger adds up after each.
import { randomUUID } from 'node:crypto';
import { createCharger } from '../../../../src/api/kernel/charging/charger';
import type { BalanceQuery } from '../../../../src/store/credits/credits';
import { hashApiKey, type StoredKey } from '../../../../src/store/keys/keys';
import { type Answer, keyRow, NOW, newKey } from '../../../support/api/api';
import { expectConforms } from '../../../support/api/conforms';
import { noticeAt } from '../../../support/api/notices';
import { PATIENT_MS } from '../../../support/patient';
import { waitFor } from '../../../support/servers/service';
import { type Account, balancesOf, creditsOf, meteredApis } from './metered-apis';

const lab = meteredApis();
const { start, anAccount, get, usedBy, announced } = lab;

test('a 200 costs its credits and reports the remaining balance', async () => {
  const { key } = await anAccount();
  expect(creditsOf(await get(key))).toEqual(['3', '3', '3000', '2997', '0.1']);
  expect(creditsOf(await get(key, '/v1/one', 1))).toEqual(['1', '4', '3000', '2996', '0.1']);
});

test('refusals, 304s and HEAD cost 0 and state the balance, even one of another process; failures and free operations state none', async () => {
  const account = await anAccount();
  const { key } = account;
  const first = await get(key);
  const free = [
    await get(key, '/v1/thing?size=0', 1),
    await get(key, '/v1/thing?size=9'),
    await get(key, '/v1/thing', 0, { 'If-None-Match': first.headers.get('etag')! }),
    await lab.apis[0]!.send('HEAD', '/v1/thing', { key }),
    await lab.apis[1]!.send('HEAD', '/v1/stream', { key }),
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

test('requests over the limit read their account’s balance once a second, however many there are', async () => {
  const { key } = await anAccount('free', 2);
  const reads: BalanceQuery[] = [];
  const counted = balancesOf({
    balances: (queries) => {
      reads.push(...queries);
      return lab.stores.credits.balances(queries);
    },
  });
  const full = { take: async () => ({ admitted: false, remaining: 0, waitMs: 1 }), windowMs: 60_000 };
  const charger = createCharger(lab.stores.credits);
  const limited = await start({ keys: lab.stores.keys, charger, balances: counted, keyLimit: full });
  try {
    const flood = () => Promise.all(Array.from({ length: 50 }, () => limited.get('/v1/thing', key)));
    const answers = [...(await flood()), ...(await flood())];
    const texts = answers.map((one) => [one.status, ...creditsOf(one)].join(' '));
    expect(new Set(texts)).toEqual(new Set(['429 0 2 3000 2998 0.1']));
    expect(reads).toHaveLength(1);
    lab.wallMs += 1000;
    await get(key);
    lab.wallMs += 1000;
    expect(creditsOf((await flood())[0]!)[1]).toBe('5');
    expect(reads).toHaveLength(2);
  } finally {
    await limited.close();
  }
});

test('a stream costs its credits, and is refunded if the server breaks it (D34)', async () => {
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

test('a 402 names the plan for the measured rate, and the next call is refused before any work', async () => {
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
  const before = lab.worked;
  expect((await get(key)).status).toBe(402);
  expect(lab.worked).toBe(before);
  // HEAD is free.
  expect((await lab.apis[0]!.send('HEAD', '/v1/thing', { key })).status).toBe(200);
  expect((await get(key, '/v1/one')).status).toBe(200);
});

test('once one key has used the balance up, the account’s other keys are refused before any work', async () => {
  const { key, accountId } = await anAccount('business', 299_999);
  const by = { accountId, keyHash: hashApiKey(key) };
  const others = [newKey(), newKey()];
  for (const one of others) {
    const key = { hash: hashApiKey(one), last4: one.slice(-4), label: 'team' };
    const draft = { ...key, allowedAddresses: [], scopes: null, notice: noticeAt(NOW) };
    await lab.stores.teamKeys.add(by, draft, NOW, () => 10);
  }
  const all = [key, ...others];
  for (const one of all) expect((await get(one)).status).toBe(402);
  const before = lab.worked;
  for (const one of [...all, ...all]) expect((await get(one)).status).toBe(402);
  expect(lab.worked).toBe(before);
  expect((await get(others[0]!, '/v1/one')).status).toBe(200);
});

test('a 402, refusals and usage measure the rate over the days until the credits ran out', async () => {
  const { key } = await anAccount('free', 2999, '2026-11-03T00:00:00.000Z');
  const sizedFor = ({ headers }: Answer) => [headers.get('x-upgrade-plan'), headers.get('x-upgrade-sized-for')];
  const first = await get(key);
  expect([first.status, first.body.required_plan]).toEqual([402, 'standard']);
  for (const answer of [first, await get(key), await get(key, '/v1/thing?size=0'), await get(key, '/v1/thing', 1)])
    expect(sizedFor(answer)).toEqual(['standard', '44985']);
  const { upgrade } = (await get(key, '/v1/usage')).body;
  expect(upgrade).toMatchObject({ recommended_plan: 'standard', sized_for_credits_per_month: 44_985 });
});

test('from 80 percent on, every response that states the balance has a warning and an upgrade', async () => {
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

describe('an account without credits works again', () => {
  test.each<[string, (account: Account) => Promise<unknown>]>([
    [
      'when the month turns in UTC',
      async () => {
        lab.wallMs = Date.parse('2026-12-01T00:00:00.000Z');
      },
    ],
    [
      'after a grant',
      ({ accountId }) =>
        announced(() =>
          lab.stores.credits.grant({ accountId, credits: 5, reason: 'test', period: '2026-11-01', at: NOW }),
        ),
    ],
    ['after an upgrade', ({ accountId }) => announced(() => lab.stores.keyRegister.setPlan(accountId, 'hobby'))],
  ])('%s', async (_, heal) => {
    const account = await anAccount('free', 3000);
    for (const i of [0, 1, 0, 1]) expect((await get(account.key, '/v1/thing', i)).status).toBe(402);
    await heal(account);
    expect((await get(account.key)).status).toBe(200);
    expect((await get(account.key, '/v1/one', 1)).status).toBe(200);
  });

  test('but not in the moment before the month turns', async () => {
    const { key } = await anAccount('free', 3000);
    lab.wallMs = Date.parse('2026-11-30T23:59:59.999Z');
    expect((await get(key)).status).toBe(402);
  });

  test.each([5000, -5000])('within seconds, even without an announcement: the clock moves by %i ms', async (byMs) => {
    const { key, accountId } = await anAccount('free', 3000);
    expect((await get(key)).status).toBe(402);
    await lab.db.pool.query('INSERT INTO credit_grants VALUES ($1, 3)', [accountId]);
    await lab.db.pool.query(
      `INSERT INTO credit_ledger (period, at, account_id, kind, subject, credits) VALUES ('2026-11-01', $2, $1, 'grant', 'x', 3)`,
      [accountId, NOW],
    );
    expect((await get(key)).status).toBe(402);
    lab.wallMs += byMs;
    expect((await get(key)).status).toBe(200);
  });
});

describe('a key that changes while its call is in progress', () => {
  test('is refused and not charged if it is revoked', async () => {
    const account = await anAccount();
    lab.meanwhile = () => lab.stores.keyRegister.revoke(hashApiKey(account.key).toString('hex'), NOW);
    expect((await get(account.key)).body).toMatchObject({ status: 401, code: 'unauthorized' });
    expect(await usedBy(account)).toBe(0);
  });
  test('gets a 503, to call again, if it moves to another plan', async () => {
    const account = await anAccount();
    lab.meanwhile = () => lab.stores.keyRegister.setPlan(account.accountId, 'plus');
    const { status, headers } = await get(account.key);
    expect([status, headers.get('retry-after'), headers.get('x-credits-cost')]).toEqual([503, '1', '0']);
    expect(await usedBy(account)).toBe(0);
    lab.meanwhile = async () => {};
    expect(creditsOf(await get(account.key))).toEqual(['3', '3', '140000', '139997', '0.0']);
  });
  test('is served and charged once if it keeps its rights', async () => {
    const account = await anAccount();
    lab.meanwhile = () =>
      lab.db.pool.query(`UPDATE api_keys SET label = 'other' WHERE key_hash = $1`, [hashApiKey(account.key)]);
    expect((await get(account.key)).status).toBe(200);
    expect(await usedBy(account)).toBe(3);
  });
});

test('an internal key is not metered', async () => {
  const key = newKey();
  await lab.stores.keys.insert(hashApiKey(key), keyRow(key, { role: 'internal' }));
  for (const path of ['/v1/thing', '/v1/thing?size=0'])
    expect(creditsOf(await get(key, path))).toEqual(['0', '0', 'unlimited', 'unlimited', null]);
});

describe('overage', () => {
  /** A Business account with overage on, and this many of its credits used. */
  async function business(used: number): Promise<Account> {
    const account = await anAccount('business', used);
    await announced(() => lab.stores.overage.setOverage(account.accountId, true));
    return account;
  }
  const overageOf = ({ headers }: Answer) => headers.get('x-credits-overage');

  test('continues beyond the allowance to its ceiling, and the headers count it', async () => {
    const { key } = await business(299_998);
    const over = await get(key);
    expect([...creditsOf(over), overageOf(over)]).toEqual(['3', '300001', '450000', '149999', '66.7', '1']);
    const { body } = await get(key, '/v1/usage');
    expectConforms('usage', body);
    expect(body).toMatchObject({ credits_used: 300_001, credits_overage: 1, credits_limit: 450_000 });
    expect(body.credits_remaining).toBe(149_999);
  });

  test('is announced before it begins: from 80 percent of the allowance on', async () => {
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
    const [{ epoch }] = (await lab.stores.keys.find([hashApiKey(account.key)])) as [StoredKey];
    const charge = {
      keyHash: hashApiKey(account.key),
      epoch,
      endpoint: 'before',
      allowance: 300_000,
      overage: 150_000,
    };
    await lab.stores.credits.charge([{ ...charge, id: randomUUID(), cost: 149_998, period: '2026-11-01', at: NOW }]);
    const both = await Promise.all([get(account.key), get(account.key, '/v1/thing', 1)]);
    for (const one of both) {
      expect([...creditsOf(one), overageOf(one)]).toEqual(['0', '449998', '450000', '2', '100.0', '149998']);
      expect(one.body.detail).toContain('(300,000 credits a month, and 150,000 credits of overage)');
    }
    expect(await lab.stores.overage.overage(account.accountId, '2026-11-01')).toMatchObject({
      used: [{ plan: 'business', credits: 149_998 }],
    });
  });

  test('ends when it is switched off, and does not exist on a plan without it', async () => {
    const account = await business(300_000);
    expect((await get(account.key)).status).toBe(200);
    await announced(() => lab.stores.overage.setOverage(account.accountId, false));
    const off = await get(account.key);
    expect([off.status, ...creditsOf(off), overageOf(off)]).toEqual([402, '0', '300003', '300003', '0', '100.0', '3']);
    const plus = await anAccount('plus', 140_000);
    await announced(() => lab.stores.overage.setOverage(plus.accountId, true));
    const spent = await get(plus.key);
    expect([spent.status, creditsOf(spent)[2], overageOf(spent)]).toEqual([402, '140000', null]);
  });
});

describe('an Idempotency-Key (D68)', () => {
  const under = (name: string) => ({ 'Idempotency-Key': name });
  const cost = (answer: Answer) => [answer.status, answer.headers.get('x-credits-cost')];

  test('makes three identical calls one charge, across processes; a fourth and one a minute later are charged', async () => {
    const account = await anAccount();
    const { key } = account;
    const sent = await Promise.all([0, 1, 0].map((i) => get(key, '/v1/thing?size=2', i, under('retry'))));
    expect(sent.map(cost).sort()).toEqual([
      [200, '0'],
      [200, '0'],
      [200, '3'],
    ]);
    expect(new Set(sent.map(({ body }) => body.size))).toEqual(new Set([2]));
    expect(cost(await get(key, '/v1/thing?size=2', 1, under('retry')))).toEqual([200, '3']);
    lab.wallMs += 61_000;
    expect(cost(await get(key, '/v1/thing?size=2', 1, under('retry')))).toEqual([200, '3']);
    expect(await usedBy(account)).toBe(9);
  });

  test('answers a repeat whatever the balance, and refuses another request before any work, for free', async () => {
    const account = await anAccount('free', 2997);
    const { key } = account;
    expect(cost(await get(key, '/v1/thing', 0, under('last')))).toEqual([200, '3']);
    expect((await get(key)).status).toBe(402);
    expect(cost(await get(key, '/v1/thing?size=1', 1, under('last')))).toEqual([200, '0']);
    const before = lab.worked;
    const other = await get(key, '/v1/thing?size=3', 0, under('last'));
    expect([...cost(other), other.body.code, lab.worked]).toEqual([409, '0', 'conflict', before]);
    expect((await get(key, '/v1/one', 0, under('last'))).status).toBe(409);
    expect((await get(key, '/v1/one', 0, under('a b'))).status).toBe(422);
  });

  test('belongs to the account, and does not apply to failed calls, HEAD, streams of rows or other accounts', async () => {
    const account = await anAccount();
    const { key } = account;
    expect((await get(key, '/v1/thing?size=8', 0, under('k'))).status).toBe(500);
    expect(cost(await get(key, '/v1/thing', 0, under('k')))).toEqual([200, '3']);
    expect((await lab.apis[0]!.send('HEAD', '/v1/one', { key, headers: under('k') })).status).toBe(200);
    for (const _ of [1, 2]) expect(cost(await get(key, '/v1/stream', 0, under('k')))).toEqual([200, '5']);
    const other = await anAccount();
    expect(cost(await get(other.key, '/v1/one', 0, under('k')))).toEqual([200, '1']);
    expect(await usedBy(account)).toBe(13);
  });
});
