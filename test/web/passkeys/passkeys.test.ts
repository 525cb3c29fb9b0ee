// Passkeys over HTTP on the real worlds[0].db, with two processes and an authenticator in software. Never: a sign-in
// without verification of the user, by a challenge that was used or of another browser, to another account, or to a
// closed one; and no answer that distinguishes why.
import { createStores } from '../../../src/store/create-stores';
import { type AccountWorld, createAccountWorld } from '../account-world';
import { type Faults, newSigningKey, type PasskeyPageOptions, type SoftPasskey, softPasskey } from './authenticator';

const ORIGIN = 'https://odds.example';
const PASSWORD = 'correct horse battery';
const MINUTE_MS = 60_000;

let worlds: readonly [AccountWorld, AccountWorld];
beforeAll(async () => {
  const settings = { BASE_URL: ORIGIN, TRUSTED_PROXIES: '1' };
  const first = await createAccountWorld(settings);
  worlds = [first, await createAccountWorld(settings, first)];
});
afterAll(async () => {
  for (const world of worlds.toReversed()) await world.close();
});
const clock = () => worlds[0].stripe.world;
beforeEach(() => {
  clock().nowMs += 20 * MINUTE_MS;
});

type Form = Readonly<Record<string, string>>;

let networks = 0;

/** A browser with its cookies and a network of its own, which calls the processes in turn. */
function browser() {
  const cookies = new Map<string, string>();
  let address = '';
  const move = () => {
    networks += 1;
    address = `198.51.${networks}.1`;
  };
  move();
  let turn = 0;
  async function send(method: string, path: string, form?: Form, process = turn++ % 2) {
    const response = await fetch(worlds[process]!.url + path, {
      ...{ method, redirect: 'manual' },
      headers: {
        Origin: ORIGIN,
        Cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        'X-Forwarded-For': address,
      },
      ...(form && { body: new URLSearchParams(form) }),
    });
    for (const line of response.headers.getSetCookie()) {
      const [name, value] = line.split(';')[0]!.split('=') as [string, string];
      cookies.set(name, value);
    }
    const text = await response.text();
    const options = /data-options="([^"]*)"/.exec(text)?.[1]?.replaceAll('&quot;', '"');
    return {
      ...{ status: response.status, to: response.headers.get('location'), text },
      options: (options === undefined ? null : JSON.parse(options)) as PasskeyPageOptions,
      keeps: response.headers.getSetCookie().map((line) => line.split('=')[0]),
    };
  }
  return {
    cookies,
    /** To another network. */
    move,
    get: (path: string) => send('GET', path),
    post: (path: string, form: Form = {}, process?: number) => send('POST', path, form, process),
  };
}
type Browser = ReturnType<typeof browser>;

async function openByLink(own: Browser, email: string): Promise<void> {
  const [path, token] = (await worlds[0].link(email)).split('?token=') as [string, string];
  await own.post(path, { token });
}

async function owner(email: string, password = PASSWORD): Promise<Browser> {
  const own = browser();
  clock().nowMs += 25 * 60 * MINUTE_MS;
  await own.post('/signup', { email, password, terms_accepted: 'yes' });
  await openByLink(own, email);
  expect((await own.get('/account')).status).toBe(200);
  return own;
}

async function added(own: Browser, label: string, how = {}): Promise<SoftPasskey> {
  const { options } = await own.post('/account/passkeys', { label, password: PASSWORD });
  const passkey = softPasskey(ORIGIN, options, how);
  const done = await own.post('/account/passkeys/new', { label, credential: passkey.create(options) });
  expect([done.status, done.to]).toEqual([303, '/account/passkeys?done=added']);
  return passkey;
}

const requested = async (own: Browser) => (await own.post('/login/passkey')).options;
const finish = (own: Browser, credential: string, process?: number) =>
  own.post('/login/passkey/finish', { credential }, process);
async function signIn(passkey: SoftPasskey, faults: Faults = {}, own = browser()) {
  return finish(own, passkey.get(await requested(own), faults));
}

const mails = async (email: string) =>
  (
    await worlds[0].db.pool.query('SELECT subject, body FROM mails WHERE recipient = $1 ORDER BY created_at, subject', [
      email,
    ])
  ).rows;
const subjects = async (email: string) => (await mails(email)).map(({ subject }) => subject as string);
const count = async (table: string) => (await worlds[0].db.pool.query(`SELECT FROM ${table}`)).rowCount;
const REFUSED = 'The passkey did not sign you in. Try again, or sign in another way.';

test('an owner adds a passkey by the password, signs in with it at any process, names and removes it', async () => {
  const own = await owner('jo@example.com');
  expect((await own.get('/account/passkeys')).text).toContain('You have none yet.');
  for (const [form, reason] of [
    [{ label: ' ', password: PASSWORD }, 'Enter a name for the passkey.'],
    [{ label: 'Laptop', password: 'wrong' }, 'Password is wrong.'],
    [{ label: 'Laptop' }, 'Password is wrong.'],
  ] as const) {
    const wrong = await own.post('/account/passkeys', form);
    expect([wrong.status, wrong.text.includes(reason), wrong.options]).toEqual([422, true, null]);
  }
  expect(await count('passkey_challenges')).toBe(0);

  const passkey = await added(own, 'Laptop');
  const { options } = await own.post('/account/passkeys', { label: 'Phone', password: PASSWORD });
  expect(options).toMatchObject({
    ...{
      rp: { id: 'odds.example' },
      attestation: 'none',
      excludeCredentials: [{ id: passkey.id.toString('base64url') }],
    },
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
  expect(Buffer.from(options.user!.id, 'base64url').toString()).not.toContain('jo');
  expect(await subjects('jo@example.com')).toContain('A passkey was added to your account');

  const other = browser();
  const asked = (await other.post('/login/passkey', {}, 0)).options;
  expect(asked).toMatchObject({ rpId: 'odds.example', userVerification: 'required' });
  const before = own.cookies.get('__Host-session');
  const done = await finish(other, passkey.get(asked), 1);
  expect([done.status, done.to]).toEqual([303, '/account']);
  expect((await other.get('/account')).text).toContain('jo@example.com');
  expect(other.cookies.get('__Host-session')).not.toBe(before);
  expect(await subjects('jo@example.com')).toContain('A sign-in from a new browser');

  const list = (await own.get('/account/passkeys')).text;
  expect(list).toMatch(/<b>Laptop<\/b>.*last used/s);
  const [, path] = /action="(\/account\/passkeys\/[\w-]+)\/rename"/.exec(list) as unknown as [string, string];
  expect((await own.post(`${path}/rename`, { label: 'Old <laptop>' })).to).toBe('/account/passkeys?done=renamed');
  expect((await own.get('/account/passkeys?done=renamed')).text).toContain('<b>Old &lt;laptop&gt;</b>');

  const stranger = await owner('stranger@example.com');
  for (const [act, form] of [
    ['rename', { label: 'mine' }],
    ['remove', { password: PASSWORD }],
  ] as const)
    expect((await stranger.post(`${path}/${act}`, form)).status).toBe(404);
  expect((await own.post(`${path}/remove`, { password: 'wrong' })).text).toContain('Password is wrong.');
  expect((await own.get('/account/passkeys')).text).toContain('Old &lt;laptop&gt;');
  expect((await own.post(`${path}/remove`, { password: PASSWORD })).to).toBe('/account/passkeys?done=removed');
  expect(await subjects('jo@example.com')).toContain('A passkey of your account was removed');
  expect((await signIn(passkey)).text).toContain(REFUSED);
  // The last passkey is gone; the password and mailed links are not.
  expect((await browser().post('/login', { email: 'jo@example.com', password: PASSWORD })).to).toBe('/account');
});

test('a response with any fault does not sign in, and each has the same answer', async () => {
  const own = await owner('a@example.com');
  const passkey = await added(own, 'A');
  const victim = await added(await owner('b@example.com'), 'B');
  const answers: [string, string][] = [];
  const refused = (name: string, { status, text, keeps }: Awaited<ReturnType<typeof finish>>) => {
    expect([name, status, keeps]).toEqual([name, 422, []]);
    // Around it stands whether the browser is signed in.
    answers.push([name, /<main.*<\/main>/s.exec(text)![0]]);
  };
  const faults: Readonly<Record<string, Faults>> = {
    'other origin': { origin: 'https://evil.example' },
    'other port': { origin: `${ORIGIN}:8443` },
    'without TLS': { origin: 'http://odds.example' },
    'other service': { rpId: 'evil.example' },
    'in a frame': { crossOrigin: true },
    'of an addition': { type: 'webauthn.create' },
    'user not verified': { isVerified: false },
    'user not present': { isPresent: false },
    'wrong signature': { key: newSigningKey() },
    'unknown passkey': { credentialId: Buffer.alloc(32, 7) },
    'unknown account': { userHandle: Buffer.alloc(16, 7).toString('base64url') },
    'no account': { userHandle: '' },
    'passkey of A for the account of B': { userHandle: victim.userHandle },
    'passkey of B, signed by A': { userHandle: victim.userHandle, credentialId: victim.id },
    'own challenge': { challenge: Buffer.alloc(32).toString('base64url') },
  };
  for (const [name, fault] of Object.entries(faults)) refused(name, await signIn(passkey, fault));

  clock().nowMs += 20 * MINUTE_MS;
  const here = browser();
  const asked = await requested(here);
  refused('another browser', await finish(browser(), passkey.get(asked)));
  const stranger = browser();
  await requested(stranger);
  refused('a browser with a try of its own', await finish(stranger, passkey.get(asked)));
  const { options } = await own.post('/account/passkeys', { label: 'x', password: PASSWORD });
  own.cookies.set('__Host-passkey', own.cookies.get('__Host-session')!);
  refused('a challenge to add', await finish(own, passkey.get({ ...options, rpId: 'odds.example' })));
  // Nobody has used it up.
  expect((await finish(here, passkey.get(asked))).to).toBe('/account');
  refused('used', await finish(here, passkey.get(asked)));
  const wrong = await requested(here);
  refused('wrong', await finish(here, passkey.get(wrong, { isVerified: false })));
  refused('right, after a wrong one', await finish(here, passkey.get(wrong)));
  const late = await requested(here);
  clock().nowMs += 5 * MINUTE_MS;
  refused('after five minutes', await finish(here, passkey.get(late)));
  for (const text of [
    '',
    'null',
    '{}',
    '[]',
    '{"response":{"clientDataJSON":"e30"}}',
    `{"id":1,"response":${'['.repeat(999)}`,
  ])
    refused(text.slice(0, 20), await finish(here, text));

  expect(answers.filter(([, text]) => text !== answers[0]![1]).map(([name]) => name)).toEqual([]);
  expect(answers[0]![1]).toContain(REFUSED);
  expect(await subjects('b@example.com')).not.toContain('A sign-in from a new browser');
});

test('of one response at two processes at the same moment one signs in', async () => {
  const passkey = await added(await owner('once@example.com'), 'x');
  for (let round = 0; round < 10; round++) {
    const own = browser();
    const response = passkey.get(await requested(own));
    const both = await Promise.all([0, 1].map((process) => finish(own, response, process)));
    expect(both.map(({ status }) => status).sort()).toEqual([303, 422]);
  }
});

test('a counter that does not grow is refused like a wrong signature, and mailed once', async () => {
  const email = 'counter@example.com';
  const own = await owner(email);
  const passkey = await added(own, 'x');
  const SUBJECT = 'A sign-in with a passkey was refused';
  expect((await signIn(passkey, { counter: 9 })).to).toBe('/account');
  // A forged signature reports nothing.
  await signIn(passkey, { counter: 3, key: newSigningKey() });
  expect(await subjects(email)).not.toContain(SUBJECT);
  const refused = [9, 8, 0].map((counter) => async () => (await signIn(passkey, { counter })).text);
  for (const act of refused) expect(await act()).toContain(REFUSED);
  expect((await subjects(email)).filter((one) => one === SUBJECT)).toHaveLength(1);
  await worlds[0].mailsSent();
  const mailed = worlds[0].mail.received.find(({ to, subject }) => to === email && subject === SUBJECT)!;
  expect(mailed.text).toContain('/account/passkeys');
  expect((await signIn(passkey, { counter: 10 })).to).toBe('/account');
  await signIn(passkey, { counter: 10 });
  expect((await subjects(email)).filter((one) => one === SUBJECT)).toHaveLength(2);
  // Of two that count to the same number, as two copies do, one signs in.
  const tries = [browser(), browser()];
  const responses = await Promise.all(tries.map(async (one) => passkey.get(await requested(one), { counter: 11 })));
  const both = await Promise.all(tries.map((one, i) => finish(one, responses[i]!, i)));
  expect(both.map(({ status }) => status).sort()).toEqual([303, 422]);

  const without = await added(own, 'y', { counts: false });
  for (let i = 0; i < 3; i++) expect((await signIn(without)).to).toBe('/account');
});

test('a passkey is added once, by the session that proved to be the owner, and only as it was requested', async () => {
  const email = 'add@example.com';
  const own = await owner(email);
  const other = browser();
  await other.post('/login', { email, password: PASSWORD });
  const asked = async () => (await own.post('/account/passkeys', { label: 'x', password: PASSWORD })).options;
  const add = async (credential: string, by = own) => {
    const { status, to } = await by.post('/account/passkeys/new', { label: 'x', credential });
    return to ?? status;
  };
  const options = await asked();
  const passkey = softPasskey(ORIGIN, options);
  const certified = { format: 'packed', statement: Buffer.from('a163783563814100', 'hex') };
  const faults: readonly Faults[] = [
    ...[{ origin: 'https://evil.example' }, { rpId: 'evil.example' }, { type: 'webauthn.get' }],
    ...[{ isVerified: false }, { isPresent: false }, { attestation: certified }],
  ];
  for (const fault of faults) expect(await add(passkey.create(await asked(), fault))).toBe(409);
  expect(await add(passkey.create(options), other)).toBe(409);
  expect(await add(passkey.create({ ...options, challenge: 'AAAA' }))).toBe(409);
  const signInOptions = await requested(own);
  expect(await add(passkey.create({ ...signInOptions, rp: { id: 'odds.example' } }))).toBe(409);
  expect(await add(passkey.create(options))).toBe('/account/passkeys?done=added');
  expect(await add(passkey.create(options))).toBe(409);
  expect(await add(passkey.create(await asked()))).toBe(409);
  const late = await asked();
  clock().nowMs += 5 * MINUTE_MS;
  expect(await add(softPasskey(ORIGIN, late).create(late))).toBe(409);

  // Another account may have the same credential: it opens that one alone.
  const thief = await owner('thief@example.com');
  const { options: theirs } = await thief.post('/account/passkeys', { label: 'x', password: PASSWORD });
  expect(await add(passkey.create(theirs), thief)).toBe('/account/passkeys?done=added');
  const signedIn = browser();
  await signIn(passkey, { counter: 1000 }, signedIn);
  expect((await signedIn.get('/account')).text).toContain(email);

  for (let i = 1; i < 20; i++) {
    own.move();
    await added(own, `key ${i}`);
  }
  const full = await own.post('/account/passkeys', { label: 'x', password: PASSWORD });
  expect([full.status, full.text.includes('An account may have 20 passkeys.')]).toEqual([409, true]);
  expect((await subjects(email)).filter((one) => one === 'A passkey was added to your account')).toHaveLength(20);
});

test('without a password a change needs a sign-in of the last 15 minutes', async () => {
  const email = 'links@example.com';
  const own = await owner(email, '');
  const passkey = await added(own, 'x');
  clock().nowMs += 16 * MINUTE_MS;
  const late = await own.post('/account/passkeys', { label: 'y' });
  expect([late.status, late.text.includes('Sign out and in again')]).toEqual([409, true]);
  for (const [path, form] of [
    ['/account/password', { new_password: PASSWORD }],
    ['/account/email', { email: 'other@example.com' }],
    ['/account/close', { email }],
  ] as const)
    expect([path, (await own.post(path, form)).status]).toEqual([path, 409]);
  const [, path] = /action="(\/account\/passkeys\/[\w-]+)\/remove"/.exec((await own.get('/account/passkeys')).text)!;
  expect((await own.post(`${path}/remove`)).status).toBe(409);
  await signIn(passkey, {}, own);
  expect((await own.post(`${path}/remove`)).to).toBe('/account/passkeys?done=removed');
  const back = browser();
  await back.post('/login/request', { email });
  await openByLink(back, email);
  expect((await back.get('/account')).status).toBe(200);
});

test('an export names passkeys without their keys, and a closed account has none', async () => {
  const email = 'leaving@example.com';
  const own = await owner(email);
  const passkey = await added(own, 'Laptop');
  await signIn(passkey);
  const document = JSON.parse((await own.post('/account/export')).text);
  const instant = expect.stringMatching(/^\d{4}-.*Z$/);
  expect(document.passkeys).toEqual([{ name: 'Laptop', created_at: instant, last_used_at: instant }]);
  const before = await count('passkeys');
  expect((await own.post('/account/close', { email, password: PASSWORD })).to).toBe('/login?done=closed');
  expect(await count('passkeys')).toBe(before! - 1);
  expect((await signIn(passkey)).text).toContain(REFUSED);
});

test('one network may request 60 passkeys in two minutes, and expired challenges go', async () => {
  const own = browser();
  const statuses: number[] = [];
  for (let i = 0; i < 61; i++) statuses.push((await own.post('/login/passkey', {}, 0)).status);
  expect(statuses.filter((status) => status === 429)).toHaveLength(1);
  expect(statuses.at(-1)).toBe(429);
  const at = new Date(clock().nowMs).toISOString();
  await worlds[0].db.pool.query(`UPDATE passkey_challenges SET expires_at = $1::timestamptz - interval '1 minute'`, [
    at,
  ]);
  await createStores(worlds[0].db.pool).expired.remove(at);
  expect(await count('passkey_challenges')).toBe(0);
});
