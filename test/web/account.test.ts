// The account pages over HTTP: what they send, refuse and never cache, and what of a form stays. Accounts are in
// memory; no browser.
import { accountPagesOver } from '../../src/api/pages/account-pages';
import { nextPlan } from '../../src/api/pages/console/plan-cards';
import { AppError, invalid } from '../../src/errors';
import { planNamed } from '../../src/plans/plans';
import type { Reads } from '../../src/store/reads/reads';
import { byEndpoint, columnsOf, niceCeiling } from '../../src/web/account/panels/credit-chart';
import type { LiveBoard } from '../../src/web/board/model';
import { createMissingPage, createWeb } from '../../src/web/routes';
import { memoryKeys, startApi, type TestApi } from '../support/api/api';
import { BUSY, KEY, memoryAccounts, NEW } from '../support/pages/memory-accounts';

const BASE = 'https://api.example.com';
const OWN = { Origin: BASE };
const SIGNED_IN = { Cookie: 'session=yes' };
const memory = memoryAccounts(BASE);
const logged: object[] = [];
let api: TestApi;

beforeAll(async () => {
  const live: LiveBoard = {
    board: async () => ({ next: [], featured: null, jumped: [], outcomes: [] }),
    race: async () => null,
    chart: async () => null,
  };
  const accounts = accountPagesOver(memory.source, { error: (fields) => void logged.push(fields) });
  const web = { live, now: Date.now, speed: 1, accounts };
  const reads = { ping: async () => {} } as unknown as Reads;
  api = await startApi({ reads, keys: memoryKeys(), pages: createWeb(web), missingPage: createMissingPage(web) });
});
afterAll(() => api.close());
beforeEach(() => {
  memory.calls.length = 0;
  logged.length = 0;
  memory.view = BUSY;
  memory.refusal = null;
  memory.link = { purpose: 'verify', state: 'open', email: 'j…@example.com' };
});

async function request(method: string, path: string, form?: Record<string, string>, headers: object = {}) {
  const response = await fetch(api.url + path, {
    method,
    redirect: 'manual',
    headers: { ...(form && OWN), ...headers },
    ...(form && { body: new URLSearchParams(form) }),
  });
  return { status: response.status, headers: response.headers, text: await response.text() };
}
const get = (path: string, headers = {}) => request('GET', path, undefined, headers);
const post = (path: string, form: Record<string, string>, headers = {}) => request('POST', path, form, headers);
const to = ({ status, headers }: Awaited<ReturnType<typeof request>>) => [status, headers.get('location')];

const JO = { email: 'jo@example.com', terms_accepted: 'yes' };
const OPEN = ['/signup', '/signup/sent', '/login', '/login/sent', '/forgot'];
const LINKS = {
  '/verify': 'verify',
  '/login/link': 'login',
  '/replace-key': 'replace_key',
  '/reset': 'reset',
} as const;

test('no account page is stored, and each allows its own forms and nothing else', async () => {
  memory.view = BUSY;
  for (const path of [...OPEN, '/account', '/verify?token=x']) {
    const { status, headers, text } = await get(path, SIGNED_IN);
    const redirected = path === '/login';
    expect([path, status]).toEqual([path, redirected ? 303 : 200]);
    expect(headers.get('cache-control')).toBe('no-store');
    if (redirected) continue;
    expect(headers.get('content-security-policy')).toMatch(/default-src 'none'.*form-action 'self'/);
    expect(text).not.toMatch(/<script(?![^>]*\bsrc=)|<style|\sstyle=|\son\w+=/);
  }
  expect((await get('/')).headers.get('content-security-policy')).toContain("form-action 'none'");
});

test('the board leads to signing up, and who is signed in to the account', async () => {
  const visitor = (await get('/')).text;
  expect(visitor).toContain('href="/signup"');
  expect(visitor).toContain('href="/login"');
  const owner = (await get('/', SIGNED_IN)).text;
  expect(owner).toContain('href="/account"');
  expect(owner).not.toContain('href="/login"');
});

test('signing up sends what was entered, with the plan and the referral of the address, and names the address after', async () => {
  const page = (await get('/signup?plan=plus&referral=jane-1')).text;
  expect(page).toMatch(/name="marketing_opt_in"(?![^>]*checked)/);
  expect(page).toContain('name="plan" value="plus"');
  const sent = await post('/signup', { ...JO, password: '', plan: 'plus', referral: 'jane-1' });
  expect(to(sent)).toEqual([303, '/signup/sent']);
  const draft = { email: JO.email, password: null, termsAccepted: true, marketingOptIn: false };
  expect(memory.calls).toEqual([['signUp', { ...draft, plan: 'plus', referral: 'jane-1' }]]);
  const cookie = sent.headers.get('set-cookie')!;
  expect(cookie).toMatch(/mailed_to=jo%40example.com;.*samesite=lax; secure; httponly/i);
  const next = await get('/signup/sent', { Cookie: cookie.split(';')[0]! });
  expect(next.text).toContain('<strong>jo@example.com</strong>');
});

test('what is wrong stands beside its field, the first has the focus, what was typed stays, and no password does', async () => {
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

test('a refusal stands beside the field that it points to, in words for people', async () => {
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

test('a form of another site, of no form, or too large changes nothing', async () => {
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
  const other = await fetch(`${api.url}/account/marketing`, { method: 'POST', headers: json, body: '{}' });
  const large = await post('/account/addresses', { ip_whitelist: 'x'.repeat(20_000) }, SIGNED_IN);
  expect([other.status, large.status]).toEqual([415, 413]);
  expect(memory.calls).toEqual([]);
  // A page without a referrer has no origin, and the browser vouches for it.
  const own = await post('/login/request', { email: 'a@b.c' }, { Origin: 'null', 'Sec-Fetch-Site': 'same-origin' });
  expect(own.status).toBe(303);
});

test('a failure is logged without what was sent', async () => {
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
    expect(to(await post('/reset', { token: 't', password: 'correct horse battery' }))).toEqual([
      303,
      '/account?done=password',
    ]);
    expect(to(await post('/login/link', { token: 't' }))).toEqual([303, '/account']);
  });
});

test('signing in: a wrong password keeps the address; a link is mailed whether or not there is an account', async () => {
  const wrong = await post('/login', { email: JO.email, password: 'wrong' });
  expect([wrong.status, wrong.headers.get('www-authenticate')]).toEqual([422, null]);
  expect(wrong.text).toContain('The email address or the password is wrong.');
  expect(wrong.text).toContain('value="jo@example.com"');
  expect(to(await post('/login', { email: JO.email, password: 'correct horse battery' }))).toEqual([303, '/account']);
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

describe('the account', () => {
  const owner = (path: string, form: Record<string, string> = {}) => post(path, form, SIGNED_IN);

  test('replacing a key explains the effect before, and shows the new one once', async () => {
    const page = (await get('/account', SIGNED_IN)).text;
    expect(page).toContain('pe_live_…a1B2');
    expect(page).toContain('This does not show the lost key: it makes a new one and shows it once.');
    for (const [path, form, call] of [
      ['key/rotate', { immediate: 'no' }, ['rotateKey', false]],
      ['key/rotate', { immediate: 'yes' }, ['rotateKey', true]],
      ['key/reveal', {}, ['revealKey']],
    ] as const) {
      memory.calls.length = 0;
      const shown = await owner(`/account/${path}`, form);
      expect([shown.status, shown.headers.get('cache-control'), memory.calls]).toEqual([200, 'no-store', [call]]);
      expect(shown.text).toContain(KEY);
    }
    expect((await get('/account', SIGNED_IN)).text).not.toContain(KEY);
  });

  test('each form does its one thing and goes back to the account', async () => {
    const list = '198.51.100.0/24\r\n2001:db8::1, 192.0.2.1';
    const ranges = ['198.51.100.0/24', '2001:db8::1', '192.0.2.1'];
    const cases: [string, Record<string, string>, string, unknown[]][] = [
      ['addresses', { ip_whitelist: list }, 'addresses', ['allow', ranges]],
      ['addresses', { ip_whitelist: ' ' }, 'addresses', ['allow', []]],
      [
        'team/tk_one',
        { label: ' Ops ', ip_whitelist: list },
        'team',
        ['changeTeamKey', 'tk_one', { label: 'Ops', allowed: ranges }],
      ],
      ['team/tk_one/delete', {}, 'team-deleted', ['endTeamKey', 'tk_one']],
      [
        'password',
        { current_password: 'a', new_password: 'b' },
        'password',
        ['setPassword', { current: 'a', password: 'b' }],
      ],
      ['marketing', { opt_in: 'yes' }, 'marketing', ['setMarketing', true]],
      ['marketing', {}, 'marketing', ['setMarketing', false]],
      ['billing/cancel', {}, 'cancelled', ['cancelPlan']],
      ['billing/overage', { on: 'yes' }, 'overage', ['setOverage', true]],
      ['referral', { payout: 'none' }, 'referral', ['choosePayout', 'none']],
      ['referral', { payout: 'credits' }, 'referral', ['choosePayout', 'credits']],
    ];
    for (const [path, form, done, call] of cases) {
      memory.calls.length = 0;
      expect([path, ...to(await owner(`/account/${path}`, form))]).toEqual([path, 303, `/account?done=${done}`]);
      expect(memory.calls).toEqual([call]);
      expect((await get(`/account?done=${done}`, SIGNED_IN)).text).toContain('role="status"');
    }
    expect((await get('/account?done=constructor', SIGNED_IN)).text).not.toContain('role="status"');
  });

  test('a refused form is open again with its problem; the others are as they were', async () => {
    memory.refusal = invalid([{ pointer: '/ip_whitelist/0', detail: "'here' is neither an address nor a range." }]);
    const list = await owner('/account/addresses', { ip_whitelist: 'here' });
    expect(list.status).toBe(422);
    expect(list.text).toContain('id="allow-ip_whitelist-problem">&#39;here&#39; is neither an address nor a range.<');
    expect(list.text).toMatch(/autofocus[^>]*>\nhere<\/textarea>/);
    const nameless = await owner('/account/team/tk_one', { label: ' ', ip_whitelist: '' });
    expect([nameless.status, memory.calls.length]).toEqual([422, 1]);
    expect(nameless.text).toMatch(/<details class="more" open><summary>Change/);
    memory.refusal = invalid([{ pointer: '/current_password', detail: '/current_password is wrong.' }]);
    const password = await owner('/account/password', { current_password: 'guess', new_password: 'another one' });
    expect(password.text).toContain('Present password is wrong.');
    expect(password.text).not.toMatch(/guess|another one/);
    memory.refusal = new AppError('conflict', 'The key was just replaced.');
    const page = await owner('/account/key/rotate', { immediate: 'no' });
    expect([page.status, page.text.includes('autofocus>The key was just replaced.')]).toEqual([409, true]);
    memory.refusal = new AppError('not_found', 'The account has no such key.');
    const gone = await owner('/account/team/tk_two', { label: 'Ops' });
    expect([gone.status, gone.text.includes('The account has no such key.')]).toEqual([404, true]);
  });

  test('a subscription that gives no plan any more can be cancelled', async () => {
    memory.view = { ...BUSY, billing: { ...BUSY.billing!, hasLapsed: true } };
    const { text } = await get('/account', SIGNED_IN);
    expect(text).toContain('Your subscription is not paid, and gives no plan any more.');
    expect(text).toContain('The subscription ends with the period of its last invoice');
    expect(text).not.toContain('You keep the plan');
  });

  test('a plan by agreement stays when the subscription ends', async () => {
    const billing = { ...BUSY.billing!, agreedTitle: 'Scale', endsMs: Date.parse('2026-12-21T03:00:00Z') };
    memory.view = { ...BUSY, billing };
    const { text } = await get('/account', SIGNED_IN);
    expect(text.match(/The account stays on Scale by agreement/g)).toHaveLength(2);
    expect(text).not.toContain('on Free');
  });

  test('payment goes on to the provider by a page, because a form may not lead there', async () => {
    const { status, text } = await owner('/account/billing/upgrade', { offer: 'platform year' });
    expect([status, memory.calls]).toEqual([200, [['upgradeUrl', 'platform', 'year']]]);
    expect(text).toContain('<meta http-equiv="refresh" content="1; url=https://pay.example/checkout">');
    expect((await owner('/account/billing/portal')).text).toContain('href="https://pay.example/portal"');
  });

  test('recommending shows the link, what each side gets, what it earned, and the present choice', async () => {
    const panel = async () =>
      /<section[^>]*id="referral".*?<\/section>/s.exec((await get('/account', SIGNED_IN)).text)![0];
    const earned = await panel();
    expect(earned).toContain('<code id="referral-link">https://api.example.com/signup?referral=k7mq2xw9pd</code>');
    expect(earned).toMatch(/gets 5,000 credits with the first paid invoice, and so do you/);
    expect(earned.match(/<dd>.*?<\/dd>/g)).toEqual(['<dd>3</dd>', '<dd>1</dd>', '<dd>5,000</dd>']);
    expect(earned).toMatch(/value="credits" checked/);
    memory.view = { ...BUSY, referral: { ...BUSY.referral!, signedUp: 0, payout: 'none' } };
    const empty = await panel();
    expect(empty).toMatch(/No one has signed up.*value="none" checked/s);
    expect(empty).not.toContain('<dl');
  });

  test('widgets show their state, their sites and the markup to paste', async () => {
    const panel = async () =>
      /<section[^>]*id="widgets".*?<\/section>/s.exec((await get('/account', SIGNED_IN)).text)?.[0];
    const shown = (await panel())!;
    expect(shown).toMatch(
      /Widgets<span class="h-note">2 of 10<.*<b>Active<\/b> · 42 fills of 120 in the last hour · 1,830 of 50,000 this month · last filled /s,
    );
    expect(shown).toContain('&lt;iframe src=&quot;https://api.example.com/widgets/we_k3v7d2mxq7hs5tnc4wzb6yprfa&quot;');
    expect(shown).toMatch(
      /Form guide.*<b>Paused<\/b> by you · 0 fills of 1 in the last hour · 0 this month · not filled yet/s,
    );
    const [first] = BUSY.widgets.list;
    memory.view = { ...BUSY, widgets: { ...BUSY.widgets, list: [{ ...first!, fillsLastHour: 120 }] } };
    expect(await panel()).toContain('<b>Hourly limit reached</b>');
    memory.view = { ...BUSY, widgets: { ...BUSY.widgets, list: [{ ...first!, fillsThisMonth: 50_000 }] } };
    expect(await panel()).toContain('<b>Monthly limit reached</b>');
    memory.view = { ...BUSY, widgets: { isEntitled: false, most: 0, list: [first!] } };
    expect(await panel()).toContain('<b>Shows nothing</b>: your plan does not include widgets');
    memory.view = { ...BUSY, widgets: { isEntitled: false, most: 0, list: [] } };
    expect(await panel()).toBeUndefined();
  });

  test('webhooks show their state and the last deliveries of one, each with its attempts', async () => {
    const panel = async (query = '') =>
      /<section[^>]*id="webhooks".*?<\/section>/s.exec((await get(`/account${query}`, SIGNED_IN)).text)?.[0];
    const shown = (await panel('?webhook=wh_3f9a1c07b2d4'))!;
    expect(memory.calls).toEqual([['view', 'wh_3f9a1c07b2d4']]);
    expect(shown).toContain('<code>https://hooks.example.com/odds?…</code>');
    expect(shown).toMatch(
      /<b>Disabled<\/b>: the receiver responded with 410 · last delivered .* · 1 failed attempt since/,
    );
    expect(shown).toMatch(/<b>Active<\/b> · nothing delivered yet/);
    expect(shown).toContain('<code>race.result</code> · only AU, Randwick · <code>wh_');
    expect(shown).toContain(
      'All events but moved starts and changed tracks · arbs from 2% · price moves from 5% · <code>wh_',
    );
    expect(shown.match(/href="[^"]*webhook=[^"]*"/g)).toEqual(['href="/account?webhook=wh_000000000001#webhooks"']);
    expect(shown).toMatch(/a replay · <b>cancelled<\/b>: The webhook is disabled\..*· <b>failed<\/b>/s);
    expect(shown).toMatch(/Attempt 1, .*: no response after 15,000.*in time\..*Attempt 2, .*: 410 after 35/s);
    memory.view = { ...BUSY, webhooks: { ...BUSY.webhooks, list: [], open: null } };
    expect(await panel()).toContain('The API</a> creates');
    memory.view = NEW;
    expect(await panel()).toBeUndefined();
  });

  test('a service without payments and an account without team keys show neither', async () => {
    memory.view = NEW;
    const { text } = await get('/account', SIGNED_IN);
    expect(text).toContain('Plans cannot be paid for on this service.');
    expect(text).not.toMatch(/id="team"|id="referral"|billing\//);
    expect(text).toContain('No credits used yet this month.');
  });

  test('signing out ends the session and confirms it', async () => {
    const out = await owner('/logout');
    expect(to(out)).toEqual([303, '/login?done=signed-out']);
    expect(out.headers.get('set-cookie')).toMatch(/^session=;/);
    expect((await get('/login?done=signed-out')).text).toContain('You are signed out.');
  });
});

describe('what the next plan gives', () => {
  const served = new Set(['clv', 'markets', 'team_keys', 'archive'] as const);
  const adds = (plan: string, issuedAt = '2026-10-01T00:00:00Z') => nextPlan(planNamed(plan)!, issuedAt, served)?.adds;

  test('only what operations have, and what the key has not', () => {
    expect(adds('free')).toEqual([]);
    expect(adds('standard')).toEqual([
      'Scoring bets against the closing line',
      'Every market on one race',
      'The archive',
      'Betslip links',
    ]);
    // Such a key keeps what it was sold with (D11).
    expect(adds('standard', '2026-09-01T00:00:00Z')).toEqual([
      'Scoring bets against the closing line',
      'Betslip links',
    ]);
    expect(adds('plus')).toEqual(['Managing team keys']);
  });

  test('there is none above the last', () => expect(adds('enterprise')).toBeUndefined());
});

describe('the chart of credits', () => {
  test('its columns add up to what was used, a day each, and the largest operations have colours of their own', () => {
    const columns = columnsOf(BUSY.credits);
    expect(columns).toHaveLength(30);
    expect(columns.reduce((sum, { credits }) => sum + credits, 0)).toBe(BUSY.credits.used);
    for (const { parts, credits } of columns) expect(parts.reduce((sum, part) => sum + part.credits, 0)).toBe(credits);
    const rows = byEndpoint(BUSY.credits.days);
    expect(rows.map(({ colour }) => colour)).toEqual([1, 2, 3, 4, 5, 6, 6]);
    expect(rows.map(({ credits }) => credits)).toEqual(rows.map(({ credits }) => credits).sort((a, b) => b - a));
  });

  test.each([
    [0, 10],
    [10, 10],
    [11, 20],
    [99, 100],
    [2990, 3000],
    [3001, 4000],
    [1_000_001, 2_000_000],
  ])('a scale for %d ends at %d', (most, top) => expect(niceCeiling(most)).toBe(top));
});
