// Mails about the security of an account and events for webhooks: one of both for each fact, whichever process wrote it
// and wherever it was killed, and none for what was taken back. Facts are counted by triggers of the
// database, which know nothing of mails.
import { randomBytes, randomUUID } from 'node:crypto';
import fc from 'fast-check';
import type { Pool } from 'pg';
import { createAccounts } from '../../../../src/accounts/accounts';
import { createOwnedKeys } from '../../../../src/accounts/keys/owned-keys';
import { startMailSender } from '../../../../src/accounts/mail/sender';
import { createSmtpTransport } from '../../../../src/accounts/mail/transport';
import { createPasswords } from '../../../../src/accounts/passwords';
import { hashOf, mintToken } from '../../../../src/accounts/token';
import type { Visitor } from '../../../../src/accounts/visitor';
import { createAddressCount } from '../../../../src/api/kernel/limits/address-count';
import { AppError } from '../../../../src/errors';
import { publicKeyId } from '../../../../src/plans/key-id';
import { planNamed } from '../../../../src/plans/plans';
import { createStores } from '../../../../src/store/create-stores';
import { hashApiKey } from '../../../../src/store/keys/keys';
import { LEGAL_VERSIONS } from '../../../../src/web/plain/legal-pages';
import { newKey } from '../../../support/api/api';
import { runs } from '../../../support/property';
import { until } from '../../../support/races/stream-lab';
import { createTestDatabase, type TestDatabase } from '../../../support/servers/database';
import { type Death, dyingPool, isKilled } from '../../../support/servers/dying-pool';
import { type MailServer, startMailServer } from '../../../support/servers/mail-server';
import { poolAs } from '../../../support/servers/roles';
import { publishedEvents } from '../../../support/webhooks/published-events';

const START = Date.parse('2026-11-21T03:04:05.000Z');
const PASSWORDS = ['correct horse battery', 'staple of correct horses'];
const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:145.0) Gecko/20100101 Firefox/145.0 <b>Call 555</b>';

let db: TestDatabase;
let pools: Pool[];
let server: MailServer;
let nowMs = START;
beforeAll(async () => {
  [db, server] = await Promise.all([createTestDatabase(), startMailServer()]);
  pools = [poolAs(db, 'racing_api'), poolAs(db, 'racing_api')];
  await db.pool.query(OBSERVED);
});
afterAll(async () => {
  await server.stop();
  await Promise.all(pools.map((pool) => pool.end()));
  await db.drop();
});

/** What happened, by the subject of its mail; two statements of one fact are one row. */
const OBSERVED = `
  CREATE TABLE observed (account_id uuid, subject text, fact text, UNIQUE (account_id, subject, fact));
  GRANT SELECT, INSERT ON observed TO racing_api;
  CREATE FUNCTION observe_key() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO observed SELECT NEW.account_id, subject, fact FROM (VALUES
      ('replaced', NEW.key_id || ' ' || NEW.version, TG_OP = 'INSERT' AND NEW.version > 1),
      ('A key was added to your account', NEW.key_id::text, TG_OP = 'INSERT' AND NEW.version = 1 AND NOT NEW.is_primary),
      ('A key of your account was deleted', NEW.key_id::text, TG_OP = 'UPDATE' AND NEW.revoked_at IS NOT NULL AND NOT NEW.is_primary
        AND NOT EXISTS (SELECT FROM api_keys k WHERE k.key_id = NEW.key_id AND revoked_at IS NULL)),
      ('The allowed addresses of a key were changed', gen_random_uuid()::text, TG_OP = 'UPDATE'
        AND ARRAY(SELECT unnest(NEW.allowed_addresses) ORDER BY 1) <> ARRAY(SELECT unnest(OLD.allowed_addresses) ORDER BY 1)
        AND NOT EXISTS (SELECT FROM api_keys k WHERE k.key_id = NEW.key_id AND k.version > NEW.version AND revoked_at IS NULL))
    ) AS facts (subject, fact, is_so) WHERE is_so ON CONFLICT DO NOTHING;
    RETURN NULL;
  END $$;
  CREATE TRIGGER observe_key AFTER INSERT OR UPDATE ON api_keys FOR EACH ROW EXECUTE FUNCTION observe_key();
  CREATE FUNCTION observe_password() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO observed VALUES (NEW.account_id, 'Your password was changed', gen_random_uuid()::text);
    RETURN NULL;
  END $$;
  CREATE TRIGGER observe_password AFTER UPDATE OF password_hash ON account_owners FOR EACH ROW EXECUTE FUNCTION observe_password();`;

const ACTS = [
  ...([
    'rotate',
    'rotate now',
    'rotate named',
    'reveal',
    'replace by link',
    'add',
    'end',
    'restrict',
    'change',
  ] as const),
  ...(['set password', 'reset', 'sign in', 'sign in again', 'sign in by link'] as const),
];
type Act = (typeof ACTS)[number];

const DEATH = fc.option(fc.record({ at: fc.nat(14), isAfter: fc.boolean() }), { freq: 2, nil: null });
const STEP = fc.record({
  act: fc.constantFrom(...ACTS),
  isOwned: fc.boolean(),
  /** Of each process that does it at the same moment; both with the same request. */
  deaths: fc.array(DEATH, { minLength: 1, maxLength: 2 }),
  choice: fc.nat(),
});

interface Account {
  readonly accountId: string;
  readonly email: string | null;
  password: string;
  /** The cookie of a browser in which it was signed in. */
  browser: string;
}

async function open(email: string | null): Promise<Account> {
  const accountId = randomUUID();
  const { token, hash } = mintToken(randomBytes);
  const key = newKey();
  await db.pool.query(`INSERT INTO accounts (account_id, plan, created_at) VALUES ($1, 'scale', now())`, [accountId]);
  await db.pool.query(
    `INSERT INTO api_keys (key_hash, last4, label, plan, issued_at, account_id, is_primary) VALUES ($1, $2, 'x', 'scale', now(), $3, true)`,
    [hashApiKey(key), key.slice(-4), accountId],
  );
  if (email !== null) {
    const passwordHash = await createPasswords().hash(PASSWORDS[0]!);
    await db.pool.query(
      `INSERT INTO account_owners (account_id, email, email_key, verified_at, terms_accepted_at, password_hash) VALUES ($1, $2, $2, now(), now(), $3)`,
      [accountId, email, passwordHash],
    );
    const lasts = new Date(nowMs + 300 * 86_400_000);
    await db.pool.query('INSERT INTO known_browsers VALUES ($1, $2, $3)', [hash, accountId, lasts]);
  }
  return { accountId, email, password: PASSWORDS[0]!, browser: token };
}

let networks = 0;
const visitorWith = (browser?: string): Visitor => {
  const address = `198.18.${networks >> 8}.${networks++ & 255}`;
  return { address, network: address, userAgent: FIREFOX, cookies: { session: browser, browser } };
};

/** A process, which may be killed at its next request. */
function process(pool: Pool, death: Death | null) {
  const stores = createStores(dyingPool(pool, death));
  const parts = { random: randomBytes, wallMs: () => nowMs, baseUrl: 'https://odds.example', mailWritten: () => {} };
  return {
    keys: createOwnedKeys({ keyReplacement: stores.keyReplacement, teamKeys: stores.teamKeys, ...parts }),
    accounts: createAccounts({
      ...stores,
      ...parts,
      passwords: createPasswords(),
      receivesMail: async () => 'unsure',
      counts: createAddressCount(null, () => nowMs),
      versions: LEGAL_VERSIONS,
    }),
  };
}

async function link(of: Account, purpose: 'login' | 'reset' | 'replace_key'): Promise<string> {
  const { token, hash } = mintToken(randomBytes);
  const text = `INSERT INTO mailed_links (token_hash, purpose, account_id, email, created_at, expires_at) VALUES ($1, $2, $3, $4, now(), $5)`;
  await db.pool.query(text, [hash, purpose, of.accountId, of.email, new Date(nowMs + 60_000)]);
  return token;
}

/** The same request for every process. Null: there is nothing to do it to. */
async function requestOf(act: Act, of: Account, choice: number) {
  const { accountId } = of;
  const known = visitorWith(of.browser);
  const stranger = visitorWith();
  const keys = await createStores(db.pool).teamKeys.list({
    accountId,
    at: new Date(nowMs).toISOString(),
    period: '2026-11-01',
  });
  const chosen = keys[choice % keys.length]!;
  const name = publicKeyId(chosen.keyId);
  const lists = [[], ['203.0.113.0/24'], ['203.0.113.0/24', '2001:db8::/32'], ['2001:db8::/32', '203.0.113.0/24']];
  const list = lists[choice % lists.length]!;
  const password = PASSWORDS.find((one) => one !== of.password)!;
  type Run = (one: ReturnType<typeof process>) => Promise<unknown>;
  const ofKeys: Partial<Record<Act, Run>> = {
    rotate: ({ keys: own }) => own.rotatePrimary(accountId, false, known),
    'rotate now': ({ keys: own }) => own.rotatePrimary(accountId, true, known),
    'rotate named': ({ keys: own }) => own.rotateNamed(accountId, name, false, known),
    reveal: ({ keys: own }) => own.reveal(accountId, known),
    add: ({ keys: own }) =>
      own.issue(
        { accountId, plan: planNamed('scale')! },
        { label: '<b>label</b>', allowedAddresses: [], scopes: null },
        known,
      ),
    end: ({ keys: own }) => own.end({ accountId }, name, known),
    restrict: ({ keys: own }) => own.restrict({ accountId, keyId: chosen.keyId }, list, known),
    change: ({ keys: own }) => own.change({ accountId }, name, { label: 'y', allowedAddresses: list }, known),
  };
  if (of.email === null) return ofKeys[act] ?? null;
  const credentials = { email: of.email, password: of.password };
  const byLink: Partial<Record<Act, 'login' | 'reset' | 'replace_key'>> = {
    'replace by link': 'replace_key',
    reset: 'reset',
    'sign in by link': 'login',
  };
  const purpose = byLink[act];
  const token = purpose ? await link(of, purpose) : '';
  const ofOwner: Partial<Record<Act, Run>> = {
    'replace by link': ({ accounts }) => accounts.replaceKey(token, stranger),
    'set password': ({ accounts }) => accounts.setPassword({ accountId, current: of.password, password }, known),
    reset: ({ accounts }) => accounts.reset(token, password, stranger),
    'sign in': ({ accounts }) => accounts.login(credentials, stranger),
    'sign in again': ({ accounts }) => accounts.login(credentials, known),
    'sign in by link': ({ accounts }) => accounts.loginByLink(token, choice % 2 ? stranger : known),
  };
  return ofKeys[act] ?? ofOwner[act] ?? null;
}

const factsOf = async ({ accountId }: Account) =>
  (
    await db.pool.query<{ subject: string; n: number }>(
      'SELECT subject, count(*) AS n FROM observed WHERE account_id = $1 GROUP BY 1 ORDER BY 1',
      [accountId],
    )
  ).rows;
const mailsTo = async (email: string) =>
  (
    await db.pool.query<{ subject: string; body: string }>('SELECT subject, body FROM mails WHERE recipient = $1', [
      email,
    ])
  ).rows;

/** Which browsers the account knows tells whether a sign-in was stored. */
const browsersOf = async ({ accountId }: Account): Promise<number> =>
  (await db.pool.query('SELECT count(*) AS n FROM known_browsers WHERE account_id = $1', [accountId])).rows[0].n;

interface World {
  readonly owned: Account;
  readonly ownerless: Account;
  newBrowsers: number;
}

async function take(
  world: World,
  { act, isOwned, deaths, choice }: typeof STEP extends fc.Arbitrary<infer T> ? T : never,
) {
  const account = isOwned ? world.owned : world.ownerless;
  const request = await requestOf(act, account, choice);
  if (!request) return;
  nowMs += 86_400_000;
  const before = await browsersOf(account);
  const stored = async () =>
    (await db.pool.query('SELECT password_hash FROM account_owners WHERE account_id = $1', [account.accountId])).rows[0]
      ?.password_hash;
  const passwordBefore = await stored();
  // Of two sign-ins with one cookie the second finds it used.
  const once = act === 'sign in again' ? deaths.slice(0, 1) : deaths;
  const done = await Promise.allSettled(once.map((death, i) => request(process(pools[i]!, death))));
  for (const one of done)
    if (one.status === 'rejected' && !(isKilled(one.reason) || one.reason instanceof AppError)) throw one.reason;
  if ((await stored()) !== passwordBefore) account.password = PASSWORDS.find((one) => one !== account.password)!;
  const isStranger = act === 'sign in' || (act === 'sign in by link' && choice % 2 === 1);
  // Both processes have one visitor: of one network and browser there is one mail a day.
  if (isStranger && (await browsersOf(account)) > before) world.newBrowsers++;
  await keepBrowser(account);
}

/** The browser in which the owner is signed in, whichever cookie the last request gave it. */
async function keepBrowser(account: Account): Promise<void> {
  if (account.email === null) return;
  await db.pool.query('DELETE FROM known_browsers WHERE account_id = $1', [account.accountId]);
  const lasts = new Date(nowMs + 300 * 86_400_000);
  await db.pool.query('INSERT INTO known_browsers VALUES ($1, $2, $3)', [
    hashOf(account.browser),
    account.accountId,
    lasts,
  ]);
}

/** By the subject of the mail. */
const KINDS: Readonly<Record<string, string>> = {
  'account.key_rotated': 'replaced',
  'account.key_revealed': 'replaced',
  'account.key_added': 'A key was added to your account',
  'account.key_deleted': 'A key of your account was deleted',
  'account.key_addresses_changed': 'The allowed addresses of a key were changed',
  'account.password_changed': 'Your password was changed',
  'account.new_browser': 'A sign-in from a new browser',
};
const countsOf = (subjects: readonly string[]): object => {
  const counts: Record<string, number> = {};
  for (const subject of subjects) counts[subject] = (counts[subject] ?? 0) + 1;
  return counts;
};
const eventsOf = async ({ accountId }: Account) =>
  (await publishedEvents(db.pool, accountId)).map(({ kind }) => KINDS[kind]!);

test('each fact has one event and one mail, wherever a process is killed; what was taken back has none, and no mail an account without an owner', async () => {
  const property = fc.asyncProperty(fc.array(STEP, { minLength: 4, maxLength: 12 }), async (steps) => {
    const email = `${randomUUID()}@example.com`;
    const world: World = { owned: await open(email), ownerless: await open(null), newBrowsers: 0 };
    const all = async () => (await db.pool.query('SELECT count(*) AS n FROM mails')).rows[0].n;
    const before = await all();
    for (const step of steps) await take(world, step);
    const mails = await mailsTo(email);
    expect((await all()) - before).toBe(mails.length);
    const subjects = mails.map(({ subject }) => (REPLACED.includes(subject) ? 'replaced' : subject));
    const expected = new Map((await factsOf(world.owned)).map(({ subject, n }) => [subject, n]));
    if (world.newBrowsers > 0) expected.set('A sign-in from a new browser', world.newBrowsers);
    expect(countsOf(subjects)).toEqual(Object.fromEntries(expected));
    expect(countsOf(await eventsOf(world.owned))).toEqual(Object.fromEntries(expected));
    const ownerless = (await factsOf(world.ownerless)).map(({ subject, n }) => [subject, n]);
    expect(countsOf(await eventsOf(world.ownerless))).toEqual(Object.fromEntries(ownerless));
  });
  await fc.assert(property, { numRuns: runs(100) });
});

const REPLACED = ['Your API key was replaced', 'A new API key was shown'];

test('says what happened, when, from where, and what to do, without a key, a label or a stranger’s text', async () => {
  const email = 'reader@example.com';
  const account = await open(email);
  const { accountId } = account;
  nowMs = Date.parse('2026-11-21T03:04:05.000Z');
  const { keys, accounts } = process(pools[0]!, null);
  const from = { ...visitorWith(account.browser), address: '2001:db8::7' };
  const secrets: string[] = [...PASSWORDS, account.browser];
  secrets.push((await keys.rotatePrimary(accountId, false, from)).key);
  secrets.push((await keys.reveal(accountId, { ...from, userAgent: 'python-requests/2.32' })).key);
  const added = await keys.issue(
    { accountId, plan: planNamed('scale')! },
    { label: '<b>', allowedAddresses: [], scopes: null },
    from,
  );
  secrets.push(added.key);
  await keys.restrict({ accountId, keyId: added.row.keyId }, ['203.0.113.0/24'], from);
  await keys.restrict({ accountId, keyId: added.row.keyId }, ['203.0.113.0/24'], from);
  await keys.end({ accountId }, publicKeyId(added.row.keyId), { ...from, address: '', userAgent: '' });
  const stranger = { ...visitorWith(), address: '203.0.113.9' };
  const first = await accounts.login({ email, password: PASSWORDS[0]! }, stranger);
  const again = await accounts.login({ email, password: PASSWORDS[0]! }, stranger);
  secrets.push(first.session.token, again.session.token, again.browser.token);
  await accounts.setPassword(
    { accountId, current: PASSWORDS[0]!, password: PASSWORDS[1]! },
    { ...from, cookies: { session: first.session.token } },
  );

  const sender = startMailSender({
    mails: createStores(pools[1]!).mails,
    transport: createSmtpTransport(server.url, 'no-reply@odds.example'),
    wallMs: () => nowMs,
    log: { warn: () => {} },
  });
  const read = () => server.received.filter(({ to }) => to === email);
  await until(() => read().length >= 7);
  await sender.stop();
  const bySubject = Object.fromEntries(read().map(({ subject, text }) => [subject, text]));
  const when = 'on 2026-11-21 at 03:04 UTC';
  expect(bySubject).toEqual({
    'Your API key was replaced': expect.stringContaining(`${when}, from 2001:db8::7, with Firefox on Windows.`),
    'A new API key was shown': expect.stringContaining(`and shown, ${when}, from 2001:db8::7. It ends in`),
    'A key was added to your account': expect.stringContaining(`${when}, from 2001:db8::7`),
    'The allowed addresses of a key were changed': expect.stringContaining(
      'Only these may use it now:\n203.0.113.0/24\n',
    ),
    'A key of your account was deleted': expect.stringContaining(`was deleted ${when}. Calls`),
    'A sign-in from a new browser': expect.stringContaining(`${when}, from 203.0.113.9, with Firefox on Windows`),
    'Your password was changed': expect.stringContaining(when),
  });
  expect(read()).toHaveLength(7);
  expect(bySubject[REPLACED[0]!]).toContain('The key before it works until 2026-11-22 at 03:04 UTC.');
  const everything = read()
    .map(({ text }) => text)
    .join();
  for (const secret of secrets) expect(everything).not.toContain(secret);
  expect(everything).not.toMatch(/<b>|python|token=|pe_live|555/);
  expect(everything).toMatch(/https:\/\/odds\.example\/(account|forgot)\n/);

  const events = await publishedEvents(db.pool, accountId);
  expect(events.map(({ kind }) => kind).toSorted()).toEqual(Object.keys(KINDS).toSorted());
  const bodies = JSON.stringify(events.map(({ facts }) => facts));
  for (const secret of [...secrets, email, '2001:db8', '203.0.113', '<b>']) expect(bodies).not.toContain(secret);
  const [ofRotation] = events;
  const publicId = { key_id: expect.stringMatching(/^tk_/), last4: secrets[3]!.slice(-4) };
  expect(ofRotation!.facts).toEqual({ ...publicId, previous_valid_until: '2026-11-22T03:04:05.000Z' });
});
