// Sign-in, passwords and consent, over HTTP and on the real database: responses never reveal whether an address has an
// account, and no stranger can lock an owner out.
import { randomBytes } from 'node:crypto';
import { hash } from '@node-rs/argon2';
import { createStores } from '../../../../src/store/create-stores';
import { NOW } from '../../../support/api/api';
import { noticeAt } from '../../../support/api/notices';
import { type Browser, type Owners, serveOwners, type Work } from '../../../support/api/owners';
import { untilBlocked } from '../../../support/servers/lock-waiters';

let owners: Owners;
beforeAll(async () => {
  owners = await serveOwners();
});
afterAll(() => owners.stop());

const PASSWORD = 'correct horse battery';
const NEW = 'staple of correct horses';
const SESSION = '__Host-session';
const login = (browser: Browser, email: string, password = PASSWORD) => browser.post('/v1/login', { email, password });
const isSignedIn = async (browser: Browser) => (await browser.get('/v1/account')).status === 200;
const withCookie = (value: string): Browser => {
  const browser = owners.browser();
  browser.cookies.set(SESSION, value);
  return browser;
};

/** The mail that the service writes for such a request. */
async function mailOf(path: '/v1/login/request' | '/v1/password/forgot', email: string) {
  await owners.browser().post(path, { email });
  return owners.lastMail(email);
}
const sendByKey = (key: string, path: string, body: object) =>
  owners.api.send('POST', path, {
    key,
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });

/** Runs `act` while a lock is held until this many of its statements wait for it. */
async function blockedBy<T>(lock: string, values: unknown[], sessions: number, act: () => Promise<T>): Promise<T> {
  const holder = await owners.db.pool.connect();
  try {
    await holder.query('BEGIN');
    await holder.query(lock, values);
    const done = act();
    await untilBlocked(owners.db.pool, holder, sessions);
    await holder.query('COMMIT');
    return await done;
  } finally {
    holder.release();
  }
}

test('a correct password starts a thirty-day session, in a cookie that scripts and other sites cannot use', async () => {
  await owners.signedUp('jo@example.com', PASSWORD);
  const browser = owners.browser();
  const answer = await login(browser, 'jo@example.com');
  expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-store']);
  expect(Date.parse(answer.body.expires_at)).toBe(owners.api.now + 30 * 86_400_000);
  for (const cookie of answer.headers.getSetCookie())
    expect(cookie).toMatch(/^__Host-(session|browser)=[\w-]{43}; path=\/; expires=.*; samesite=lax; secure; httponly$/);
  expect(await isSignedIn(browser)).toBe(true);
});

test('a wrong password, an account without one and an unknown address get the same response after the same work', async () => {
  await owners.signedUp('with@example.com', PASSWORD);
  await owners.signedUp('without@example.com');
  const answers: object[] = [];
  const worked: Work[] = [];
  for (const email of ['with@example.com', 'without@example.com', 'unknown@example.com'])
    worked.push(
      await owners.workOf(async () => {
        const { status, body, headers } = await login(owners.browser(), email, 'wrong password!');
        const { request_id: _, ...same } = body;
        answers.push({ status, same, headers: [...headers.keys()].sort() });
      }),
    );
  expect(answers[0]).toMatchObject({ status: 401, same: { code: 'unauthorized' } });
  expect(new Set(answers.map((one) => JSON.stringify(one))).size).toBe(1);
  expect(worked[0]).toMatchObject({ hashes: 1 });
  expect(new Set(worked.map((one) => JSON.stringify(one))).size).toBe(1);
});

test.each(['/v1/login/request', '/v1/password/forgot', '/v1/keys/resend'])(
  '%s answers every address alike, after the same work',
  async (path) => {
    const name = path.replaceAll('/', '.');
    await owners.signedUp(`has${name}@example.com`);
    const answers: string[] = [];
    const worked: Work[] = [];
    for (const email of [`has${name}@example.com`, `none${name}@example.com`])
      worked.push(
        await owners.workOf(async () => {
          const { status, text, headers } = await owners.browser().post(path, { email });
          answers.push(`${status} ${text} ${[...headers.keys()].sort()}`);
        }),
      );
    expect(answers[0]).toBe(answers[1]);
    expect(worked[0]).toEqual(worked[1]);
    expect(worked[0]!.nudges).toBe(1);
    const subjects = [`has${name}@example.com`, `none${name}@example.com`].map(owners.lastMail);
    expect((await Promise.all(subjects)).map(({ subject }) => subject === 'No account has this address')).toEqual([
      false,
      true,
    ]);
  },
);

test('a sign-in, by password or by link, ends every session that the browser had before', async () => {
  await owners.signedUp('victim@example.com', PASSWORD);
  const { browser: attacker } = await owners.signedUp('attacker@example.com', PASSWORD);
  // A cookie that the attacker knows, planted in the victim's browser: unknown, or from a session of the attacker's.
  for (const planted of ['A'.repeat(43), attacker.cookies.get(SESSION)!]) {
    const victim = withCookie(planted);
    await login(victim, 'victim@example.com');
    expect(victim.cookies.get(SESSION)).not.toBe(planted);
    expect(await isSignedIn(withCookie(planted))).toBe(false);
    expect((await victim.get('/v1/account')).body.email).toBe('victim@example.com');
  }
  const victim = owners.browser();
  await login(victim, 'victim@example.com');
  const before = victim.cookies.get(SESSION)!;
  await victim.post('/v1/login/request', { email: 'victim@example.com' });
  await victim.post('/v1/login/exchange', { token: (await owners.lastMail('victim@example.com')).token });
  expect(victim.cookies.get(SESSION)).not.toBe(before);
  expect([await isSignedIn(victim), await isSignedIn(withCookie(before))]).toEqual([true, false]);
});

test('a mailed link signs in once, within thirty minutes, and does not allow a new password', async () => {
  await owners.signedUp('link@example.com');
  const { token, body } = await mailOf('/v1/login/request', 'link@example.com');
  expect(body).toContain(`https://api.example.com/login/link?token=${token}`);
  const reset = await owners.browser().post('/v1/password/reset', { token, password: NEW });
  expect(reset.body).toMatchObject({ status: 404, code: 'not_found' });
  const browser = owners.browser();
  expect((await browser.post('/v1/login/exchange', { token })).body).toMatchObject({
    status: 'signed_in',
    api_key: null,
  });
  expect(await isSignedIn(browser)).toBe(true);
  expect((await owners.browser().post('/v1/login/exchange', { token })).body).toMatchObject({ code: 'gone' });
  owners.api.now += 1000;
  const { token: lateToken } = await mailOf('/v1/login/request', 'link@example.com');
  owners.api.now += 30 * 60_000;
  const late = await owners.browser().post('/v1/login/exchange', { token: lateToken });
  expect(late.body).toMatchObject({ code: 'gone', detail: expect.stringContaining('expired') });
});

test('a new password by a mailed link signs out every other device, ends other links, and is announced', async () => {
  const email = 'reset@example.com';
  const { browser: elsewhere, key } = await owners.signedUp(email, PASSWORD);
  const { token: older } = await mailOf('/v1/login/request', email);
  owners.api.now += 1000;
  const { token, body } = await mailOf('/v1/password/forgot', email);
  expect(body).toContain(`https://api.example.com/reset?token=${token}`);
  expect((await owners.browser().post('/v1/login/exchange', { token })).body).toMatchObject({ code: 'conflict' });
  expect((await owners.browser().post('/v1/password/reset', { token, password: email })).status).toBe(422);

  owners.api.now += 1000;
  const browser = owners.browser();
  const [first, second] = await Promise.all([
    browser.post('/v1/password/reset', { token, password: NEW }),
    owners.browser().post('/v1/password/reset', { token, password: NEW }),
  ]);
  expect([first.status, second.status].sort()).toEqual([200, 410]);
  expect(await isSignedIn(elsewhere)).toBe(false);
  expect((await owners.browser().post('/v1/login/exchange', { token: older })).status).toBe(410);
  expect((await owners.lastMail(email)).subject).toBe('Your password was changed');
  expect([(await login(owners.browser(), email)).status, (await login(owners.browser(), email, NEW)).status]).toEqual([
    401, 200,
  ]);
  expect((await owners.api.get('/v1/usage', key)).status).toBe(200);
});

test('an old password compared before the change neither signs in nor overwrites the new one', async () => {
  const email = 'race@example.com';
  await owners.signedUp(email, PASSWORD);
  const stores = createStores(owners.db.pool);
  const at = new Date(owners.api.now).toISOString();
  const { accountId, passwordHash } = (await stores.owners.byEmail(email, null, at))!;
  const token = () => ({ tokenHash: randomBytes(32), expiresAt: at, replaces: null });
  const notice = noticeAt(at);
  const start = (hash: string) =>
    stores.sessions.start(accountId, hash, { at, session: token(), browser: token() }, notice);
  expect([await start('compared before the change'), await start(passwordHash!)]).toEqual([false, true]);
  const change = { accountId, at, except: { session: randomBytes(32), browser: null }, notice };
  const before = 'compared before the change';
  expect(await stores.owners.setPassword({ ...change, passwordHash: 'of the thief', before })).toBe(false);
  expect((await login(owners.browser(), email)).status).toBe(200);
});

test('two links used simultaneously wait for each other, and one wins', async () => {
  const email = 'both@example.com';
  await owners.signedUp(email, PASSWORD);
  const tokens: string[] = [];
  for (let i = 0; i < 2; i++) {
    tokens.push((await mailOf('/v1/password/forgot', email)).token);
    owners.api.now += 1000;
  }
  const owner = 'SELECT FROM account_owners WHERE email_key = $1 FOR UPDATE';
  const both = await blockedBy(owner, [email], 2, () =>
    Promise.all(tokens.map((token) => owners.browser().post('/v1/password/reset', { token, password: NEW }))),
  );
  expect(both.map(({ status }) => status).sort()).toEqual([200, 410]);
});

test('a reset link lasts thirty minutes', async () => {
  await owners.signedUp('slow@example.com');
  const { token } = await mailOf('/v1/password/forgot', 'slow@example.com');
  owners.api.now += 30 * 60_000 - 1000;
  const work = await owners.workOf(() => owners.browser().post('/v1/password/reset', { token, password: 'short' }));
  expect(work.hashes).toBe(0);
  owners.api.now += 1000;
  expect((await owners.browser().post('/v1/password/reset', { token, password: NEW })).body).toMatchObject({
    code: 'gone',
  });
});

test('the account’s page changes a password given the old one, and only this device stays signed in', async () => {
  const email = 'change@example.com';
  const { browser } = await owners.signedUp(email, PASSWORD);
  const other = owners.browser();
  await login(other, email);
  const change = (body: object) => browser.post('/v1/account/password', body);
  for (const current of [undefined, 'wrong password!'])
    expect((await change({ current_password: current, new_password: NEW })).body).toMatchObject({
      status: 422,
      errors: [{ pointer: '/current_password' }],
    });
  expect((await change({ current_password: PASSWORD, new_password: NEW })).body).toEqual({
    status: 'password_changed',
  });
  expect([await isSignedIn(browser), await isSignedIn(other)]).toEqual([true, false]);
  expect((await login(owners.browser(), email, NEW)).status).toBe(200);
});

test('an account without a password sets one without an old one; a key cannot set it', async () => {
  const { browser, key } = await owners.signedUp('first@example.com');
  expect((await sendByKey(key, '/v1/account/password', { new_password: NEW })).status).toBe(401);
  expect((await browser.post('/v1/account/password', { new_password: NEW })).status).toBe(200);
  expect((await login(owners.browser(), 'first@example.com', NEW)).status).toBe(200);
});

test('guesses from many networks never lock out a browser that signed in before, or a mailed link', async () => {
  const email = 'target@example.com';
  const { browser: known } = await owners.signedUp(email, PASSWORD);
  const guess = (network: string) => login(owners.browser(network), email, 'guess after guess');
  // One network: ten guesses.
  const ofOne = [];
  for (let i = 0; i < 12; i++) ofOne.push((await guess('192.0.2.1')).status);
  expect(ofOne).toEqual([...Array<number>(10).fill(401), 429, 429]);
  // Refused guesses count for nothing, so another network has all but ten of the address's hundred.
  const ofMany = [];
  for (let i = 0; i < 91; i++) ofMany.push((await guess(`192.0.3.${i}`)).status);
  expect(ofMany).toEqual([...Array<number>(90).fill(401), 429]);
  const stranger = await login(owners.browser('192.0.4.1'), email);
  expect(stranger.body).toMatchObject({ status: 429, detail: expect.stringContaining('link') });
  expect(Number(stranger.headers.get('retry-after'))).toBeGreaterThan(0);

  expect((await login(known, email)).status).toBe(200);
  const { token } = await mailOf('/v1/login/request', email);
  expect((await owners.browser('192.0.4.1').post('/v1/login/exchange', { token })).status).toBe(200);
  // An unknown address is slowed in the same way.
  const unknown = [];
  for (let i = 0; i < 11; i++) unknown.push((await login(owners.browser('192.0.2.9'), 'unknown2@example.com')).status);
  expect(unknown.at(-1)).toBe(429);
});

test('correct passwords do not count as guesses, but a network has sixty sign-ins in two minutes, and an account keeps its newest browsers', async () => {
  const email = 'office@example.com';
  const { browser: known } = await owners.signedUp(email, PASSWORD);
  const all = [];
  for (let i = 0; i < 61; i++) all.push(await login(owners.browser('192.0.2.77'), email));
  const refused = all.filter(({ status }) => status !== 200);
  expect(refused.map(({ body }) => body)).toEqual([expect.objectContaining({ status: 429, code: 'rate_limit' })]);
  expect(Number(refused[0]!.headers.get('retry-after'))).toBe(120);
  // Neither another network nor a browser of the account is affected, wherever it is.
  expect((await login(owners.browser('192.0.2.78'), email)).status).toBe(200);
  known.cookies.delete(SESSION);
  const { accountId } = (await createStores(owners.db.pool).owners.byEmail(email, null, NOW))!;
  const count = async (table: string) =>
    (await owners.db.pool.query(`SELECT count(*) AS n FROM ${table} WHERE account_id = $1`, [accountId])).rows[0].n;
  expect(await count('known_browsers')).toBe(20);
  const old = `INSERT INTO sessions SELECT sha256(n::text::bytea), $1, now(), $2 FROM generate_series(1, 100) n`;
  await owners.db.pool.query(old, [accountId, new Date(owners.api.now + 60_000)]);
  const browser = owners.browser('192.0.2.79');
  expect((await login(browser, email)).status).toBe(200);
  expect([await count('sessions'), await isSignedIn(browser)]).toEqual([100, true]);
});

test('repeated password changes write no more mails than other requests', async () => {
  const { browser } = await owners.signedUp('again@example.com');
  const network = { 'X-Forwarded-For': '192.0.2.201' };
  for (let i = 0; i < 30; i++)
    await owners.browser('192.0.2.201').post('/v1/keys/resend', { email: `again${i}@example.com` });
  const { token } = await mailOf('/v1/password/forgot', 'again@example.com');
  const work = await owners.workOf(async () => {
    expect((await browser.post('/v1/account/password', { new_password: NEW }, network)).status).toBe(429);
    expect((await browser.post('/v1/password/reset', { token, password: NEW }, network)).status).toBe(429);
  });
  expect(work).toMatchObject({ hashes: 0, nudges: 0 });
});

test('a hash with other parameters is renewed at the next sign-in, and only by a correct password', async () => {
  const email = 'older@example.com';
  await owners.signedUp(email, PASSWORD);
  const weak = await hash(PASSWORD, { memoryCost: 8192, timeCost: 1, parallelism: 1 });
  await owners.db.pool.query('UPDATE account_owners SET password_hash = $2 WHERE email_key = $1', [email, weak]);
  const stored = async () => (await createStores(owners.db.pool).owners.byEmail(email, null, NOW))!.passwordHash!;
  expect((await login(owners.browser(), email, 'wrong password!')).status).toBe(401);
  expect(await stored()).toBe(weak);
  expect((await login(owners.browser(), email)).status).toBe(200);
  expect(await stored()).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  const work = await owners.workOf(() => login(owners.browser(), email));
  expect(work.hashes).toBe(1);
});

test('links that strangers request are limited, and leave the owner one that works', async () => {
  const email = 'flooded@example.com';
  await owners.signedUp(email);
  const before = (await owners.mails(email)).length;
  await blockedBy('LOCK TABLE mailed_links IN SHARE MODE', [], 5, () => {
    const requests = Array.from({ length: 8 }, (_, i) =>
      owners.browser(`192.0.5.${i}`).post('/v1/login/request', { email }),
    );
    return Promise.all(requests);
  });
  expect((await owners.mails(email)).length - before).toBe(3);
  owners.api.now += 15 * 60_000;
  const { token } = await owners.lastMail(email);
  expect((await owners.browser().post('/v1/login/exchange', { token })).status).toBe(200);
});

test('a page of another origin cannot sign a visitor in, and no response leads to another site', async () => {
  await owners.signedUp('csrf@example.com', PASSWORD);
  const foreign: Record<string, string>[] = [{ Origin: 'https://evil.example' }, { 'Sec-Fetch-Site': 'cross-site' }];
  for (const headers of foreign) {
    const browser = owners.browser();
    const refused = await browser.post('/v1/login', { email: 'csrf@example.com', password: PASSWORD }, headers);
    expect([refused.status, browser.cookies.size]).toEqual([403, 0]);
  }
  const path = '/v1/login?next=https://evil.example';
  const answer = await owners.browser().post(path, { email: 'csrf@example.com', password: PASSWORD });
  expect([answer.status, answer.headers.get('location')]).toEqual([422, null]);
});

test('consent to promotional mail is off, and only the owner changes it, not a team key', async () => {
  const { browser, key } = await owners.signedUp('consent@example.com');
  expect((await browser.get('/v1/account')).body.marketing_opt_in).toBe(false);
  expect((await browser.post('/v1/account/marketing', { marketing_opt_in: true })).body).toEqual({
    marketing_opt_in: true,
  });
  const changedAt = new Date(owners.api.now).toISOString();
  owners.api.now += 1000;
  await browser.post('/v1/account/marketing', { marketing_opt_in: true });
  const byKey = (await owners.api.get('/v1/account', key)).body;
  expect(byKey).toMatchObject({
    email: null,
    email_masked: 'c…@example.com',
    marketing_opt_in: true,
    marketing_changed_at: changedAt,
  });
  const optOut = () => sendByKey(key, '/v1/account/marketing', { marketing_opt_in: false });
  expect((await optOut()).status).toBe(200);
  await owners.db.pool.query(`UPDATE api_keys SET is_primary = false WHERE last4 = $1`, [key.slice(-4)]);
  // Without announcements, a change of a key takes effect after thirty seconds.
  owners.api.now += 31_000;
  expect((await optOut()).body).toMatchObject({ status: 403 });
});

test('an account that an operator created has no owner whose consent could change', async () => {
  const key = await owners.addKey();
  expect((await owners.api.get('/v1/account', key)).body).toMatchObject({ email_masked: null, has_password: null });
  const answer = await sendByKey(key, '/v1/account/marketing', { marketing_opt_in: true });
  expect(answer.body).toMatchObject({ code: 'conflict' });
});

test('SQL in any member is stored as text', async () => {
  const sql = "x'; DELETE FROM accounts; --";
  for (const [path, body] of [
    ['/v1/login', { email: "o'brien@example.com", password: sql }],
    ['/v1/login/exchange', { token: sql }],
    ['/v1/password/reset', { token: sql, password: sql }],
    ['/v1/login/request', { email: sql }],
    ['/v1/signup', { email: "o'brien@example.com", terms_accepted: true, label: sql, use_case: sql, referral: sql }],
  ] as const)
    expect((await owners.browser().post(path, body)).status).toBeLessThan(500);
  const { token } = await owners.lastMail("o'brien@example.com");
  expect((await owners.browser().post('/v1/login/exchange', { token })).status).toBe(200);
  const { rows } = await owners.db.pool.query('SELECT FROM api_keys WHERE label = $1', [sql]);
  expect(rows).toHaveLength(1);
  expect(owners.api.logged).toEqual([]);
});
