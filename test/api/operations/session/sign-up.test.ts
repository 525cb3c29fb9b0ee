// Sign-up, confirmation and keys of owners, over HTTP and on the real database.
import { hashToken } from '../../../../src/accounts/token';
import { hashApiKey } from '../../../../src/store/keys/keys';
import { LEGAL, type Owners, serveOwners } from '../../../support/api/owners';

let owners: Owners;
beforeAll(async () => {
  owners = await serveOwners();
});
afterAll(() => owners.stop());

const PASSWORD = 'correct horse battery';
const signup = (email: string, more: object = {}) => ({ email, terms_accepted: true, ...more });
const rows = async (text: string, values: unknown[] = []) => (await owners.db.pool.query(text, values)).rows;
const exchange = (token: string, browser = owners.browser()) => browser.post('/v1/login/exchange', { token });

test('a link is mailed, and its button creates an account with a key, a session and a password', async () => {
  const browser = owners.browser();
  const wish = signup('Jo.Citizen@Example.com', { password: PASSWORD, label: 'Site', plan: 'plus', referral: 'MATE' });
  const pending = await browser.post('/v1/signup', wish);
  expect(pending.status).toBe(200);
  expect(pending.body).toMatchObject({
    status: 'pending_verification',
    plan: 'free',
    requested_plan: 'plus',
    api_key: null,
  });
  expect(await rows('SELECT FROM account_owners')).toHaveLength(0);
  const mail = await owners.lastMail('Jo.Citizen@example.com');
  expect(mail.body).toContain(`https://api.example.com/verify?token=${mail.token}`);

  const verified = await exchange(mail.token, browser);
  expect(verified.body).toMatchObject({ status: 'verified', previous_key_valid_until: null });
  const { api_key: key } = verified.body;
  expect((await owners.api.get('/v1/usage', key)).body).toMatchObject({
    plan: 'free',
    account_email_masked: 'J…@example.com',
  });
  expect((await browser.get('/v1/account')).body).toMatchObject({
    plan: 'free',
    email: 'Jo.Citizen@example.com',
    has_password: true,
    marketing_opt_in: false,
    marketing_changed_at: null,
  });
  const [stored] = await rows('SELECT label, is_primary, role, version FROM api_keys WHERE key_hash = $1', [
    hashApiKey(key),
  ]);
  expect(stored).toEqual({ label: 'Site', is_primary: true, role: 'customer', version: 1 });
  expect(await rows('SELECT referred_by_code FROM account_owners')).toEqual([{ referred_by_code: 'mate' }]);
  expect(
    (await owners.browser().post('/v1/login', { email: 'jo.citizen@EXAMPLE.com', password: PASSWORD })).status,
  ).toBe(200);
});

test('pressing the button twice creates one account, and the second press gets a clear response', async () => {
  const email = 'twice@example.com';
  const browser = owners.browser();
  await browser.post('/v1/signup', signup(email));
  await browser.post('/v1/signup', signup(email));
  const [first, second] = (await owners.mails(email)).map(({ token }) => token) as [string, string];
  const both = await Promise.all([exchange(first), exchange(first), exchange(second), exchange(second)]);
  expect(both.map(({ status }) => status).sort()).toEqual([200, 410, 410, 410]);
  expect(both.find(({ status }) => status === 410)!.body).toMatchObject({
    code: 'gone',
    detail: expect.stringContaining('Sign in'),
  });
  expect(await rows('SELECT FROM account_owners WHERE email_key = $1', [email])).toHaveLength(1);
});

test('a link works for a day, and an unknown link is a 404', async () => {
  const email = 'late@example.com';
  await owners.browser().post('/v1/signup', signup(email));
  const { token } = await owners.lastMail(email);
  owners.api.now += 24 * 3_600_000;
  expect((await exchange(token)).body).toMatchObject({ code: 'gone', detail: expect.stringContaining('expired') });
  owners.api.now -= 24 * 3_600_000;
  for (const wrong of [`${token.slice(0, -1)}-`, 'x', "' OR ''='"])
    expect((await exchange(wrong)).body).toMatchObject({ status: 404, code: 'not_found' });
});

test('a password and a consent count only in the browser that gave them, and a referral not in one that signed up without it', async () => {
  const email = 'victim@example.com';
  const attacker = owners.browser();
  await attacker.post(
    '/v1/signup',
    signup(email, { password: 'known to the attacker', marketing_opt_in: true, referral: 'attacker' }),
  );
  const { token } = await owners.lastMail(email);
  owners.api.now += 1000;
  const victim = owners.browser();
  await victim.post('/v1/signup', signup(email, { password: PASSWORD }));
  const verified = await exchange(token, victim);
  expect(verified.body.message).toContain('until you set a password');
  expect((await victim.get('/v1/account')).body).toMatchObject({ has_password: false, marketing_opt_in: false });
  // The button accepts the terms: its page names them.
  expect(
    await rows('SELECT referred_by_code, terms_accepted_at FROM account_owners WHERE email_key = $1', [email]),
  ).toEqual([{ referred_by_code: null, terms_accepted_at: new Date(owners.api.now).toISOString() }]);
  for (const password of ['known to the attacker', PASSWORD])
    expect((await attacker.post('/v1/login', { email, password })).status).toBe(401);
});

test('the versions of the terms and of the privacy statement are stored as they were accepted, with the time', async () => {
  const stored = async (email: string) => {
    const text = `SELECT terms_version AS terms, privacy_version AS privacy, terms_accepted_at AS at FROM account_owners WHERE email_key = $1`;
    return (await rows(text, [email]))[0];
  };
  const acceptedAt = new Date(owners.api.now).toISOString();
  const same = owners.browser();
  await same.post('/v1/signup', signup('same@example.com'));
  await owners.browser().post('/v1/signup', signup('other@example.com'));
  const later = { terms: '2026-12-24', privacy: '2026-12-25' };
  owners.publish(later);
  owners.api.now += 60_000;
  const pressedAt = new Date(owners.api.now).toISOString();
  await exchange((await owners.lastMail('same@example.com')).token, same);
  const other = owners.browser();
  await exchange((await owners.lastMail('other@example.com')).token, other);
  owners.publish(LEGAL);
  // The browser that signed up accepted what was there then; another one accepts by the button, whose page names them.
  expect(await stored('same@example.com')).toEqual({ ...LEGAL, at: acceptedAt });
  expect(await stored('other@example.com')).toEqual({ ...later, at: pressedAt });
  expect((await other.get('/v1/account')).body).toMatchObject({
    terms_accepted_at: pressedAt,
    terms_version: later.terms,
    privacy_version: later.privacy,
  });
});

test('a referral counts on another device too, unless that device signed up itself', async () => {
  const referredBy = async (email: string, by: ReturnType<Owners['browser']>) => {
    const [first] = await owners.mails(email);
    expect((await exchange(first!.token, by)).body).toMatchObject({ status: 'verified' });
    const text = 'SELECT referred_by_code AS code FROM account_owners WHERE email_key = $1';
    return (await rows(text, [email]))[0].code;
  };
  await owners.browser().post('/v1/signup', signup('phone@example.com', { referral: 'friend' }));
  expect(await referredBy('phone@example.com', owners.browser())).toBe('friend');
  await owners.browser().post('/v1/signup', signup('both@example.com', { referral: 'stranger' }));
  owners.api.now += 1000;
  const own = owners.browser();
  await own.post('/v1/signup', signup('both@example.com', { referral: 'friend' }));
  expect(await referredBy('both@example.com', own)).toBe('friend');
});

test('an address with an account gets the same response after the same work, and a link to sign in', async () => {
  await owners.signedUp('known@example.com', PASSWORD);
  const answers: object[] = [];
  const worked = [];
  for (const email of ['known@example.com', 'newer@example.com'])
    worked.push(
      await owners.workOf(async () => {
        const { status, text, headers } = await owners
          .browser()
          .post('/v1/signup', signup(email, { password: PASSWORD }));
        answers.push({ status, text, headers: [...headers.keys()].sort() });
      }),
    );
  expect(answers[0]).toEqual(answers[1]);
  expect(worked[0]).toEqual(worked[1]);
  expect(worked[0]).toMatchObject({ hashes: 1, nudges: 1 });
  const mail = await owners.lastMail('known@example.com');
  expect(mail.subject).toBe('You have an account already');
  expect((await exchange(mail.token)).body).toMatchObject({ status: 'signed_in', api_key: null });
});

test.each([
  ['ENOTFOUND', 'gmial.con', 'jo@gmail.com'],
  ['null MX', 'outlok.com', 'jo@outlook.com'],
  ['ENODATA', 'nowhere.test', null],
] as const)('%s: %s accepts no mail, so it is refused and nothing is created', async (failure, domain, suggestion) => {
  owners.dns.set(domain, failure);
  const work = await owners.workOf(async () => {
    const { body } = await owners.browser().post('/v1/signup', signup(`jo@${domain}`, { password: PASSWORD }));
    expect(body).toMatchObject({ status: 400, code: 'undeliverable_address' });
    expect(body.suggestion).toBe(suggestion ?? undefined);
    expect(body.detail).toContain(suggestion ?? 'Check its spelling');
  });
  expect(work).toEqual({ statements: [], hashes: 0, nudges: 0 });
  expect(await owners.mails(`jo@${domain}`)).toEqual([]);
});

test.each(['ESERVFAIL', 'slow'] as const)('DNS that fails with %s refuses no address', async (failure) => {
  owners.dns.set('away.example', failure);
  expect((await owners.browser().post('/v1/signup', signup('jo@away.example'))).status).toBe(200);
});

test('an invalid value is a 422 that names it: terms, addresses, passwords, plans, labels', async () => {
  const refused: readonly (readonly [object, string])[] = [
    [{ terms_accepted: false }, '/terms_accepted'],
    ...[
      'jo',
      'jo@',
      'jo@localhost',
      'jo@192.0.2.1',
      'jo@exa mple.com',
      'jo@example.com\r\nBcc: x@example.com',
      '"j o"@example.com',
    ].map((email) => [{ email }, '/email'] as const),
    ...['short', 'aaaaaaaaaaaaaaaa', 'someone@example.com', 'x'.repeat(600)].map(
      (password) => [{ password, email: 'someone@example.com' }, '/password'] as const,
    ),
    [{ plan: 'enterprise' }, '/plan'],
    [{ label: 'a\r\nBcc: x' }, '/label'],
    [{ is_admin: true }, '/is_admin'],
  ];
  for (const [member, pointer] of refused) {
    const { body } = await owners.browser().post('/v1/signup', { ...signup('right@example.com'), ...member });
    expect([member, body.status, body.errors?.[0]?.pointer]).toEqual([member, 422, pointer]);
  }
  expect(await owners.mails('right@example.com')).toEqual([]);
});

test('a few links within an hour are mailed to one address, and the response never changes', async () => {
  await owners.signedUp('owner@example.com');
  owners.api.now += 3_600_000;
  // An address without an account and one with an account get the same number a day, whatever is requested.
  for (const [email, before, asked, hourLater, dayLater] of [
    ['many@example.com', 0, 6, 7, 8],
    // Signed up more than a day ago by then.
    ['owner@example.com', 1, 8, 8, 9],
  ] as const) {
    const answers = [];
    for (let i = 0; i < 7; i++) answers.push(await owners.browser(`192.0.2.${i}`).post('/v1/signup', signup(email)));
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(await owners.mails(email)).toHaveLength(before + 5);
    for (let i = 0; i < 4; i++) await owners.browser(`192.0.2.${i}`).post('/v1/login/request', { email });
    expect(await owners.mails(email)).toHaveLength(asked);
    owners.api.now += 3_600_000;
    await owners.browser().post('/v1/signup', signup(email));
    expect(await owners.mails(email)).toHaveLength(hourLater);
    owners.api.now += 86_400_000;
    await owners.browser().post('/v1/signup', signup(email));
    expect(await owners.mails(email)).toHaveLength(dayLater);
  }
});

test('an operator who opens an account while its owner confirms creates no second one, and neither fails', async () => {
  const operator = await owners.addKey({ role: 'internal', plan: 'enterprise' });
  const emails = Array.from({ length: 6 }, (_, i) => `beside${i}@example.com`);
  for (const email of emails) await owners.browser(`192.0.6.${email.length}`).post('/v1/signup', signup(email));
  const tokens = await Promise.all(emails.map(async (email) => (await owners.lastMail(email)).token));
  const both = await Promise.all(
    emails.map((email, i) =>
      Promise.all([
        exchange(tokens[i]!),
        owners.api.send('POST', `/v1/keys?label=x&email=${encodeURIComponent(email)}`, { key: operator }),
      ]),
    ),
  );
  for (const [verified, opened] of both) {
    const statuses = `${verified.status} ${opened.status}`;
    expect(['200 409', '410 200']).toContain(statuses);
  }
});

test('one network may request thirty mails in ten minutes', async () => {
  const statuses: number[] = [];
  for (let i = 0; i < 31; i++)
    statuses.push((await owners.browser('192.0.2.200').post('/v1/keys/resend', { email: `n${i}@example.com` })).status);
  expect(statuses).toEqual([...Array<number>(30).fill(202), 429]);
});

test('a lost key is replaced by a mailed link: 202 for every address, the same bytes, the same work', async () => {
  const { key } = await owners.signedUp('lost@example.com');
  const answers: string[] = [];
  const worked = [];
  for (const email of ['lost@example.com', 'stranger@example.com'])
    worked.push(
      await owners.workOf(async () => {
        const { status, text } = await owners.browser().post('/v1/keys/resend', { email });
        answers.push(`${status} ${text}`);
      }),
    );
  expect(answers[0]).toBe(answers[1]);
  expect(answers[0]).toMatch(/^202 .*"accepted"/);
  expect(worked[0]).toEqual(worked[1]);
  expect((await owners.lastMail('stranger@example.com')).subject).toBe('No account has this address');

  const { token } = await owners.lastMail('lost@example.com');
  const browser = owners.browser();
  const { body } = await exchange(token, browser);
  expect(body).toMatchObject({ status: 'key_replaced', expires_at: null });
  expect(Date.parse(body.previous_key_valid_until)).toBe(owners.api.now + 24 * 3_600_000);
  expect(browser.cookies.size).toBe(0);
  for (const one of [key, body.api_key]) expect((await owners.api.get('/v1/usage', one)).status).toBe(200);
  expect((await exchange(token)).status).toBe(410);
});

test('a lost key that an operator revoked has no replacement', async () => {
  const { key } = await owners.signedUp('revoked@example.com');
  await owners.db.pool.query('UPDATE api_keys SET revoked_at = now() WHERE key_hash = $1', [hashApiKey(key)]);
  await owners.browser().post('/v1/keys/resend', { email: 'revoked@example.com' });
  expect((await exchange((await owners.lastMail('revoked@example.com')).token)).body).toMatchObject({
    code: 'conflict',
  });
});

test('no password, key or token is stored, logged or part of a problem', async () => {
  const password = "secret'); DROP TABLE accounts; --";
  const { browser, key } = await owners.signedUp('secret@example.com', password);
  await browser.post('/v1/login', { email: 'secret@example.com', password: `${password}!` });
  const { token } = await owners.lastMail('secret@example.com');
  const tables = ['account_owners', 'accounts', 'api_keys', 'known_browsers', 'mailed_links', 'sessions'];
  const stored = JSON.stringify(await Promise.all(tables.map((table) => rows(`SELECT t::text FROM ${table} t`))));
  const secrets = [password, key, token, ...browser.cookies.values()];
  for (const secret of secrets) expect(stored).not.toContain(secret);
  expect(stored).toContain(hashToken(token).toString('hex'));
  expect(await rows(`SELECT FROM mailed_links WHERE signup ? 'passwordHash' AND used_at IS NOT NULL`)).toEqual([]);
  const { text } = await browser.post('/v1/login/exchange', { token });
  expect(text).not.toContain(token);
  expect(owners.api.logged).toEqual([]);
});
