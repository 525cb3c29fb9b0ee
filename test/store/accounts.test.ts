// Accounts and their keys: one plan for all keys of an account, whichever release writes it, and an epoch that counts
// every change.
import { randomUUID } from 'node:crypto';
import { createStores } from '../../src/store/create-stores';
import { hashApiKey } from '../../src/store/keys/keys';
import type { Stores } from '../../src/store/stores';
import { keyRow, newKey } from '../support/api/api';
import { noticeAt } from '../support/api/notices';
import { createTestDatabase, type TestDatabase } from '../support/servers/database';

let db: TestDatabase;
let stores: Stores;
beforeAll(async () => {
  db = await createTestDatabase();
  stores = createStores(db.pool);
});
afterAll(() => db.drop());

/** As the release without accounts writes a key. */
const INSERT_BEFORE = `INSERT INTO api_keys (key_hash, last4, label, plan, role, issued_at)
  VALUES ($1, 'last', 'older', $2, 'customer', '2026-09-01T00:00:00Z')`;
const found = async (key: string) => (await stores.keys.find([hashApiKey(key)]))[0]!;
const older = newKey();
const noMail = (): never => {
  throw new Error('the account has no address');
};

test('a key without an account gets one with its plan and its issue date', async () => {
  const other = newKey();
  for (const key of [older, other]) {
    await db.pool.query(INSERT_BEFORE, [hashApiKey(key), 'plus']);
    expect(await found(key)).toMatchObject({ plan: 'plus', accountSince: '2026-09-01T00:00:00.000Z', epoch: 0 });
  }
  expect((await found(older)).accountId).not.toBe((await found(other)).accountId);
});

test('the keys of an account share its plan, and each has its own id', async () => {
  const first = newKey();
  const second = newKey();
  await stores.keys.insert(hashApiKey(first), keyRow(first, { plan: 'standard' }));
  const { accountId } = await found(first);
  await stores.keys.insert(hashApiKey(second), keyRow(second, { plan: 'free' }), accountId);
  expect(await found(second)).toMatchObject({ accountId, plan: 'standard' });
  expect((await found(second)).keyId).not.toBe((await found(first)).keyId);
  await stores.keyRegister.setPlan(accountId, 'business');
  for (const key of [first, second]) expect(await found(key)).toMatchObject({ plan: 'business', epoch: 1 });
  // The previous release still reads the plan from the key.
  const { rows } = await db.pool.query('SELECT DISTINCT plan FROM api_keys WHERE account_id = $1', [accountId]);
  expect(rows).toEqual([{ plan: 'business' }]);
});

test('an account has the plan that the previous release set on one of its keys', async () => {
  await db.pool.query(`UPDATE api_keys SET plan = 'scale' WHERE key_hash = $1`, [hashApiKey(older)]);
  const { plan, epoch } = await found(older);
  expect(plan).toBe('scale');
  expect(epoch).toBeGreaterThan(0);
});

test('the bookmakers of an account change by whoever knows them; a closed account has none', async () => {
  const { bookmakerChoices, closures, accountExport } = stores;
  const key = newKey();
  await stores.keys.insert(hashApiKey(key), keyRow(key, {}));
  const { accountId } = await found(key);
  const at = '2026-11-21T03:00:00.000Z';
  const change = (order: string[], hidden: string[], basedOn: string | null) =>
    bookmakerChoices.change({ accountId, order, hidden, basedOn, at });
  expect(await bookmakerChoices.read(accountId)).toBeNull();
  // A copy of another account's choice.
  expect(await change(['tab'], [], randomUUID())).toBe('conflict');
  expect(await bookmakerChoices.read(accountId)).toBeNull();
  // Two browsers that know of none: one of them is the first.
  const both = await Promise.all([change(['tab'], [], null), change(['neds'], ['tab'], null)]);
  expect(both.filter((one) => one === 'conflict')).toHaveLength(1);
  const first = await bookmakerChoices.read(accountId);
  expect(both).toContainEqual(first);
  const second = await change(['neds', 'tab'], ['unibet'], first!.version);
  expect(second).toEqual({ order: ['neds', 'tab'], hidden: ['unibet'], version: expect.any(String) });
  expect(await change(['playup'], [], first!.version)).toBe('conflict');
  // Sent again, whatever it is based on.
  expect(await change(['neds', 'tab'], ['unibet'], first!.version)).toEqual(second);
  expect(await bookmakerChoices.read(accountId)).toEqual(second);
  const chosen = { order: ['neds', 'tab'], hidden: ['unibet'], changed_at: at };
  expect(await accountExport.about(accountId)).toMatchObject({ bookmakers: chosen });
  const period = '2026-11-01';
  await closures.close({ accountId, at, period, mailboxOf: () => '', farewell: noMail });
  expect(await bookmakerChoices.read(accountId)).toBeNull();
  await expect(change(['tab'], [], null)).rejects.toThrow(/is closed/);
});

test('an account is found by the first characters of its id if they are unambiguous', async () => {
  const { accountId } = await found(older);
  expect(await stores.keyRegister.account(accountId.slice(0, 12))).toEqual({
    accountId,
    plan: 'scale',
    closedAt: null,
  });
  for (const wrong of ['', accountId.slice(0, 7), 'ffffffff-0000', "'; --"])
    expect(await stores.keyRegister.account(wrong)).toBeNull();
});

test('a month of overage ends by the database’s own clock', async () => {
  const clock = async () =>
    (await db.pool.query('SELECT floor(extract(epoch FROM now()) * 1000)::bigint AS ms')).rows[0].ms;
  const before = await clock();
  const now = await stores.overageInvoices.nowMs();
  expect([before <= now, now <= (await clock())]).toEqual([true, true]);
});

describe('a replaced key', () => {
  const AT = '2026-11-21T03:00:00.000Z';
  const LATER = '2026-11-22T03:00:00.000Z';
  const issued = async (over = {}): Promise<{ key: string; accountId: string }> => {
    const key = newKey();
    await stores.keys.insert(hashApiKey(key), keyRow(key, over));
    const of = 'UPDATE api_keys SET allowed_addresses = $2 WHERE key_hash = $1 RETURNING account_id';
    const { rows } = await db.pool.query(of, [hashApiKey(key), ['203.0.113.0/24']]);
    return { key, accountId: rows[0].account_id };
  };
  const replace = (of: { accountId: string } | { keyHash: Buffer }, graceUntil: string | null) => {
    const key = newKey();
    const notice = noticeAt(AT);
    const replacement = { ...of, newHash: hashApiKey(key), last4: key.slice(-4), at: AT, graceUntil, notice };
    return stores.keyReplacement.replaceKey(replacement).then((replaced) => ({ key, replaced }));
  };

  test('keeps its id, issue instant and allow-list, and works beside its replacement until the grace period ends', async () => {
    const { key, accountId } = await issued();
    const before = await found(key);
    const { key: next, replaced } = await replace({ accountId }, LATER);
    expect(replaced).toEqual({ version: 2, previousValidUntil: LATER, isSpared: false });
    const kept = { keyId: before.keyId, accountId, issuedAt: before.issuedAt, isPrimary: true, label: before.label };
    const list = { allowedAddresses: ['203.0.113.0/24'] };
    expect(await found(next)).toMatchObject({ ...kept, ...list, version: 2, rotatedAt: AT, expiresAt: null });
    expect(await found(key)).toMatchObject({ ...kept, version: 1, expiresAt: LATER });
  });

  test('keeps its scopes, also if a process of the previous release writes its replacement', async () => {
    const { key } = await issued();
    const narrow = `UPDATE api_keys SET is_primary = false, scopes = '{read}' WHERE key_hash = $1`;
    await db.pool.query(narrow, [hashApiKey(key)]);
    const { key: next } = await replace({ keyHash: hashApiKey(key) }, LATER);
    expect(await found(next)).toMatchObject({ version: 2, scopes: ['read'] });
    const primary = (await issued()).key;
    await expect(
      db.pool.query(`UPDATE api_keys SET scopes = '{read}' WHERE key_hash = $1`, [hashApiKey(primary)]),
    ).rejects.toThrow(/primary_has_no_scopes/);
  });

  test('ends when its replacement is replaced, and both end at once without grace', async () => {
    const { key, accountId } = await issued();
    const { key: second } = await replace({ accountId }, LATER);
    const { key: third } = await replace({ keyHash: hashApiKey(second) }, LATER);
    expect(await Promise.all([found(key), found(second), found(third)])).toMatchObject([
      null,
      { expiresAt: LATER },
      { version: 3 },
    ]);
    const { key: fourth, replaced } = await replace({ accountId }, null);
    expect(replaced).toEqual({ version: 4, previousValidUntil: null, isSpared: false });
    expect(await Promise.all([found(second), found(third), found(fourth)])).toMatchObject([
      null,
      null,
      { version: 4, expiresAt: null },
    ]);
  });

  test('is not replaced again, and neither is a revoked key, an unknown key or an operator’s key', async () => {
    const { key, accountId } = await issued();
    await replace({ accountId }, LATER);
    expect((await replace({ keyHash: hashApiKey(key) }, LATER)).replaced).toBeNull();
    const operators = await issued({ role: 'internal' });
    const revoked = await issued();
    await stores.keyRegister.revoke(hashApiKey(revoked.key).toString('hex'), AT);
    for (const one of [operators, revoked, { accountId: '00000000-0000-4000-8000-000000000000' }])
      expect((await replace({ accountId: one.accountId }, null)).replaced).toBeNull();
  });

  test('has one replacement, however many requests are simultaneous; each request for an account gets its own version', async () => {
    const { key, accountId } = await issued();
    const keyHash = hashApiKey(key);
    const both = await Promise.all([replace({ keyHash }, LATER), replace({ keyHash }, LATER)]);
    expect(both.filter(({ replaced }) => replaced !== null)).toHaveLength(1);
    const more = await Promise.all([1, 2, 3].map(() => replace({ accountId }, LATER)));
    expect(more.map(({ replaced }) => replaced!.version).sort()).toEqual([3, 4, 5]);
    const text = `SELECT count(*)::int AS live FROM api_keys WHERE account_id = $1 AND revoked_at IS NULL`;
    expect((await db.pool.query(text, [accountId])).rows).toEqual([{ live: 2 }]);
  });

  test('is revoked with the keys it replaced, and the operator sees a replacement that still works', async () => {
    const { key, accountId } = await issued();
    const { key: second } = await replace({ accountId }, LATER);
    const { key: third } = await replace({ accountId }, LATER);
    const revoke = (one: string) => stores.keyRegister.revoke(hashApiKey(one).toString('hex'), AT);
    expect(await revoke(second)).toBe(third.slice(-4));
    expect(await Promise.all([found(key), found(second), found(third)])).toMatchObject([null, null, { version: 3 }]);
    const { key: fourth } = await replace({ accountId }, LATER);
    expect(await revoke(fourth)).toBeNull();
    expect(await Promise.all([found(third), found(fourth)])).toEqual([null, null]);
  });

  test('is replaced by an operator after it was revoked, and then by its owner again', async () => {
    const { key, accountId } = await issued();
    const { key: second } = await replace({ accountId }, LATER);
    const { keyId, issuedAt } = await found(second);
    const next = newKey();
    const another = newKey();
    const restore = (one: string) =>
      stores.keyRegister.replaceRevoked({ accountId, newHash: hashApiKey(one), last4: one.slice(-4), at: LATER });
    expect(await restore(next)).toBeNull();
    await stores.keyRegister.revoke(hashApiKey(second).toString('hex'), AT);
    // Two operators at once.
    expect((await Promise.all([restore(next), restore(another)])).sort()).toEqual([3, null]);
    const works = (await Promise.all([found(next), found(another)])).filter((one) => one !== null);
    const kept = { keyId, issuedAt, isPrimary: true, allowedAddresses: ['203.0.113.0/24'] };
    expect(works).toMatchObject([{ ...kept, version: 3, rotatedAt: LATER, expiresAt: null }]);
    expect(await Promise.all([found(key), found(second)])).toEqual([null, null]);
    expect((await replace({ accountId }, null)).replaced).toMatchObject({ version: 4 });
    const operators = { ...(await issued({ role: 'internal' })), newHash: hashApiKey(newKey()), last4: 'last', at: AT };
    await stores.keyRegister.revoke(hashApiKey(operators.key).toString('hex'), AT);
    expect(await stores.keyRegister.replaceRevoked(operators)).toBeNull();
  });
});
