// One mailbox, one Free account: for any spelling, process and moment. Also what strangers may have mailed to it.
import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { createAccounts } from '../../../../src/accounts/accounts';
import { mailboxOf } from '../../../../src/accounts/email/mailbox';
import { createPasswords } from '../../../../src/accounts/passwords';
import { createAddressCount } from '../../../../src/api/kernel/limits/address-count';
import { createStores } from '../../../../src/store/create-stores';
import { LEGAL_VERSIONS } from '../../../../src/web/plain/legal-pages';
import { type Owners, serveOwners } from '../../../support/api/owners';
import { runs } from '../../../support/property';
import { poolAs } from '../../../support/servers/roles';

let owners: Owners;
beforeAll(async () => {
  owners = await serveOwners();
});
afterAll(() => owners.stop());

const signup = (email: string) => ({ email, terms_accepted: true });
const exchange = (token: string, browser = owners.browser()) => browser.post('/v1/login/exchange', { token });

/** Spellings that the provider of the mailbox documents as equal. */
const SPELLINGS: Readonly<Record<string, (name: string, tag: string) => readonly string[]>> = {
  gmail: (name, tag) => [
    `${name}@gmail.com`,
    `${[...name].join('.')}+${tag}@googlemail.com`,
    `${name.toUpperCase()}@Gmail.com`,
  ],
  outlook: (name, tag) => [`${name}@outlook.com`, `${name}+${tag}@outlook.com`],
  hotmail: (name, tag) => [`${name}@hotmail.com`, `${name}+${tag}@hotmail.com`],
  fastmail: (name, tag) => [`${name}@fastmail.com`, `${name}+${tag}@fastmail.com`, `${tag}@${name}.fastmail.com`],
  proton: (name, tag) => [`${name}@proton.me`, `${[...name].join('-')}+${tag}@proton.me`],
  own: (name) => [`${name}@example.com`],
  tagged: (name) => [`${name}+x@example.com`],
};
const mailboxes = fc.uniqueArray(
  fc.record({ name: fc.stringMatching(/^[a-z][a-z0-9]{5,9}$/), provider: fc.constantFrom(...Object.keys(SPELLINGS)) }),
  { minLength: 1, maxLength: 4, selector: ({ name, provider }) => `${name} ${provider}` },
);
const tags = fc.stringMatching(/^[a-z0-9]{1,6}$/);

test('spellings of a mailbox are one mailbox, and two mailboxes never are', () => {
  const property = fc.property(mailboxes, tags, (all, tag) => {
    const keys = all.map(({ name, provider }) => new Set(SPELLINGS[provider]!(name, tag).map(mailboxOf)));
    for (const of of keys) expect(of.size).toBe(1);
    expect(new Set(keys.flatMap((of) => [...of])).size).toBe(all.length);
  });
  fc.assert(property, { numRuns: runs(500) });
});

test('two processes that verify all spellings simultaneously open one account per mailbox', async () => {
  const pools = [poolAs(owners.db, 'racing_api'), poolAs(owners.db, 'racing_api')];
  const processes = pools.map((pool) =>
    createAccounts({
      ...createStores(pool),
      passwords: createPasswords(),
      receivesMail: async () => 'yes',
      counts: createAddressCount(null, () => owners.api.now),
      random: randomBytes,
      wallMs: () => owners.api.now,
      baseUrl: 'https://api.example.com',
      versions: LEGAL_VERSIONS,
      linksPerMinute: 1_000_000,
      mailWritten: () => {},
    }),
  );
  const form = {
    password: null,
    plan: 'free',
    label: 'x',
    marketingOptIn: false,
    useCase: null,
    useCaseNote: null,
    referral: null,
  };
  const visitor = () => {
    const address = randomBytes(4).join('.');
    return { address, network: address, userAgent: '', cookies: {} };
  };
  const property = fc.asyncProperty(mailboxes, tags, async (all, tag) => {
    const spellings = all.flatMap(({ name, provider }) => SPELLINGS[provider]!(name, tag));
    for (const email of spellings) await processes[0]!.signUp({ ...form, email }, visitor());
    const text = `SELECT m.body FROM mails m WHERE m.subject = 'Confirm your email address' AND lower(m.recipient) = ANY($1)`;
    const { rows } = await owners.db.pool.query(text, [spellings.map((email) => email.toLowerCase())]);
    const tokens = rows.map(({ body }) => /\?token=([\w-]+)/.exec(body)![1]!);
    await Promise.allSettled(tokens.flatMap((token) => processes.map((one) => one.verify(token, visitor()))));
    const keys = [...new Set(spellings.map(mailboxOf))];
    const owned = await owners.db.pool.query('SELECT mailbox FROM account_owners WHERE mailbox = ANY($1)', [keys]);
    expect(owned.rows.map(({ mailbox }) => mailbox).sort()).toEqual(keys.sort());
  });
  await fc.assert(property, { numRuns: runs(50) });
  await Promise.all(pools.map((pool) => pool.end()));
});

test('another spelling is answered like the address, and its mail goes to the account’s own spelling', async () => {
  await owners.signedUp('jo.citizen@gmail.com');
  const answers = [];
  for (const email of ['jocitizen+odds@googlemail.com', 'someone.else@gmail.com'])
    answers.push(await owners.browser().post('/v1/signup', signup(email)));
  expect(answers[0]!.text).toBe(answers[1]!.text);
  expect(await owners.mails('jocitizen+odds@googlemail.com')).toEqual([]);
  const mail = await owners.lastMail('jo.citizen@gmail.com');
  expect(mail.subject).toBe('You have an account already');
  const operator = await owners.addKey({ role: 'internal', plan: 'enterprise' });
  const open = (plan: string, email: string) =>
    owners.api.send('POST', `/v1/keys?label=x&plan=${plan}&email=${encodeURIComponent(email)}`, { key: operator });
  expect((await open('free', 'jocitizen+2@gmail.com')).status).toBe(409);
  expect((await open('business', 'jocitizen+2@gmail.com')).status).toBe(200);
  expect((await open('free', 'x@mailinator.com')).body).toMatchObject({ status: 400, code: 'disposable_address' });
});

test('accounts of the previous release stay, and the oldest account of a mailbox owns it', async () => {
  for (const [i, email] of ['old@gmail.com', 'o.l.d@gmail.com'].entries())
    await owners.db.pool.query(
      `WITH a AS (INSERT INTO accounts (plan, created_at) VALUES ('free', now()) RETURNING account_id)
       INSERT INTO account_owners (account_id, email, email_key, verified_at, terms_accepted_at)
       SELECT account_id, $1, $1, now() + $2 * interval '1 s', now() FROM a`,
      [email, i],
    );
  await createStores(owners.db.pool).mailboxes.fill(mailboxOf);
  const text = 'SELECT email, owns_mailbox AS owns FROM account_owners WHERE mailbox = $1 ORDER BY verified_at';
  expect((await owners.db.pool.query(text, ['old@gmail.com'])).rows).toEqual([
    { email: 'old@gmail.com', owns: true },
    { email: 'o.l.d@gmail.com', owns: false },
  ]);
});

test('a disposable domain is a 400, whether it has accounts or not', async () => {
  for (const email of ['x@mailinator.com', 'x@sub.mailinator.com'])
    expect((await owners.browser().post('/v1/signup', signup(email))).body).toMatchObject({
      status: 400,
      code: 'disposable_address',
    });
});

test('a network can open five accounts a day; after that it gets no mail and no account', async () => {
  const tokens: string[] = [];
  for (let i = 0; i < 6; i++) {
    await owners.browser().post('/v1/signup', signup(`five${i}@example.com`));
    tokens.push((await owners.lastMail(`five${i}@example.com`)).token);
  }
  const statuses = [];
  for (const token of tokens) statuses.push((await exchange(token, owners.browser('192.0.2.50'))).status);
  expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
  expect((await owners.browser('192.0.2.50').post('/v1/signup', signup('six@example.com'))).status).toBe(429);
  // The link was not used up.
  expect((await exchange(tokens[5]!, owners.browser('192.0.2.51'))).status).toBe(200);
});

test('all processes together accept the allowed number of mail requests in a minute', async () => {
  const stores = [createStores(owners.db.pool), createStores(owners.db.pool)];
  const at = '2031-01-01T00:00:30.000Z';
  const taken = await Promise.all(Array.from({ length: 40 }, (_, i) => stores[i % 2]!.mailBudget.take(at, 25)));
  expect(taken.filter(Boolean)).toHaveLength(25);
  expect(await stores[0]!.mailBudget.take('2031-01-01T00:01:00.000Z', 25)).toBe(true);
});
