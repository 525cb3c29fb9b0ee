// The pages on the way to an account over HTTP: what they send, refuse and never cache, and which input of a form
// stays.
import { AppError, invalid } from '../../src/errors';
import { KEY, PASSWORD } from '../support/pages/memory-accounts';
import { accountPages, BASE, OWN, SIGNED_IN } from './account-pages';

const { memory, logged, url, get, post, to } = accountPages();

const JO = { email: 'jo@example.com', terms_accepted: 'yes' };
const OPEN = ['/signup', '/signup/sent', '/login', '/login/sent', '/forgot'];
const LINKS = {
  '/verify': 'verify',
  '/login/link': 'login',
  '/replace-key': 'replace_key',
  '/reset': 'reset',
  '/confirm-address': 'change_email',
  '/undo-address': 'undo_email',
} as const;

test('no account page is stored, and each allows its own forms and nothing else', async () => {
  for (const path of [...OPEN, '/account', '/verify?token=x']) {
    const { status, headers, text } = await get(path, SIGNED_IN);
    const redirected = path === '/login';
    expect([path, status]).toEqual([path, redirected ? 303 : 200]);
    expect(headers.get('cache-control')).toBe('no-store');
    if (redirected) continue;
    expect(headers.get('content-security-policy')).toMatch(/default-src 'none'.*form-action 'self'/);
    expect(text).not.toMatch(/argon2id|of-the-receiver/);
    expect(text).not.toMatch(/<script(?![^>]*\bsrc=)|<style|\sstyle="|\son\w+=/);
  }
  expect((await get('/live')).headers.get('content-security-policy')).toContain("form-action 'none'");
});

test('the board links visitors to sign-up, and owners to their account', async () => {
  const visitor = (await get('/live')).text;
  expect(visitor).toContain('href="/signup"');
  expect(visitor).toContain('href="/login"');
  const owner = (await get('/live', SIGNED_IN)).text;
  expect(owner).toContain('href="/account"');
  expect(owner).not.toContain('href="/login"');
});

test('signing up sends the form with the plan and the referral of its URL, and the next page shows the email address', async () => {
  const page = (await get('/signup?plan=plus&referral=jane-1')).text;
  expect(page).toMatch(/name="marketing_opt_in"(?![^>]*checked)/);
  expect(page).toContain('name="plan" value="plus"');
  const sent = await post('/signup', { ...JO, password: '', plan: 'plus', referral: 'jane-1' });
  expect(to(sent)).toEqual([303, '/signup/sent']);
  const draft = { email: JO.email, password: null, label: 'My Key', marketingOptIn: false };
  const unasked = { useCase: null, useCaseNote: null };
  expect(memory.calls).toEqual([['signUp', { ...draft, ...unasked, plan: 'plus', referral: 'jane-1' }]]);
  const [kept, cookie] = sent.headers.getSetCookie();
  expect(kept).toMatch(/^__Host-signup=/);
  expect(cookie).toMatch(/mailed_to=jo%40example.com;.*samesite=lax; secure; httponly/i);
  const next = await get('/signup/sent', { Cookie: cookie!.split(';')[0]! });
  expect(next.text).toContain('<strong>jo@example.com</strong>');
});

test('an error is shown beside its field and the first one has the focus; the input stays, except passwords', async () => {
  const { status, text } = await post('/signup', {
    email: '"><b>',
    password: 'secret secret',
    marketing_opt_in: 'yes',
  });
  expect(status).toBe(422);
  expect(text).toMatch(
    /id="signup-email" [^>]*aria-describedby="signup-email-hint signup-email-problem" aria-invalid="true" autofocus/,
  );
  expect(text).toContain('<p class="wrong" id="signup-email-problem">');
  expect(text).toContain('id="signup-terms_accepted-problem"');
  expect(text.match(/autofocus/g)).toHaveLength(1);
  expect(text).toContain('value="&quot;&gt;&lt;b&gt;"');
  expect(text).toMatch(/name="marketing_opt_in"[^>]* checked/);
  expect(text).not.toContain('secret');
  expect(memory.calls).toEqual([]);
});

test('a refusal is shown beside the field that it points to, in plain words', async () => {
  memory.refusal = invalid([{ pointer: '/password', detail: '/password must have at least 12 characters.' }]);
  const weak = await post('/signup', { ...JO, password: 'short' });
  expect([weak.status, memory.calls.length]).toEqual([422, 1]);
  expect(weak.text).toContain('id="signup-password-problem">Password must have at least 12 characters.<');
  memory.refusal = new AppError('rate_limit', 'Too many messages.', { retry_after_seconds: 60 });
  const many = await post('/signup', JO);
  expect([many.status, many.headers.get('retry-after')]).toEqual([429, '60']);
  expect(many.text).toMatch(/role="alert"[^>]* autofocus>Too many messages\.</);
  memory.refusal = new AppError('unavailable', 'The database is unavailable.', { retry_after_seconds: 5 });
  const away = await post('/signup', JO);
  expect([away.status, away.headers.get('retry-after'), away.headers.get('content-type')]).toEqual([
    503,
    '5',
    'text/html; charset=utf-8',
  ]);
});

test('a form from another site, a body that is no form and one that is too large change nothing', async () => {
  for (const headers of [
    { Origin: 'https://evil.example' },
    { Origin: 'null' },
    { Origin: '', 'Sec-Fetch-Site': 'cross-site' },
  ]) {
    const { status, text } = await post('/account/marketing', { opt_in: 'yes' }, { ...SIGNED_IN, ...headers });
    expect([headers, status]).toEqual([headers, 403]);
    expect(text).toContain('came from another site');
  }
  const json = { ...OWN, ...SIGNED_IN, 'Content-Type': 'application/json' };
  const other = await fetch(`${url()}/account/marketing`, { method: 'POST', headers: json, body: '{}' });
  const large = await post('/account/addresses', { ip_whitelist: 'x'.repeat(20_000) }, SIGNED_IN);
  expect([other.status, large.status]).toEqual([415, 413]);
  expect(memory.calls).toEqual([]);
  // A page without a referrer has no origin, and the browser vouches for it.
  const own = await post('/login/request', { email: 'a@b.c' }, { Origin: 'null', 'Sec-Fetch-Site': 'same-origin' });
  expect(own.status).toBe(303);
});

test('a failure is logged without the form that caused it', async () => {
  memory.refusal = new Error('broken') as AppError;
  const form = { token: 'a-token-of-a-mail', password: 'a long enough password' };
  const failed = await post(`/reset?token=${form.token}`, form);
  expect([failed.status, failed.text.includes('broken')]).toEqual([500, false]);
  expect(logged).toHaveLength(1);
  expect(JSON.stringify([...logged, failed.text])).not.toMatch(/a-token-of|long enough/);
  expect(logged[0]).toMatchObject({ path: '/reset' });
});

describe('a mailed link', () => {
  test.each(Object.entries(LINKS))(
    '%s: opening it changes nothing and sends no referrer; its token is in the form',
    async (path, purpose) => {
      memory.link = { ...memory.link, purpose };
      const { status, headers, text } = await get(`${path}?token=a%22b`);
      expect([status, headers.get('referrer-policy')]).toEqual([200, 'no-referrer']);
      expect(text).toContain(`action="${path}"`);
      expect(text).toContain('name="token" value="a&quot;b"');
      expect(text).toContain('j…@example.com');
      // The person who confirms may not be the one who filled in the sign-up.
      expect([path, text.includes('accepts the <a href="/terms">')]).toEqual([path, path === '/verify']);
      expect(memory.calls).toEqual([]);
      for (const [state, expected] of [
        ['used', 410],
        ['expired', 410],
        ['unknown', 404],
      ] as const) {
        memory.link = { ...memory.link, state };
        const dead = await get(`${path}?token=x`);
        expect([state, dead.status]).toEqual([state, expected]);
        expect(dead.text).not.toContain('name="token"');
      }
    },
  );

  test('a link of one purpose does not open the page of another', async () => {
    memory.link = { ...memory.link, purpose: 'reset' };
    expect((await get('/verify?token=x')).text).toContain('does not work');
  });

  test('verifying shows the key in that response only, with a call to try, and a replacement states how long the old one works', async () => {
    const shown = await post('/verify', { token: 't' });
    expect([shown.status, shown.headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(shown.text).toContain(`>${KEY}</code>`);
    expect(shown.text).toContain(`curl -H &#39;X-API-Key: ${KEY}&#39; &#39;${BASE}/v1/`);
    expect(shown.text).toContain('the next three races with the prices of every bookmaker');
    expect(shown.text).toContain('href="/account">Account</a>');
    const replaced = await post('/replace-key', { token: 't' });
    expect(replaced.text).toContain('works until 23 November 2026, 03:00\u00a0UTC');
    memory.refusal = new AppError('gone', 'This link was used already.');
    const again = await post('/verify', { token: 't' });
    expect([again.status, again.text.includes('pe_live_')]).toEqual([410, false]);
    expect(again.text).toContain('This link was used already.');
  });

  test('a reset shows what is wrong with the password and keeps its token; then it signs in', async () => {
    const weak = await post('/reset', { token: 't', password: 'short' });
    expect([weak.status, weak.headers.get('referrer-policy')]).toEqual([422, 'no-referrer']);
    expect(weak.text).toContain('Password must have at least 12 characters.');
    expect(weak.text).toContain('name="token" value="t"');
    expect(to(await post('/reset', { token: 't', password: PASSWORD }))).toEqual([303, '/account?done=password']);
    expect(to(await post('/login/link', { token: 't' }))).toEqual([303, '/account']);
  });
});

test('signing in: a wrong password keeps the address; a link is mailed whether or not there is an account', async () => {
  const wrong = await post('/login', { email: JO.email, password: 'wrong' });
  expect([wrong.status, wrong.headers.get('www-authenticate')]).toEqual([422, null]);
  expect(wrong.text).toContain('The email address or the password is wrong.');
  expect(wrong.text).toContain('value="jo@example.com"');
  expect(to(await post('/login', { email: JO.email, password: PASSWORD }))).toEqual([303, '/account']);
  expect(to(await post('/login/request', { email: JO.email, password: '' }))).toEqual([303, '/login/sent']);
  expect(to(await post('/forgot', { email: JO.email }))).toEqual([303, '/login/sent']);
  expect((await post('/forgot', { email: 'jo' })).status).toBe(422);
});

test('without a session every page of the account leads to signing in', async () => {
  expect(to(await get('/account'))).toEqual([303, '/login']);
  for (const path of [
    'key/rotate',
    'key/reveal',
    'addresses',
    'team',
    'team/x',
    'team/x/delete',
    'password',
    'marketing',
    'referral',
  ])
    expect([path, ...to(await post(`/account/${path}`, {}))]).toEqual([path, 303, '/login']);
  expect(memory.calls).toEqual([]);
});
