// The ledger and the balances in a real database: what is charged, to whom, and that both always add up.
import { randomBytes } from 'node:crypto';
import { createStores } from '../../src/store/create-stores';
import type { Charge } from '../../src/store/credits';
import { hashApiKey } from '../../src/store/keys';
import type { Stores } from '../../src/store/stores';
import { keyRow, newKey } from '../support/api/api';
import { createTestDatabase, type TestDatabase } from '../support/servers/database';

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
    ...{ keyHash, epoch: account.epoch, endpoint: 'next_to_go', cost, allowance: 10, period: NOVEMBER, at: AT },
    ...over,
  });
  return { ...account, keyHash, stored, charge };
}
const { charge } = { charge: (charges: readonly Charge[]) => stores.credits.charge(charges) };
const verdicts = async (charges: readonly Charge[]) => (await charge(charges)).map(({ verdict }) => verdict);
const grant = (accountId: string, credits: number) =>
  stores.credits.grant({ accountId, credits, reason: 'test', period: NOVEMBER, at: AT });

test('a charge moves the balance and writes a line; one that does not fit does neither, and a smaller one still fits', async () => {
  const { charge: of, accountId, keyId } = await aKey();
  const [other] = [await aKey()];
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
    `account ${accountId}, 2026-11: 4 used, of which 0 granted; the ledger has 3 and 0`,
  ]);
  await db.pool.query('UPDATE credit_balances SET used = used - 1 WHERE account_id = $1', [accountId]);
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
