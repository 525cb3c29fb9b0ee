// The balances in a real database: what is charged, to whom, and that balance and ledger add up.
import { randomBytes, randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { runs } from '../../support/property';
import { poolAs } from '../../support/servers/roles';
import { AT, creditsLab, NOVEMBER } from './credits-lab';

const lab = creditsLab();
const { aKey, charge, verdicts, grant } = lab;

const grantedTo = async (accountId: string): Promise<number> =>
  (await lab.db.pool.query('SELECT remaining FROM credit_grants WHERE account_id = $1', [accountId])).rows[0]
    ?.remaining ?? 0;

test('a charge moves the balance and writes a ledger line; a charge over the balance does neither, and a smaller one still fits', async () => {
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
  const { rows } = await lab.db.pool.query('SELECT * FROM credit_ledger WHERE account_id = $1 ORDER BY credits', [
    accountId,
  ]);
  expect(rows.map(({ credits }) => credits)).toEqual([1, 3, 6]);
  expect(rows[0]).toMatchObject({ period: NOVEMBER, at: AT, kind: 'charge', key_id: keyId, subject: 'next_to_go' });
});

test('a process of the previous release charges the same balance with its own statement', async () => {
  const { charge: of, keyHash, epoch } = await aKey();
  const pool = poolAs(lab.db, 'racing_api');
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

test('all keys of an account spend one balance', async () => {
  const first = await aKey();
  const second = await aKey(first.accountId);
  expect(await verdicts([first.charge(6), second.charge(6), second.charge(4)])).toEqual([
    'charged',
    'spent',
    'charged',
  ]);
});

test('each month has its own allowance, whatever the next one used', async () => {
  const { charge: of } = await aKey();
  const december = { period: '2026-12-01', at: '2026-12-01T00:00:00.000Z' };
  expect(await verdicts([of(10), of(1), of(10, december), of(1, december)])).toEqual([
    'charged',
    'spent',
    'charged',
    'spent',
  ]);
});

test('granted credits are used after the allowance, in any month, and never expire', async () => {
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

test('a key revoked or changed since the call was admitted is not charged', async () => {
  const { accountId, keyHash, stored, charge: of } = await aKey();
  await lab.stores.keyRegister.setPlan(accountId, 'plus');
  expect(await verdicts([of(1)])).toEqual(['changed']);
  const { epoch } = await stored();
  expect(await verdicts([of(1, { epoch })])).toEqual(['charged']);
  await lab.stores.keyRegister.revoke(keyHash.toString('hex'), AT);
  expect(await verdicts([of(1, { epoch }), of(1, { epoch, keyHash: randomBytes(32) })])).toEqual([
    'revoked',
    'revoked',
  ]);
});

test('many simultaneous charges, of many accounts and in any order, never spend a credit twice', async () => {
  const keys = await Promise.all(Array.from({ length: 6 }, () => aKey()));
  const batches = Array.from({ length: 40 }, (_, i) => {
    const charges = keys.map((key, k) => key.charge(1 + ((i + k) % 3)));
    return i % 2 ? charges : charges.reverse();
  });
  const all = await Promise.all(batches.map((batch) => charge(batch)));
  expect(all.flat().every((one) => one.remaining !== null && one.remaining >= 0)).toBe(true);
  const { rows } = await lab.db.pool.query('SELECT used FROM credit_balances WHERE account_id = ANY ($1)', [
    keys.map(({ accountId }) => accountId),
  ]);
  // Charges of one, two and three credits always use up the balance.
  expect(rows.map(({ used }) => used)).toEqual(keys.map(() => 10));
});

test('the audit names a balance that the ledger does not explain', async () => {
  const { accountId, charge: of } = await aKey();
  await charge([of(3)]);
  await lab.db.pool.query('UPDATE credit_balances SET used = used + 1 WHERE account_id = $1', [accountId]);
  expect(await lab.stores.credits.audit()).toEqual([
    `account ${accountId}, 2026-11: 4 used, of which 0 granted and 0 overage; the ledger has 3, 0 and 0`,
  ]);
  await lab.db.pool.query('UPDATE credit_balances SET used = used - 1 WHERE account_id = $1', [accountId]);
});

describe('overage', () => {
  const lines = async (accountId: string) =>
    (
      await lab.db.pool.query(
        'SELECT credits, from_grants, overage, overage_plan FROM credit_ledger WHERE account_id = $1 AND kind <> $2 ORDER BY charge_id',
        [accountId, 'grant'],
      )
    ).rows;

  test('is switched on only on a plan that offers it', async () => {
    const { accountId, stored } = await aKey();
    const { rows } = await lab.db.pool.query<{ plan: string }>('SELECT plan FROM accounts WHERE account_id = $1', [
      accountId,
    ]);
    expect(await lab.stores.overage.setOverage(accountId, true, ['another'])).toBe(rows[0]!.plan);
    expect((await stored()).overage).toBe(false);
    await lab.stores.overage.setOverage(accountId, true, [rows[0]!.plan]);
    expect((await stored()).overage).toBe(true);
    await lab.stores.overage.setOverage(accountId, false, []);
    expect((await stored()).overage).toBe(false);
  });

  test('is used after the allowance and the grants, up to its ceiling, and billed at the plan under which it was used', async () => {
    const { accountId, stored, charge: of } = await aKey();
    await grant(accountId, 2);
    await lab.stores.overage.setOverage(accountId, true);
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
    await lab.stores.keyRegister.setPlan(accountId, 'plus', ['plus']);
    await charge([of(1, { epoch: (await stored()).epoch, overage: 6 })]);
    expect(await lab.stores.overage.overage(accountId, NOVEMBER)).toEqual({
      on: true,
      plan: 'plus',
      used: [
        { plan: 'free', credits: 5 },
        { plan: 'plus', credits: 1 },
      ],
    });
    expect(await lab.stores.overage.overage(accountId, '2026-12-01')).toMatchObject({ used: [] });
  });

  test('can be switched off: its past use stays, and the account changes once', async () => {
    const { accountId, stored, charge: of } = await aKey();
    await charge([of(12, { overage: 5 })]);
    await lab.stores.overage.setOverage(accountId, true);
    await lab.stores.overage.setOverage(accountId, true);
    const { epoch } = await stored();
    expect(epoch).toBe(1);
    await lab.stores.overage.setOverage(accountId, false);
    expect(await stored()).toMatchObject({ epoch: 2, overage: false });
    expect(await charge([of(1, { epoch: 2 })])).toMatchObject([{ verdict: 'spent', overage: 2, remaining: 0 }]);
    expect(await lab.stores.overage.overage(randomUUID(), NOVEMBER)).toBeNull();
  });
});

test('a balance read equals the figures of the last charge, for any use, grants and overage', async () => {
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
        expect(await lab.stores.credits.balances(queries)).toMatchObject([
          { used, overage, remaining },
          { used: 0, overage: 0, remaining: 9 + (await grantedTo(accountId)) },
          { used: 4, overage: 0, remaining: 6 },
        ]);
      }
    }),
    { numRuns: runs(60) },
  );
});

test('simultaneous charges in two months never deadlock', async () => {
  const { accountId, charge: of, stored } = await aKey();
  await grant(accountId, 40);
  const { epoch } = await stored();
  const december = { epoch, period: '2026-12-01', at: '2026-12-01T00:00:00.000Z' };
  const batches = Array.from({ length: 12 }, (_, i) =>
    i % 2 ? charge([of(1, { epoch }), of(1, december)]) : charge([of(1, december)]),
  );
  expect((await Promise.all(batches)).flat().every(({ verdict }) => verdict === 'charged')).toBe(true);
});
