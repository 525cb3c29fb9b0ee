// A change of address by two links, on the real database: nothing changes before the new address confirms, the old one
// can take it back whatever happened since, and a taken address leaks nothing.
import fc from 'fast-check';
import type { Visitor } from '../../../../src/accounts/visitor';
import { type Browser, type Owners, serveOwners } from '../../../support/api/owners';
import { runs } from '../../../support/property';

let owners: Owners;
beforeAll(async () => {
  owners = await serveOwners();
});
afterAll(() => owners.stop());

const PASSWORD = 'correct horse battery';
const DAY_MS = 86_400_000;
let networks = 0;

const visitorOf = ({ cookies }: Browser): Visitor => ({
  address: '192.0.2.1',
  userAgent: '',
  network: `192.0.2.${networks++ % 256}-${networks >> 8}`,
  cookies: {
    session: cookies.get('__Host-session'),
    browser: [...cookies].find(([name]) => /browser/.test(name))?.[1],
  } as Visitor['cookies'],
});

async function owner(email: string, password: string | undefined = PASSWORD) {
  owners.api.now += 1000;
  const { browser, key } = await owners.signedUp(email, password);
  const { account_id: accountId } = (await browser.get('/v1/account')).body;
  return { browser, key, accountId: accountId as string };
}
type Owner = Awaited<ReturnType<typeof owner>>;

const ask = (
  { accountId, browser }: Pick<Owner, 'accountId' | 'browser'>,
  email: string,
  password: string | null = PASSWORD,
) => {
  owners.api.now += 1000;
  return owners.accounts.askAddressChange({ accountId, email, password }, visitorOf(browser));
};
const addressOf = async ({ accountId }: Pick<Owner, 'accountId'>) => (await owners.accounts.account(accountId)).email;
const isSignedIn = async (browser: Browser) => (await browser.get('/v1/account')).status === 200;
const login = (email: string, password = PASSWORD) => owners.browser().post('/v1/login', { email, password });
const tokenTo = async (email: string, subject: string) =>
  (await owners.mails(email)).findLast((mail) => mail.subject === subject)!.token;
const PASSKEY = `INSERT INTO passkeys VALUES (gen_random_uuid(), $1, 'id', 'key', 0, 'of the thief', now())`;
const NEW = 'Confirm your new address';
const OLD = 'The address of your account was changed';
/** Changes the address, and resolves to the token that undoes it. */
async function change(one: Owner, from: string, to: string): Promise<string> {
  await ask(one, to);
  await owners.accounts.confirmAddress(await tokenTo(to, NEW), one.accountId);
  return tokenTo(from, OLD);
}

test('nothing changes before the new address confirms; then it signs in, and links that went to the old one end', async () => {
  const one = await owner('old@example.com');
  await owners.browser().post('/v1/password/forgot', { email: 'old@example.com' });
  const reset = (await owners.lastMail('old@example.com')).token;
  const before = (await owners.mails('old@example.com')).length;
  await ask(one, 'New@example.com');
  expect(await addressOf(one)).toBe('old@example.com');
  expect((await owners.mails('old@example.com')).length).toBe(before);
  expect((await login('old@example.com')).status).toBe(200);
  const token = await tokenTo('New@example.com', NEW);
  expect((await owners.browser().post('/v1/login/exchange', { token })).body).toMatchObject({ code: 'conflict' });
  expect(await owners.accounts.viewLink(token)).toMatchObject({
    purpose: 'change_email',
    state: 'open',
    email: 'N…@example.com',
  });

  // A stranger's mailbox, entered by mistake, confirms nothing; the link still works for its account.
  const stranger = await owner('stranger@example.com');
  for (const by of [null, stranger.accountId])
    await expect(owners.accounts.confirmAddress(token, by)).rejects.toMatchObject({ code: 'conflict' });
  expect(await addressOf(one)).toBe('old@example.com');
  await owners.accounts.confirmAddress(token, one.accountId);
  expect(await addressOf(one)).toBe('New@example.com');
  expect([(await login('old@example.com')).status, (await login('new@example.com')).status]).toEqual([401, 200]);
  expect(await isSignedIn(one.browser)).toBe(true);
  expect(
    (await owners.browser().post('/v1/password/reset', { token: reset, password: 'another long one' })).status,
  ).toBe(410);
  await expect(owners.accounts.confirmAddress(token, one.accountId)).rejects.toMatchObject({ code: 'gone' });
  expect((await owners.lastMail('old@example.com')).subject).toBe(OLD);
  // The old address is free again.
  expect((await owner('old@example.com')).accountId).not.toBe(one.accountId);
});

test('the old address takes the account back from whoever changed it twice and set a password', async () => {
  const one = await owner('real@example.com');
  const first = await change(one, 'real@example.com', 'thief1@example.com');
  owners.api.now += DAY_MS;
  await ask(one, 'thief2@example.com');
  await owners.accounts.confirmAddress(await tokenTo('thief2@example.com', NEW), one.accountId);
  // Only the earliest address can take it back.
  expect((await owners.lastMail('thief1@example.com')).subject).toBe('The address of your account was changed again');
  expect((await owners.lastMail('thief1@example.com')).token).toBe('');
  const stolen = 'chosen by the thief';
  const password = { accountId: one.accountId, current: PASSWORD, password: stolen };
  await owners.accounts.setPassword(password, visitorOf(one.browser));
  owners.api.now += 1000;
  await owners.browser().post('/v1/login/request', { email: 'thief2@example.com' });
  const pending = (await owners.lastMail('thief2@example.com')).token;
  owners.api.now += 5 * DAY_MS;

  await owners.db.pool.query(PASSKEY, [one.accountId]);
  await owners.accounts.undoAddress(first);
  expect(await owners.accounts.passkeys(one.accountId)).toEqual([]);
  expect(await addressOf(one)).toBe('real@example.com');
  expect(await isSignedIn(one.browser)).toBe(false);
  for (const email of ['real@example.com', 'thief2@example.com'])
    for (const each of [PASSWORD, stolen]) expect((await login(email, each)).status).toBe(401);
  expect((await owners.browser().post('/v1/login/exchange', { token: pending })).status).toBe(410);
  await expect(owners.accounts.undoAddress(first)).rejects.toMatchObject({ code: 'gone' });
  expect((await owners.lastMail('thief2@example.com')).subject).toBe('The change of your address was taken back');
  // Its owner signs in by a link, and the key works as before.
  await owners.browser().post('/v1/login/request', { email: 'real@example.com' });
  const own = owners.browser();
  await own.post('/v1/login/exchange', { token: (await owners.lastMail('real@example.com')).token });
  expect(await isSignedIn(own)).toBe(true);
  expect((await owners.api.get('/v1/usage', one.key)).status).toBe(200);
});

test('a change can be taken back for seven days, and not onto an address that has an account by now', async () => {
  const late = await owner('late@example.com');
  const token = await change(late, 'late@example.com', 'later@example.com');
  owners.api.now += 7 * DAY_MS;
  await expect(owners.accounts.undoAddress(token)).rejects.toMatchObject({ code: 'gone' });
  const one = await owner('left@example.com');
  const undo = await change(one, 'left@example.com', 'moved@example.com');
  await owner('left@example.com');
  await expect(owners.accounts.undoAddress(undo)).rejects.toMatchObject({ code: 'conflict' });
  expect(await addressOf(one)).toBe('moved@example.com');
});

test('an owner who sets the old address again ends every way back, and a link that is refused still works', async () => {
  const one = await owner('mine@example.com');
  const undo = await change(one, 'mine@example.com', 'thief3@example.com');
  const other = await owner('mine@example.com');
  await expect(owners.accounts.undoAddress(undo)).rejects.toMatchObject({ code: 'conflict' });
  const order = { accountId: other.accountId, email: 'mine@example.com', password: PASSWORD };
  await owners.accounts.close(order, visitorOf(other.browser));
  await owners.db.pool.query(PASSKEY, [one.accountId]);
  await ask(one, 'mine@example.com');
  await owners.accounts.confirmAddress(await tokenTo('mine@example.com', NEW), one.accountId);
  expect([await addressOf(one), await isSignedIn(one.browser)]).toEqual(['mine@example.com', false]);
  expect(await owners.accounts.passkeys(one.accountId)).toEqual([]);
  expect((await owners.lastMail('thief3@example.com')).token).toBe('');
  await expect(owners.accounts.undoAddress(undo)).rejects.toMatchObject({ code: 'gone' });
  const text = `SELECT FROM mailed_links WHERE account_id = $1 AND purpose = 'undo_email' AND used_at IS NULL`;
  expect((await owners.db.pool.query(text, [one.accountId])).rows).toEqual([]);
});

test('a taken address gets the same answer after the same work, and only its own mail tells', async () => {
  await owner('taken.one@gmail.com');
  const one = await owner('asks@example.com');
  const worked = [];
  for (const email of ['free.one@gmail.com', 'takenone+x@gmail.com'])
    worked.push(await owners.workOf(async () => expect(await ask(one, email)).toBeUndefined()));
  expect(worked[0]).toEqual(worked[1]);
  expect((await owners.lastMail('free.one@gmail.com')).subject).toBe(NEW);
  expect(await owners.mails('takenone+x@gmail.com')).toEqual([]);
  const mail = await owners.lastMail('taken.one@gmail.com');
  expect([mail.subject, mail.token]).toEqual(['Your address was entered for another account', '']);
  // Taken between the mail and the press: its reader owns both.
  await owner('free.one@gmail.com');
  const token = await tokenTo('free.one@gmail.com', NEW);
  await expect(owners.accounts.confirmAddress(token, one.accountId)).rejects.toMatchObject({ code: 'conflict' });
  expect(await addressOf(one)).toBe('asks@example.com');
});

test('another spelling of the own mailbox is no taken address', async () => {
  const one = await owner('jo.own@gmail.com');
  await change(one, 'jo.own@gmail.com', 'joown+api@gmail.com');
  expect(await addressOf(one)).toBe('joown+api@gmail.com');
});

test('a wrong password, the present address and a throw-away one are refused before any mail', async () => {
  const one = await owner('refused@example.com');
  const refused = [
    ['next@example.com', 'wrong', { code: 'validation' }],
    ['next@example.com', null, { code: 'validation' }],
    ['REFUSED@example.com', PASSWORD, { code: 'validation' }],
    ['x@mailinator.com', PASSWORD, { code: 'disposable_address' }],
    ['no address', PASSWORD, { code: 'validation' }],
  ] as const;
  for (const [email, password, problem] of refused)
    await expect(ask(one, email, password)).rejects.toMatchObject(problem);
  expect(await owners.mails('next@example.com')).toEqual([]);
  const linked = await owner('linked@example.com', '');
  await ask(linked, 'next@example.com', null);
  expect((await owners.lastMail('next@example.com')).subject).toBe(NEW);
});

test('a change waits for a reading of billing that is written, and holds nothing that the reading needs', async () => {
  const one = await owner('billed@example.com');
  const { pool } = owners.db;
  const billed = `INSERT INTO billing_accounts (account_id, customer_id, read_at, due_at) VALUES ($1, 'cus_billed', now(), now())`;
  await pool.query(billed, [one.accountId]);
  await ask(one, 'paid@example.com');
  const token = await tokenTo('paid@example.com', NEW);
  const reading = await pool.connect();
  try {
    await reading.query('BEGIN');
    await reading.query('SELECT FROM billing_accounts WHERE account_id = $1 FOR UPDATE', [one.accountId]);
    const changing = owners.accounts.confirmAddress(token, one.accountId);
    const waiting = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    while ((await pool.query(waiting)).rowCount === 0) await new Promise((resume) => setTimeout(resume, 10));
    const account = 'SELECT FROM accounts WHERE account_id = $1 FOR UPDATE NOWAIT';
    // The outcome first: whatever it is, the change may go on.
    const [locked] = await Promise.allSettled([reading.query(account, [one.accountId])]);
    await reading.query('ROLLBACK');
    await changing;
    expect(locked).toMatchObject({ status: 'fulfilled' });
  } finally {
    reading.release();
  }
  expect(await addressOf(one)).toBe('paid@example.com');
});

test('whatever is pressed at the same moment, no address has two accounts and no account loses its own', async () => {
  let made = 0;
  const presses = fc.array(fc.constantFrom('confirm 0', 'confirm 1', 'undo 0', 'undo 1', 'sign up', 'close 1'), {
    minLength: 2,
    maxLength: 6,
  });
  const property = fc.asyncProperty(presses, async (chosen) => {
    const n = made++;
    const [first, second] = [`one${n}@example.com`, `two${n}@example.com`];
    const all = [await owner(first), await owner(second)];
    const wanted = `wanted${n}@example.com`;
    const undos = [
      await change(all[0]!, first, `middle0-${n}@example.com`),
      await change(all[1]!, second, `middle1-${n}@example.com`),
    ];
    const tokens: string[] = [];
    for (const one of all) {
      await ask(one, wanted);
      tokens.push(await tokenTo(wanted, NEW));
    }
    owners.api.now += 1000;
    const signUp = owners.browser();
    await signUp.post('/v1/signup', { email: wanted, terms_accepted: true });
    const verify = (await owners.lastMail(wanted)).token;
    const act = (press: string): Promise<unknown> => {
      const i = Number(press.at(-1));
      if (press === 'sign up') return signUp.post('/v1/login/exchange', { token: verify });
      if (press.startsWith('confirm')) return owners.accounts.confirmAddress(tokens[i]!, all[i]!.accountId);
      if (press.startsWith('undo')) return owners.accounts.undoAddress(undos[i]!);
      const order = { accountId: all[1]!.accountId, email: `middle1-${n}@example.com`, password: PASSWORD };
      return owners.accounts.close(order, visitorOf(all[1]!.browser));
    };
    const results = await Promise.allSettled(chosen.map(act));
    // Refusals are those of the service: no deadlock, no broken constraint.
    for (const result of results)
      if (result.status === 'rejected')
        expect(result.reason).toMatchObject({ code: expect.stringMatching(/^[a-z_]+$/) });
    const text = `SELECT email, account_id AS id FROM account_owners WHERE email LIKE '%${n}@example.com' AND email ~ '^(one|two|middle.-|wanted)${n}@'`;
    const { rows } = await owners.db.pool.query<{ email: string; id: string }>(text);
    expect(rows.filter(({ email }) => email === wanted).length).toBeLessThanOrEqual(1);
    for (const [i, one] of all.entries()) {
      const own = [[first, second][i], `middle${i}-${n}@example.com`, wanted];
      const email = await addressOf(one);
      if (email === null) expect(chosen).toContain('close 1');
      else expect(own).toContain(email);
    }
  });
  await fc.assert(property, { numRuns: runs(60) });
});
