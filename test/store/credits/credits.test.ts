// The ledger and the balances in a real database: what is charged, to whom, and that both always add up.
import { randomBytes, randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { closeCredits } from '../../../src/activities/close-credits';
import { createStores } from '../../../src/store/create-stores';
import { type BusinessCharge, chargeWithin } from '../../../src/store/credits/charge-within';
import type { Charge } from '../../../src/store/credits/credits';
import { hashApiKey } from '../../../src/store/keys/keys';
import { inTransaction } from '../../../src/store/pg/transaction';
import type { Stores } from '../../../src/store/stores';
import { keyRow, newKey } from '../../support/api/api';
import { runs } from '../../support/property';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database';
import { untilBlocked } from '../../support/servers/lock-waiters';
import { poolAs } from '../../support/servers/roles';

let db: TestDatabase;
let stores: Stores;
beforeAll(async () => {
  db = await createTestDatabase();
  stores = createStores(db.pool);
});
afterEach(async () => expect(await stores.credits.audit()).toEqual([]));
afterAll(() => db.drop());

const NOVEMBER = '2026-11-01';
const AT = '2026-11-21T03:00:00.000Z';

/** A key with an account of its own, or another key of that account, and what it charges. */
async function aKey(accountId?: string) {
  const key = newKey();
  const keyHash = hashApiKey(key);
  await stores.keys.insert(keyHash, keyRow(key), accountId);
  const stored = async () => (await stores.keys.find([keyHash]))[0]!;
  const account = await stored();
  const charge = (cost: number, over: Partial<Charge> = {}): Charge => ({
    id: randomUUID(),
    keyHash,
    epoch: account.epoch,
    endpoint: 'next_to_go',
    cost,
    allowance: 10,
    overage: 0,
    period: NOVEMBER,
    at: AT,
    ...over,
  });
  return { ...account, keyHash, stored, charge };
}
const { charge } = { charge: (charges: readonly Charge[]) => stores.credits.charge(charges) };
const verdicts = async (charges: readonly Charge[]) => (await charge(charges)).map(({ verdict }) => verdict);
const grant = (accountId: string, credits: number) =>
  stores.credits.grant({ accountId, credits, reason: 'test', period: NOVEMBER, at: AT });

const grantedTo = async (accountId: string): Promise<number> =>
  (await db.pool.query('SELECT remaining FROM credit_grants WHERE account_id = $1', [accountId])).rows[0]?.remaining ??
  0;

test('a charge moves the balance and writes a line; one that does not fit does neither, and a smaller one still fits', async () => {
  const { charge: of, accountId, keyId } = await aKey();
  const other = await aKey();
  expect(await charge([of(6), other.charge(3), of(5), of(3), of(1), of(1)])).toMatchObject([
    { verdict: 'charged', used: 6, remaining: 4 },
    { verdict: 'charged', used: 3, remaining: 7 },
    { verdict: 'spent', used: 6, remaining: 4 },
    { verdict: 'charged', used: 9, remaining: 1 },
    { verdict: 'charged', used: 10, remaining: 0 },
    { verdict: 'spent', used: 10, remaining: 0 },
  ]);
  const { rows } = await db.pool.query('SELECT * FROM credit_ledger WHERE account_id = $1 ORDER BY credits', [
    accountId,
  ]);
  expect(rows.map(({ credits }) => credits)).toEqual([1, 3, 6]);
  expect(rows[0]).toMatchObject({ period: NOVEMBER, at: AT, kind: 'charge', key_id: keyId, subject: 'next_to_go' });
});

test('a process of the release before charges the same balance, with its statement', async () => {
  const { charge: of, keyHash, epoch } = await aKey();
  const pool = poolAs(db, 'racing_api');
  const text = 'SELECT * FROM charge_credits($1, $2, $3, $4, $5, $6, $7) ORDER BY place';
  const twice = <T>(value: T): T[] => [value, value];
  const values = [
    twice(keyHash),
    [epoch, epoch + 1],
    twice('next_to_go'),
    twice(6),
    twice(10),
    twice(NOVEMBER),
    twice(AT),
  ];
  const { rows } = await pool.query(text, values);
  await pool.end();
  expect(rows).toEqual([
    { place: 1, verdict: 'charged', used: 6, remaining: 4 },
    { place: 2, verdict: 'changed', used: null, remaining: null },
  ]);
  expect(await charge([of(5), of(4)])).toMatchObject([{ verdict: 'spent' }, { verdict: 'charged', used: 10 }]);
});

test('keys of one account spend one balance', async () => {
  const first = await aKey();
  const second = await aKey(first.accountId);
  expect(await verdicts([first.charge(6), second.charge(6), second.charge(4)])).toEqual([
    'charged',
    'spent',
    'charged',
  ]);
});

test('a month has its own allowance, whatever the next one used', async () => {
  const { charge: of } = await aKey();
  const december = { period: '2026-12-01', at: '2026-12-01T00:00:00.000Z' };
  expect(await verdicts([of(10), of(1), of(10, december), of(1, december)])).toEqual([
    'charged',
    'spent',
    'charged',
    'spent',
  ]);
});

test('granted credits are used after the allowance, in any month, and do not expire', async () => {
  const { accountId, stored, charge: of } = await aKey();
  expect(await grant(accountId, 5)).toBe(5);
  const { epoch } = await stored();
  expect(await charge([of(8, { epoch }), of(4, { epoch }), of(4, { epoch })])).toMatchObject([
    { verdict: 'charged', remaining: 7 },
    { verdict: 'charged', remaining: 3 },
    { verdict: 'spent', remaining: 3 },
  ]);
  const later = { period: '2027-02-01', at: '2027-02-11T00:00:00.000Z' };
  expect(await charge([of(13, { ...later, epoch }), of(1, { ...later, epoch })])).toMatchObject([
    { verdict: 'charged', used: 13, remaining: 0 },
    { verdict: 'spent' },
  ]);
  expect(await grant(accountId, 2)).toBe(2);
});

test('a key that was revoked or changed since the call was judged is not charged', async () => {
  const { accountId, keyHash, stored, charge: of } = await aKey();
  await stores.keyRegister.setPlan(accountId, 'plus');
  expect(await verdicts([of(1)])).toEqual(['changed']);
  const { epoch } = await stored();
  expect(await verdicts([of(1, { epoch })])).toEqual(['charged']);
  await stores.keyRegister.revoke(keyHash.toString('hex'), AT);
  expect(await verdicts([of(1, { epoch }), of(1, { epoch, keyHash: randomBytes(32) })])).toEqual([
    'revoked',
    'revoked',
  ]);
});

test('many at once, of many accounts and in any order, never spend a credit twice', async () => {
  const keys = await Promise.all(Array.from({ length: 6 }, () => aKey()));
  const batches = Array.from({ length: 40 }, (_, i) => {
    const charges = keys.map((key, k) => key.charge(1 + ((i + k) % 3)));
    return i % 2 ? charges : charges.reverse();
  });
  const all = await Promise.all(batches.map((batch) => charge(batch)));
  expect(all.flat().every((one) => one.remaining !== null && one.remaining >= 0)).toBe(true);
  const { rows } = await db.pool.query('SELECT used FROM credit_balances WHERE account_id = ANY ($1)', [
    keys.map(({ accountId }) => accountId),
  ]);
  // Of ones, twos and threes: always filled.
  expect(rows.map(({ used }) => used)).toEqual(keys.map(() => 10));
});

test('the audit names a balance that the ledger does not explain', async () => {
  const { accountId, charge: of } = await aKey();
  await charge([of(3)]);
  await db.pool.query('UPDATE credit_balances SET used = used + 1 WHERE account_id = $1', [accountId]);
  expect(await stores.credits.audit()).toEqual([
    `account ${accountId}, 2026-11: 4 used, of which 0 granted and 0 overage; the ledger has 3, 0 and 0`,
  ]);
  await db.pool.query('UPDATE credit_balances SET used = used - 1 WHERE account_id = $1', [accountId]);
});

describe('overage', () => {
  const lines = async (accountId: string) =>
    (
      await db.pool.query(
        'SELECT credits, from_grants, overage, overage_plan FROM credit_ledger WHERE account_id = $1 AND kind <> $2 ORDER BY charge_id',
        [accountId, 'grant'],
      )
    ).rows;

  test('is switched on only while the plan is one that has it', async () => {
    const { accountId, stored } = await aKey();
    const { rows } = await db.pool.query<{ plan: string }>('SELECT plan FROM accounts WHERE account_id = $1', [
      accountId,
    ]);
    expect(await stores.overage.setOverage(accountId, true, ['another'])).toBe(rows[0]!.plan);
    expect((await stored()).overage).toBe(false);
    await stores.overage.setOverage(accountId, true, [rows[0]!.plan]);
    expect((await stored()).overage).toBe(true);
    await stores.overage.setOverage(accountId, false, []);
    expect((await stored()).overage).toBe(false);
  });

  test('is used after the allowance and the grants, up to its ceiling, and billed by the plan under which it was used', async () => {
    const { accountId, stored, charge: of } = await aKey();
    await grant(accountId, 2);
    await stores.overage.setOverage(accountId, true);
    const { epoch, overage } = await stored();
    expect(overage).toBe(true);
    const next = (cost: number, i: number) =>
      of(cost, { epoch, overage: 5, id: `00000000-0000-7000-8000-${accountId.slice(-11)}${i}` });
    expect(await charge([next(9, 0), next(4, 1), next(3, 2), next(2, 3), next(1, 4)])).toMatchObject([
      { verdict: 'charged', used: 9, overage: 0, remaining: 8 },
      { verdict: 'charged', used: 13, overage: 1, remaining: 4 },
      { verdict: 'charged', used: 16, overage: 4, remaining: 1 },
      { verdict: 'spent', used: 16, overage: 4, remaining: 1 },
      { verdict: 'charged', used: 17, overage: 5, remaining: 0 },
    ]);
    expect(await lines(accountId)).toEqual([
      { credits: 9, from_grants: 0, overage: 0, overage_plan: null },
      { credits: 4, from_grants: 2, overage: 1, overage_plan: 'free' },
      { credits: 3, from_grants: 0, overage: 3, overage_plan: 'free' },
      { credits: 1, from_grants: 0, overage: 1, overage_plan: 'free' },
    ]);
    await stores.keyRegister.setPlan(accountId, 'plus');
    await charge([of(1, { epoch: (await stored()).epoch, overage: 6 })]);
    expect(await stores.overage.overage(accountId, NOVEMBER)).toEqual({
      on: true,
      plan: 'plus',
      used: [
        { plan: 'free', credits: 5 },
        { plan: 'plus', credits: 1 },
      ],
    });
    expect(await stores.overage.overage(accountId, '2026-12-01')).toMatchObject({ used: [] });
  });

  test('that is switched off leaves what was used, and the account changes once', async () => {
    const { accountId, stored, charge: of } = await aKey();
    await charge([of(12, { overage: 5 })]);
    await stores.overage.setOverage(accountId, true);
    await stores.overage.setOverage(accountId, true);
    const { epoch } = await stored();
    expect(epoch).toBe(1);
    await stores.overage.setOverage(accountId, false);
    expect(await stored()).toMatchObject({ epoch: 2, overage: false });
    expect(await charge([of(1, { epoch: 2 })])).toMatchObject([{ verdict: 'spent', overage: 2, remaining: 0 }]);
    expect(await stores.overage.overage(randomUUID(), NOVEMBER)).toBeNull();
  });
});

test('a balance that is read has the figures of the charge before it, whatever is used, granted and billed', async () => {
  const other = await aKey();
  await charge([other.charge(4)]);
  const step = fc.record({
    cost: fc.integer({ min: 1, max: 12 }),
    allowance: fc.integer({ min: 0, max: 20 }),
    overage: fc.integer({ min: 0, max: 8 }),
    granted: fc.integer({ min: 0, max: 6 }),
    period: fc.constantFrom(NOVEMBER, '2026-12-01'),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 6 }), async (steps) => {
      const { accountId, stored, charge: of } = await aKey();
      const unused = { accountId, period: '2027-01-01', allowance: 7, overage: 2 };
      for (const { granted, cost, ...month } of steps) {
        if (granted > 0) await grant(accountId, granted);
        const at = month.period.replace(/01$/, '21T00:00:00.000Z');
        const [charged] = await charge([of(cost, { ...month, epoch: (await stored()).epoch, at })]);
        const { used, overage, remaining } = charged!;
        const ofOther = { accountId: other.accountId, period: NOVEMBER, allowance: 10, overage: 0 };
        const queries = [{ accountId, ...month }, unused, ofOther];
        expect(await stores.credits.balances(queries)).toMatchObject([
          { used, overage, remaining },
          { used: 0, overage: 0, remaining: 9 + (await grantedTo(accountId)) },
          { used: 4, overage: 0, remaining: 6 },
        ]);
      }
    }),
    { numRuns: runs(60) },
  );
});

describe('a charge whose reply was lost', () => {
  test('is charged once and answered, also after its key was changed or revoked', async () => {
    const { keyHash, charge: of } = await aKey();
    const first = of(3);
    await charge([first]);
    const again = { ...first, again: true };
    expect(await charge([again, again])).toMatchObject([
      { verdict: 'charged', used: 3, remaining: 7 },
      { verdict: 'charged', used: 3, remaining: 7 },
    ]);
    await stores.keyRegister.revoke(keyHash.toString('hex'), AT);
    expect(await verdicts([again, { ...of(1), again: true }])).toEqual(['charged', 'revoked']);
  });

  test('and never arrived is charged then', async () => {
    const { charge: of } = await aKey();
    expect(await charge([of(3, { again: true })])).toMatchObject([{ verdict: 'charged', used: 3 }]);
  });

  test('and arrives after it was sent again is not charged a second time', async () => {
    const { charge: of } = await aKey();
    const first = of(3);
    await charge([{ ...first, again: true }]);
    await expect(charge([of(1), first])).rejects.toMatchObject({ code: '23505' });
    expect(await charge([of(1)])).toMatchObject([{ used: 4 }]);
  });

  test('and is still under way is waited for', async () => {
    const { accountId, charge: of } = await aKey();
    await charge([of(1)]);
    const holder = await db.pool.connect();
    const first = of(3);
    try {
      await holder.query('BEGIN');
      await holder.query('SELECT FROM credit_balances WHERE account_id = $1 FOR UPDATE', [accountId]);
      const both = [charge([first]), charge([{ ...first, again: true }])];
      await untilBlocked(db.pool, holder);
      await holder.query('COMMIT');
      const ended = await Promise.allSettled(both);
      expect(ended.at(-1)).toMatchObject({ status: 'fulfilled', value: [{ verdict: 'charged', used: 4 }] });
    } finally {
      holder.release(true);
    }
    expect(await charge([of(1)])).toMatchObject([{ used: 5 }]);
  });
});

describe('a charge that is given back', () => {
  const lineOf = (
    { keyHash, epoch, cost, allowance, overage, ...line }: Charge,
    key: { accountId: string; keyId: string },
  ) => ({
    ...line,
    accountId: key.accountId,
    keyId: key.keyId,
  });

  test('returns first what was used last, once', async () => {
    const key = await aKey();
    await grant(key.accountId, 2);
    const { epoch } = await key.stored();
    const first = key.charge(9, { epoch, overage: 5 });
    const second = key.charge(5, { epoch, overage: 5 });
    expect(await charge([first, second])).toMatchObject([{}, { used: 14, overage: 2, remaining: 3 }]);
    await stores.credits.giveBack([lineOf(first, key), lineOf(first, key)]);
    await stores.credits.giveBack([lineOf(first, key)]);
    // Two of overage, two granted, five of the plan.
    expect(await charge([key.charge(1, { epoch, overage: 5 })])).toMatchObject([
      { verdict: 'charged', used: 6, overage: 0, remaining: 11 },
    ]);
    expect(await stores.overage.overage(key.accountId, NOVEMBER)).toMatchObject({ used: [{ credits: 0 }] });
    const usage = await stores.usage.usage({ ...key, period: NOVEMBER, since: '2026-11-21' });
    expect(usage.inPeriod).toEqual([{ endpoint: 'next_to_go', calls: 2, credits: 6 }]);
    expect(usage.recent.map(({ credits }) => credits).sort()).toEqual([1, 5]);
  });

  test('returns overage under the plan at whose price it was charged, whatever the plan is now', async () => {
    const key = await aKey();
    const on = async (plan: string, cost: number) => {
      await stores.keyRegister.setPlan(key.accountId, plan);
      const charged = key.charge(cost, {
        epoch: (await key.stored()).epoch,
        overage: 9,
        at: `2026-11-2${++day}T00:00:00.000Z`,
      });
      await charge([charged]);
      return charged;
    };
    let day = 0;
    const [within] = [await on('business', 10), await on('business', 3), await on('platform', 2)];
    await stores.keyRegister.setPlan(key.accountId, 'free');
    const overage = async () => (await stores.overage.overage(key.accountId, NOVEMBER))!.used;
    expect(await overage()).toEqual([
      { plan: 'business', credits: 3 },
      { plan: 'platform', credits: 2 },
    ]);
    // The two that were used last; the other eight are credits of the plan again.
    await stores.credits.giveBack([lineOf(within, key)]);
    expect(await overage()).toEqual([
      { plan: 'business', credits: 3 },
      { plan: 'platform', credits: 0 },
    ]);
  });

  test('and was never recorded stays out when it arrives', async () => {
    const key = await aKey();
    const late = key.charge(3);
    await stores.credits.giveBack([lineOf(late, key)]);
    await expect(charge([late])).rejects.toMatchObject({ code: '23505' });
    expect(await charge([key.charge(1)])).toMatchObject([{ used: 1 }]);
    const { recent, inPeriod } = await stores.usage.usage({ ...key, period: NOVEMBER, since: '2026-11-21' });
    expect([recent.length, inPeriod.length]).toEqual([1, 1]);
  });
});

describe('a charge within a worker’s transaction', () => {
  const monthly = () => ({ allowance: 10, overage: 0 });
  const horse = (key: { accountId: string; keyId: string }, over: Partial<BusinessCharge> = {}): BusinessCharge => ({
    businessKey: `backfill ${key.accountId} 1`,
    accountId: key.accountId,
    keyId: key.keyId,
    endpoint: 'horse_form',
    cost: 3,
    period: NOVEMBER,
    at: AT,
    ...over,
  });
  let worker: ReturnType<typeof poolAs>;
  beforeAll(() => {
    worker = poolAs(db, 'racing_worker');
  });
  afterAll(() => worker.end());
  const deliver = (charge: BusinessCharge) => inTransaction(worker, (client) => chargeWithin(client, charge, monthly));

  test('is charged once under its business key, in any month and by however many at once', async () => {
    const key = await aKey();
    const many = await Promise.all(Array.from({ length: 5 }, () => deliver(horse(key))));
    expect(new Set(many.map(({ verdict, used }) => `${verdict} ${used}`))).toEqual(new Set(['charged 3']));
    expect(await deliver(horse(key, { period: '2026-12-01', at: '2026-12-01T00:00:00.000Z' }))).toMatchObject({
      verdict: 'charged',
      used: 0,
    });
    expect(await deliver(horse(key, { businessKey: `backfill ${key.accountId} 2` }))).toMatchObject({ used: 6 });
    const { inPeriod } = await stores.usage.usage({ ...key, period: NOVEMBER, since: '2026-11-21' });
    expect(inPeriod).toEqual([{ endpoint: 'horse_form', calls: 2, credits: 6 }]);
  });

  test('is undone with it', async () => {
    const key = await aKey();
    const failed = inTransaction(worker, async (client) => {
      await chargeWithin(client, horse(key), monthly);
      throw new Error('not delivered');
    });
    await expect(failed).rejects.toThrow('not delivered');
    expect(await deliver(horse(key))).toMatchObject({ verdict: 'charged', used: 3 });
  });

  test('that does not fit leaves nothing, and is charged once there are credits', async () => {
    const key = await aKey();
    await charge([key.charge(8)]);
    expect(await deliver(horse(key))).toMatchObject({ verdict: 'spent', used: 8, remaining: 2 });
    await grant(key.accountId, 1);
    expect(await deliver(horse(key))).toMatchObject({ verdict: 'charged', used: 11, remaining: 0 });
  });

  test('reads the plan and the overage of its account', async () => {
    const key = await aKey();
    await stores.overage.setOverage(key.accountId, true);
    const seen: unknown[] = [];
    const spy = (account: object) => {
      seen.push(account);
      return { allowance: 1, overage: 2 };
    };
    const charged = await inTransaction(worker, (client) => chargeWithin(client, horse(key), spy));
    expect(seen).toEqual([{ plan: 'free', overage: true }]);
    expect(charged).toMatchObject({ verdict: 'charged', overage: 2 });
  });
});

test('charges of two months at once never wait for each other in a circle', async () => {
  const { accountId, charge: of, stored } = await aKey();
  await grant(accountId, 40);
  const { epoch } = await stored();
  const december = { epoch, period: '2026-12-01', at: '2026-12-01T00:00:00.000Z' };
  const batches = Array.from({ length: 12 }, (_, i) =>
    i % 2 ? charge([of(1, { epoch }), of(1, december)]) : charge([of(1, december)]),
  );
  expect((await Promise.all(batches)).flat().every(({ verdict }) => verdict === 'charged')).toBe(true);
});

describe('months that are closed (D41)', () => {
  const october = { period: '2023-10-01', at: '2023-10-31T23:59:59.999Z' };
  const september = { period: '2023-09-01', at: '2023-09-10T00:00:00.000Z' };
  const closeBefore = async (month: string): Promise<number> =>
    (await db.pool.query('SELECT close_credits($1) AS lines', [month])).rows[0].lines;
  const count = async (table: string, accountId: string): Promise<number> =>
    (await db.pool.query(`SELECT count(*) FROM ${table} WHERE account_id = $1`, [accountId])).rows[0].count;

  test('are sums by key, operation and month; balances, grants, overage and the later months stay as they are', async () => {
    const key = await aKey();
    const second = await aKey(key.accountId);
    await stores.credits.grant({ ...key, credits: 5, reason: 'test', ...september });
    const { epoch } = await key.stored();
    const other = { ...september, endpoint: 'best_odds', epoch: (await second.stored()).epoch };
    const returned = key.charge(2, { ...september, epoch });
    await charge([
      key.charge(9, { ...september, epoch }),
      key.charge(1, { ...september, epoch }),
      returned,
      second.charge(4, { ...other, overage: 3 }),
      key.charge(3, { ...october, epoch }),
    ]);
    await stores.credits.giveBack([{ ...returned, ...key, ...september }]);
    await charge([key.charge(1, { epoch })]);
    const usage = { ...key, period: '2023-09-01', since: '2023-09-01' };
    const before = await stores.usage.usage(usage);
    expect(await closeBefore('2023-11-01')).toBe(7);
    const { rows } = await db.pool.query(
      `SELECT to_char(period, 'YYYY-MM') AS month, kind, subject, lines, credits, from_grants, overage FROM credit_closed
        WHERE account_id = $1 ORDER BY 1, 2, 3, 5`,
      [key.accountId],
    );
    expect(rows).toEqual([
      { month: '2023-09', kind: 'charge', subject: 'best_odds', lines: 1, credits: 4, from_grants: 3, overage: 1 },
      { month: '2023-09', kind: 'charge', subject: 'next_to_go', lines: 3, credits: 12, from_grants: 2, overage: 0 },
      { month: '2023-09', kind: 'grant', subject: 'test', lines: 1, credits: 5, from_grants: 0, overage: 0 },
      { month: '2023-09', kind: 'return', subject: 'next_to_go', lines: 1, credits: 2, from_grants: 1, overage: 1 },
      { month: '2023-10', kind: 'charge', subject: 'next_to_go', lines: 1, credits: 3, from_grants: 0, overage: 0 },
    ]);
    expect(await count('credit_ledger', key.accountId)).toBe(1);
    expect(await stores.credits.audit()).toEqual([]);
    expect(await stores.usage.usage(usage)).toMatchObject({ ...before, recent: [{ credits: 1 }], recentInPeriod: [] });
    expect(await closeBefore('2023-11-01')).toBe(0);
  });

  test('are closed by a worker, never one of the last 13 by the clock of the database, and by no API', async () => {
    const key = await aKey();
    const now = new Date();
    const monthsAgo = (months: number) => {
      const at = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - months, 15)).toISOString();
      return { period: `${at.slice(0, 7)}-01`, at };
    };
    await charge([key.charge(1, monthsAgo(14)), key.charge(1, monthsAgo(13))]);
    const worker = poolAs(db, 'racing_worker');
    const api = poolAs(db, 'racing_api');
    try {
      const log = { ...console, error: jest.fn() } as never;
      const close = () => closeCredits({ stores: createStores(worker), log });
      await db.pool.query('UPDATE credit_balances SET used = 9 WHERE account_id = $1', [key.accountId]);
      await expect(close()).rejects.toMatchObject({ type: 'LedgerDiffers', nonRetryable: true });
      expect(await count('credit_ledger', key.accountId)).toBe(2);
      await db.pool.query('UPDATE credit_balances SET used = 1 WHERE account_id = $1', [key.accountId]);
      expect((await close()).lines).toBeGreaterThan(0);
      expect(await closeBefore('2099-01-01')).toBe(0);
      expect(await count('credit_ledger', key.accountId)).toBe(1);
      await expect(createStores(api).credits.close()).rejects.toThrow('permission denied');
    } finally {
      await Promise.all([worker.end(), api.end()]);
    }
  });

  test('are audited like the others', async () => {
    const { accountId, charge: of } = await aKey();
    await charge([of(3, september)]);
    await closeBefore('2023-11-01');
    await db.pool.query('UPDATE credit_closed SET credits = 2 WHERE account_id = $1', [accountId]);
    expect(await stores.credits.audit()).toEqual([
      `account ${accountId}, 2023-09 next_to_go: 1 calls for 3; the closed month has 1 for 2`,
      `account ${accountId}, 2023-09: 3 used, of which 0 granted and 0 overage; the ledger has 2, 0 and 0`,
    ]);
    await db.pool.query('UPDATE credit_closed SET credits = 3 WHERE account_id = $1', [accountId]);
  });
});

test('a chunk of the ledger has one month', async () => {
  const { charge: of } = await aKey();
  const months = Array.from({ length: 24 }, (_, i) => new Date(Date.UTC(2027, i, 1)).toISOString());
  await charge(months.map((at) => of(1, { period: at.slice(0, 10), at })));
  const { rows } = await db.pool.query(
    'SELECT count(DISTINCT period) AS months FROM credit_ledger GROUP BY tableoid HAVING count(DISTINCT period) > 1',
  );
  expect(rows).toEqual([]);
});
