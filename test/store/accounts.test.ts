// Accounts and their keys: one plan for all keys of an account, whichever release writes it, and an epoch that counts every change.
import { createStores } from '../../src/store/create-stores';
import { hashApiKey } from '../../src/store/keys';
import { migrate, readMigrations } from '../../src/store/pg/migrate';
import type { Stores } from '../../src/store/stores';
import { keyRow, newKey } from '../support/api/api';
import { createEmptyDatabase, type TestDatabase } from '../support/servers/database';

let db: TestDatabase;
let stores: Stores;
beforeAll(async () => {
  db = await createEmptyDatabase();
  stores = createStores(db.pool);
});
afterAll(() => db.drop());

/** As the release before accounts writes a key. */
const INSERT_BEFORE = `INSERT INTO api_keys (key_hash, last4, label, plan, role, issued_at)
  VALUES ($1, 'last', 'older', $2, 'customer', '2026-09-01T00:00:00Z')`;
const found = async (key: string) => (await stores.keys.find([hashApiKey(key)]))[0]!;
const older = newKey();

test('a key of the release before gets an account with its plan and its issue date, by the migration or when it is issued', async () => {
  const before = readMigrations().filter(({ name }) => /^00[012]/.test(name));
  await migrate(db.pool, before);
  await db.pool.query(INSERT_BEFORE, [hashApiKey(older), 'plus']);
  await migrate(db.pool);
  const during = newKey();
  await db.pool.query(INSERT_BEFORE, [hashApiKey(during), 'plus']);
  for (const key of [older, during])
    expect(await found(key)).toMatchObject({ plan: 'plus', accountSince: '2026-09-01T00:00:00.000Z', epoch: 0 });
  expect((await found(older)).accountId).not.toBe((await found(during)).accountId);
});

test('keys of one account share its plan, and each has an id of its own', async () => {
  const [first, second] = [newKey(), newKey()];
  await stores.keys.insert(hashApiKey(first), keyRow(first, { plan: 'standard' }));
  const { accountId } = await found(first);
  await stores.keys.insert(hashApiKey(second), keyRow(second, { plan: 'free' }), accountId);
  expect(await found(second)).toMatchObject({ accountId, plan: 'standard' });
  expect((await found(second)).keyId).not.toBe((await found(first)).keyId);
  await stores.keyRegister.setPlan(accountId, 'business');
  for (const key of [first, second]) expect(await found(key)).toMatchObject({ plan: 'business', epoch: 1 });
  // The release before still reads the plan at the key.
  const { rows } = await db.pool.query('SELECT DISTINCT plan FROM api_keys WHERE account_id = $1', [accountId]);
  expect(rows).toEqual([{ plan: 'business' }]);
});

test('a plan that the release before sets at one key is the plan of its account', async () => {
  await db.pool.query(`UPDATE api_keys SET plan = 'scale' WHERE key_hash = $1`, [hashApiKey(older)]);
  const { plan, epoch } = await found(older);
  expect(plan).toBe('scale');
  expect(epoch).toBeGreaterThan(0);
});

test('an account is named by its first characters, if these name one only', async () => {
  const { accountId } = await found(older);
  expect(await stores.keyRegister.account(accountId.slice(0, 12))).toEqual({ accountId, plan: 'scale' });
  for (const wrong of ['', accountId.slice(0, 7), 'ffffffff-0000', "'; --"])
    expect(await stores.keyRegister.account(wrong)).toBeNull();
});
