// The keys, accounts and credits of customers by the operator's CLI: one line of answer or of refusal.
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCommand } from '../../src/ops/run-command';
import { hashApiKey } from '../../src/store/keys/keys';
import { createTestDatabase, type TestDatabase } from '../support/servers/database';

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.drop());

const ops = (...args: string[]) => runCommand(args, { DATABASE_URL: db.url, LOG_LEVEL: 'silent' });

describe('keys', () => {
  const rowsOf = (label: string) =>
    db.pool
      .query('SELECT plan, role, bookmaker_key, revoked_at IS NULL AS works FROM api_keys WHERE label = $1', [label])
      .then(({ rows }) => rows);

  test('a pusher’s key belongs to one book that may push', async () => {
    expect(await ops('keys', '--role', 'pusher', '--book', 'boostbet', '--label', 'from boostbet')).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^pe_live_\w+\n$/),
    });
    expect(await rowsOf('from boostbet')).toEqual([
      { plan: 'free', role: 'pusher', bookmaker_key: 'boostbet', works: true },
    ]);
    for (const wrong of [
      ['--role', 'pusher'],
      ['--role', 'pusher', '--book', 'pinnacle'],
      ['--role', 'root'],
    ])
      expect(await ops('keys', '--label', 'x', '--plan', 'free', ...wrong)).toMatchObject({ code: 2, out: '' });
    const insert =
      "INSERT INTO api_keys (key_hash, last4, label, plan, role, issued_at) VALUES ('x', 'x', 'x', 'free', $1, now())";
    await expect(db.pool.query(insert, ['pusher'])).rejects.toThrow('api_keys_pusher_has_book');
  });

  test('are listed without the key, moved to another plan and revoked, by the last four characters', async () => {
    const key = (await ops('keys', '--plan', 'plus', '--label', 'acme')).out.trim();
    const line = async () => (await ops('keys', 'list')).out.split('\n').find((each) => each.endsWith('  acme'));
    expect(await line()).toMatch(
      new RegExp(`^[0-9a-f]{12} +[0-9a-f-]{12} +${key.slice(-4)} +customer +plus +\\S+Z +- +acme$`),
    );
    expect((await ops('keys', 'list')).out).not.toContain(key);
    expect(await ops('keys', 'plan', key.slice(-4), 'business')).toMatchObject({
      code: 0,
      out: expect.stringContaining(`of the key …${key.slice(-4)} (acme) is on the plan business, before on plus`),
    });
    const account = (await line())!.split(/ +/)[1]!;
    expect(await ops('keys', '--account', account, '--label', 'acme two')).toMatchObject({ code: 0 });
    expect(await rowsOf('acme two')).toMatchObject([{ plan: 'business', works: true }]);
    expect(await ops('keys', '--account', 'ffffffff', '--label', 'x')).toMatchObject({ code: 2, out: '' });
    expect(await ops('keys', '--account', account, '--plan', 'scale', '--label', 'x')).toMatchObject({ code: 2 });
    expect(await ops('keys', 'replace', account)).toMatchObject({ code: 2, out: '' });
    expect(await ops('keys', 'revoke', key.slice(-4))).toMatchObject({ code: 0, out: expect.stringContaining('acme') });
    expect(await rowsOf('acme')).toEqual([{ plan: 'business', role: 'customer', bookmaker_key: null, works: false }]);
    expect(await line()).toMatch(/business +\S+Z +\S+Z +acme$/);
    expect((await ops('keys', 'revoke', key.slice(-4))).out).toContain('is revoked since 20');
    expect(await ops('keys', 'plan', key.slice(-4), 'free')).toMatchObject({ code: 2 });
    expect((await ops('keys', 'replace', account)).out).toMatch(/^pe_live_\w+\n$/);
    expect(await rowsOf('acme')).toMatchObject([{ works: false }, { plan: 'business', works: true }]);
  });

  test('with the same last four characters are listed and left alone, until one is named by its id', async () => {
    const insert = `INSERT INTO api_keys (key_hash, last4, label, plan, role, issued_at)
      VALUES (sha256(convert_to($1, 'UTF8')), 'same', $1, 'free', 'customer', now()) RETURNING encode(key_hash, 'hex') AS id`;
    const { rows } = await db.pool.query<{ id: string }>(insert, ['twin one']);
    await db.pool.query(insert, ['twin two']);
    const refused = await ops('keys', 'revoke', 'same');
    expect(refused).toMatchObject({ code: 2, out: '' });
    expect(refused.err).toMatch(/^2 keys are named same.*\n(.*\n)*.*twin one\n.*twin two\n$/);
    expect([await rowsOf('twin one'), await rowsOf('twin two')]).toMatchObject([[{ works: true }], [{ works: true }]]);
    expect(await ops('keys', 'revoke', rows[0]!.id.slice(0, 12))).toMatchObject({ code: 0 });
    // Now the four characters identify the remaining one.
    expect(await ops('keys', 'revoke', 'same')).toMatchObject({ code: 0, out: expect.stringContaining('twin two') });
    expect(await ops('keys', 'revoke', 'none')).toMatchObject({ code: 2, err: expect.stringContaining('keys list') });
  });
});

describe('accounts', () => {
  test('are opened with an owner, listed, and moved to another plan', async () => {
    const create = (...more: string[]) =>
      ops('accounts', 'create', '--label', 'owned', '--plan', 'business', '--email', ...more);
    const { out } = await create('Owner@Example.com');
    expect(out).toMatch(/^pe_live_\w+\n$/);
    const { rows } = await db.pool.query(
      'SELECT account_id, plan, role, is_primary FROM api_keys WHERE key_hash = $1',
      [hashApiKey(out.trim())],
    );
    expect(rows).toMatchObject([{ plan: 'business', role: 'customer', is_primary: true }]);
    const { account_id: account } = rows[0];
    const line = async () => (await ops('accounts', 'list')).out.split('\n').find((each) => each.startsWith(account));
    expect(await line()).toMatch(/ +business +\S+Z +1 +Owner@example\.com$/);
    expect(await create('owner@EXAMPLE.com')).toMatchObject({ code: 2, err: expect.stringContaining('already') });
    expect(await create('o..wner@example.com')).toMatchObject({
      code: 2,
      err: "'o..wner@example.com' is no e-mail address.\n",
    });
    expect(await ops('accounts', 'plan', account.slice(0, 12), 'scale')).toMatchObject({
      code: 0,
      out: `the account ${account} is on the plan scale, before on business\n`,
    });
    expect(await line()).toMatch(/ +scale +/);
    expect(await ops('accounts', 'plan', account, 'gold')).toMatchObject({ code: 2 });
    // No longer sold, and never billed again without new consent.
    await db.pool.query('UPDATE accounts SET overage = true WHERE account_id = $1', [account]);
    const overage = async () =>
      (await db.pool.query('SELECT plan, overage FROM accounts WHERE account_id = $1', [account])).rows[0];
    await ops('accounts', 'plan', account, 'pro');
    expect(await overage()).toEqual({ plan: 'pro', overage: true });
    await ops('accounts', 'plan', account, 'scale');
    await ops('accounts', 'plan', account, 'business');
    expect(await overage()).toEqual({ plan: 'business', overage: false });
    await ops('accounts', 'plan', account, 'scale');
    expect((await ops('accounts', 'plan', '--help')).out).toContain('It stands whatever the account buys');
    expect(await ops('accounts', 'release', account)).toMatchObject({
      code: 0,
      out: `the account ${account} is on the plan free, before on scale\n`,
    });
    expect(await ops('accounts', 'plan', 'ffffffff', 'free')).toMatchObject({ code: 2 });
  });
});

describe('credits', () => {
  test('are granted to an account, and the audit finds every balance equal to the ledger', async () => {
    const key = (await ops('keys', '--plan', 'free', '--label', 'granted')).out.trim();
    const account = (await ops('keys', 'list')).out
      .split('\n')
      .find((each) => each.endsWith('  granted'))!
      .split(/ +/)[1]!;
    const grant = () => ops('credits', 'grant', account, '500', '--reason', 'goodwill');
    expect(await grant()).toMatchObject({ code: 0, out: expect.stringContaining('has 500 granted credits left') });
    expect(await grant()).toMatchObject({ code: 0, out: expect.stringContaining('has 1000 granted credits left') });
    expect(await ops('credits', 'audit')).toMatchObject({ code: 0, out: expect.stringContaining('every balance is') });
    expect(await ops('credits', 'close')).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^0 lines of months older/),
    });
    await db.pool.query(
      'UPDATE credit_grants SET remaining = 1 WHERE account_id = (SELECT account_id FROM api_keys WHERE key_hash = $1)',
      [hashApiKey(key)],
    );
    expect(await ops('credits', 'audit')).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^1 differences:\naccount \S+, 1 granted left; the ledger has 1000/),
    });
    expect(await ops('credits', 'close')).toMatchObject({ code: 1, err: expect.stringMatching(/^nothing was closed/) });
  });

  test.each([
    ['none', '5'],
    ['ffffffff', '5'],
    ['ffffffff', '0'],
    ['ffffffff', '1.5'],
    ['ffffffff', 'many'],
  ])('are not granted to %s: %s', async (account, credits) => {
    expect(await ops('credits', 'grant', account, credits, '--reason', 'x')).toMatchObject({ code: 2, out: '' });
  });
});

describe('accounts', () => {
  test('are exported to a file of their own, and closed for good, by the whole id', async () => {
    const key = (
      await ops('accounts', 'create', '--label', 'gone', '--plan', 'plus', '--email', 'gone@example.com')
    ).out.trim();
    const text = 'SELECT account_id AS id FROM api_keys WHERE key_hash = $1';
    const { id } = (await db.pool.query(text, [hashApiKey(key)])).rows[0];
    const folder = mkdtempSync(join(tmpdir(), 'export-'));
    const file = join(folder, 'account.json');
    try {
      expect(await ops('accounts', 'export', id.slice(0, 13), '--file', file)).toEqual({
        code: 0,
        out: `the account ${id} is in ${file}\n`,
        err: '',
      });
      expect(statSync(file).mode & 0o777).toBe(0o600);
      expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({
        account: { account_id: id, email: 'gone@example.com' },
      });
      expect(await ops('accounts', 'export', id, '--file', file)).toMatchObject({ code: 2, out: '' });
    } finally {
      rmSync(folder, { recursive: true });
    }
    expect(await ops('accounts', 'close', id.slice(0, 13))).toMatchObject({
      code: 2,
      err: expect.stringContaining(id),
    });
    expect(await ops('accounts', 'close', id)).toMatchObject({ code: 0, out: `the account ${id} is closed\n` });
    expect(await ops('accounts', 'close', id)).toMatchObject({
      code: 0,
      out: `kept: the account ${id} was closed before\n`,
    });
    expect(await ops('keys', 'replace', id)).toMatchObject({ code: 2, err: expect.stringContaining('is closed') });
    expect((await ops('accounts', 'list')).out).toMatch(new RegExp(`${id}.* closed\\s*\n`));
  });
});
