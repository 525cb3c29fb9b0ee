// The page of an account over HTTP: what its panels show, and what each of their forms does.
import { NotSignedIn } from '../../src/accounts/email/change-address';
import { AppError, invalid } from '../../src/errors';
import { publicKeyId } from '../../src/plans/key-id';
import { FREE, planNamed } from '../../src/plans/plans';
import { offerOf } from '../../src/plans/prices';
import { ACCOUNT, BUSY, KEY, NEW } from '../support/pages/memory-accounts';
import { accountPages, SIGNED_IN } from './account-pages';

const { memory, get, post, to } = accountPages();

const owner = (path: string, form: Record<string, string> = {}) => post(path, form, SIGNED_IN);

test('replacing a key explains the effect before, and shows the new one once', async () => {
  const page = (await get('/account', SIGNED_IN)).text;
  expect(page).toContain('pe_live_…a1B2');
  expect(page).toContain('This does not show the lost key: it makes a new one and shows it once.');
  for (const [path, form, call] of [
    ['key/rotate', { immediate: 'no' }, ['rotatePrimary', ACCOUNT, false]],
    ['key/rotate', { immediate: 'yes' }, ['rotatePrimary', ACCOUNT, true]],
    ['key/reveal', {}, ['reveal', ACCOUNT]],
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
  const ranges = ['198.51.100.0/24', '2001:db8::1/128', '192.0.2.1/32'];
  const own = { accountId: ACCOUNT };
  const ofKey = { ...own, keyId: BUSY.keys[0]!.keyId };
  const password = { current: 'a', password: 'another password' };
  const provider = ['take', 'Billing', expect.any(String), 30];
  const cases: [string, Record<string, string>, string, ...unknown[][]][] = [
    ['addresses', { ip_whitelist: list }, 'addresses', ['restrict', ofKey, ranges]],
    ['addresses', { ip_whitelist: ' ' }, 'addresses', ['restrict', ofKey, []]],
    [
      'team/tk_one',
      { label: ' Ops ', ip_whitelist: list },
      'team',
      ['change', own, 'tk_one', { label: 'Ops', allowedAddresses: ranges }],
    ],
    ['team/tk_one/delete', {}, 'team-deleted', ['end', own, 'tk_one']],
    [
      'password',
      { current_password: 'a', new_password: password.password },
      'password',
      ['setPassword', { ...own, ...password }],
    ],
    ['marketing', { opt_in: 'yes' }, 'marketing', ['setMarketing', ACCOUNT, true]],
    ['credit-mails', {}, 'marketing', ['setMails', ACCOUNT, 'credits', false]],
    ['marketing', {}, 'marketing', ['setMarketing', ACCOUNT, false]],
    ['billing/cancel', {}, 'cancelled', provider, ['cancel']],
    ['billing/overage', { on: 'yes' }, 'overage', provider, ['setOverage', true]],
    ['referral', { payout: 'none' }, 'referral', ['choose', ACCOUNT, 'none']],
    ['referral', { payout: 'credits' }, 'referral', ['choose', ACCOUNT, 'credits']],
  ];
  for (const [path, form, done, ...calls] of cases) {
    memory.calls.length = 0;
    expect([path, ...to(await owner(`/account/${path}`, form))]).toEqual([path, 303, `/account?done=${done}`]);
    expect(memory.calls).toEqual(calls);
    expect((await get(`/account?done=${done}`, SIGNED_IN)).text).toContain('role="status"');
  }
  expect((await get('/account?done=constructor', SIGNED_IN)).text).not.toContain('role="status"');
});

test('a payment that failed is shown with when the plan ends and the way to pay', async () => {
  const unpaid = { since: '2026-12-21T03:00:00.000Z', endsAt: '2027-01-20T03:00:00.000Z' };
  const standing = { ...BUSY.standing!, unpaid, unpaidOverage: { month: '2026-11', isInvoiced: true } };
  const pay = 'Pay or change the card';
  expect((await get('/account', SIGNED_IN)).text).not.toContain(pay);
  memory.rows = { ...BUSY, standing };
  const { text } = await get('/account', SIGNED_IN);
  expect(text).toMatch(/The payment of 21 Dec[^.]* failed\. The plan ends on 20 Jan[^.]* unless it is made\./);
  expect(text).toContain('Overage is off: its invoice of 2026-11 is not paid.');
  expect(text.split(pay)).toHaveLength(2);
  memory.rows = { ...BUSY, standing: { ...BUSY.standing!, unpaidOverage: { month: '2026-11', isInvoiced: false } } };
  const refused = (await get('/account', SIGNED_IN)).text;
  expect(refused).toContain('Overage is off: that of 2026-11 cannot be invoiced.');
  expect(refused).toContain(pay);
  memory.rows = { ...BUSY, standing: { ...standing, hasLapsed: true } };
  const lapsed = (await get('/account', SIGNED_IN)).text;
  expect(lapsed).not.toContain('The payment of');
  expect(lapsed).toContain(pay);
});

test('what a new plan costs today stands beside its price, and nothing of the kind beside a change in place', async () => {
  const today = 'The time until then is paid first';
  const { text: change } = await get('/account', SIGNED_IN);
  expect(change).toContain('Scale, A$599 a month</option>');
  expect(change).not.toContain(today);
  const first = { cents: 1613, dueCents: 1613, untilMs: Date.parse('2026-12-01T00:00:00Z') };
  const offers = [{ ...offerOf('plus', 'month')!, first }];
  memory.rows = { ...BUSY, standing: { ...BUSY.standing!, current: null, offers } };
  const { text } = await get('/account', SIGNED_IN);
  expect(text).toContain('Plus, A$49 a month: today A$16.13 until 1 December 2026</option>');
  expect(text).toContain(today);
  const little = { ...offers[0]!, first: { ...first, cents: 27, dueCents: 0 } };
  memory.rows = { ...BUSY, standing: { ...BUSY.standing!, current: null, offers: [little] } };
  expect((await get('/account', SIGNED_IN)).text).toContain(
    'Plus, A$49 a month: nothing today, A$0.27 until 1 December 2026 come with the next payment</option>',
  );
});

test('who comes back from payment reads whether the plan counts, at an address without the id', async () => {
  const back = async (checkout: string) => to(await get(`/account?checkout=${checkout}`, SIGNED_IN));
  expect(await back('cs_paid')).toEqual([303, '/account?done=paid']);
  expect(await back('cs_paying')).toEqual([303, '/account?done=paying']);
  expect(await back('cs_other')).toEqual([303, '/account']);
  expect((await get('/account?done=paid', SIGNED_IN)).text).toContain('The plan counts from now on.');
  expect(to(await get('/account?checkout=cs_paid'))).toEqual([303, '/login']);
  memory.calls.length = 0;
  expect(to(await get('/account?from=billing', SIGNED_IN))).toEqual([303, '/account']);
  expect(memory.calls.map(([name]) => name)).toEqual(['cameBack']);
});

test('a refused form is open again with its problem; the others are as they were', async () => {
  const list = await owner('/account/addresses', { ip_whitelist: 'here' });
  expect(list.status).toBe(422);
  expect(list.text).toContain('id="allow-ip_whitelist-problem">&#39;here&#39; is neither an IPv4 or IPv6');
  expect(list.text).toMatch(/autofocus[^>]*>\nhere<\/textarea>/);
  const team = publicKeyId(BUSY.keys[1]!.keyId);
  const nameless = await owner(`/account/team/${team}`, { label: ' ', ip_whitelist: '' });
  expect([nameless.status, memory.calls]).toEqual([422, []]);
  expect(nameless.text).toMatch(/<details class="more" open><summary>Change/);
  memory.refusal = invalid([{ pointer: '/current_password', detail: '/current_password is wrong.' }]);
  const change = { current_password: 'guess', new_password: 'another password' };
  const password = await owner('/account/password', change);
  expect(password.text).toContain('Present password is wrong.');
  expect(password.text).not.toMatch(/guess|another password/);
  const short = await owner('/account/password', { ...change, new_password: 'another one' });
  expect(short.text).toContain('New password must have at least 12 characters');
  memory.refusal = new AppError('conflict', 'The key was just replaced.');
  const page = await owner('/account/key/rotate', { immediate: 'no' });
  expect([page.status, page.text.includes('autofocus>The key was just replaced.')]).toEqual([409, true]);
  memory.refusal = new AppError('not_found', 'The account has no such key.');
  const gone = await owner('/account/team/tk_two', { label: 'Ops' });
  expect([gone.status, gone.text.includes('The account has no such key.')]).toEqual([404, true]);
});

test('a subscription that gives no plan any more can be cancelled', async () => {
  memory.rows = { ...BUSY, standing: { ...BUSY.standing!, hasLapsed: true } };
  const { text } = await get('/account', SIGNED_IN);
  expect(text).toContain('Your subscription is not paid, and gives no plan any more.');
  expect(text).toContain('The subscription ends with the period of its last invoice');
  expect(text).not.toContain('You keep the plan');
});

test('a plan by agreement stays when the subscription ends', async () => {
  const standing = { ...BUSY.standing!, agreed: planNamed('scale') };
  memory.rows = { ...BUSY, standing };
  const before = (await get('/account', SIGNED_IN)).text;
  expect(before).toContain('The account stays on Scale by agreement');
  memory.rows = { ...BUSY, standing: { ...standing, current: { ...standing.current!, isCancelling: true } } };
  const { text } = await get('/account', SIGNED_IN);
  expect(text).toContain('The subscription ends on 21 December 2026. The account stays on Scale by agreement.');
  expect(text).not.toContain('Cancel the plan');
  expect(before + text).not.toContain('on Free');
});

test('payment goes on to the provider by a page, because a form may not lead there', async () => {
  const provider = ['take', 'Billing', expect.any(String), 30];
  const { status, text } = await owner('/account/billing/upgrade', { offer: 'scale year' });
  const wanted = { plan: 'scale', interval: 'year' };
  expect([status, memory.calls]).toEqual([200, [provider, ['upgradeLink', wanted]]]);
  expect(text).toContain('<meta http-equiv="refresh" content="0; url=https://pay.example/checkout">');
  memory.calls.length = 0;
  expect((await owner('/account/billing/portal')).text).toContain('href="https://pay.example/portal"');
  expect(memory.calls).toEqual([provider, ['portal']]);
  expect((await owner('/account/billing/upgrade', { offer: 'scale day' })).status).toBe(409);
});

test('recommending shows the link, what each side gets, what it earned, and the present choice', async () => {
  const panel = async () =>
    /<section[^>]*id="referral".*?<\/section>/s.exec((await get('/account', SIGNED_IN)).text)![0];
  const earned = await panel();
  expect(earned).toContain('<code id="referral-link">https://api.example.com/signup?referral=k7mq2xw9pd</code>');
  expect(earned).toMatch(/gets 5,000 credits with the first paid invoice, and so do you/);
  expect(earned.match(/<dd>.*?<\/dd>/g)).toEqual(['<dd>3</dd>', '<dd>1</dd>', '<dd>5,000</dd>']);
  expect(earned).toMatch(/value="credits" checked/);
  memory.rows = { ...BUSY, referral: { ...BUSY.referral, signedUp: 0, payout: 'none' } };
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
  const first = BUSY.widgets[0]!;
  memory.rows = { ...BUSY, widgets: [{ ...first, fillsLastHour: 120 }] };
  expect(await panel()).toContain('<b>Hourly limit reached</b>');
  memory.rows = { ...BUSY, widgets: [{ ...first, fillsThisMonth: 50_000 }] };
  expect(await panel()).toContain('<b>Monthly limit reached</b>');
  memory.rows = { ...BUSY, plan: FREE };
  expect(await panel()).toContain('<b>Shows nothing</b>: your plan does not include widgets');
  memory.rows = { ...BUSY, plan: FREE, widgets: [] };
  expect(await panel()).toBeUndefined();
});

test('a service without payments and an account without team keys show neither', async () => {
  memory.rows = NEW;
  const { text } = await get('/account', SIGNED_IN);
  expect(text).toContain('Plans cannot be paid for on this service.');
  expect(text).not.toMatch(/id="team"|id="referral"|billing\//);
  expect(text).toContain('No credits used yet this month.');
});

test('signing out ends the session and confirms it', async () => {
  const out = await owner('/logout');
  expect(to(out)).toEqual([303, '/login?done=signed-out']);
  expect(out.headers.get('set-cookie')).toMatch(/^__Host-session=;/);
  expect((await get('/login?done=signed-out')).text).toContain('You are signed out.');
});

test('refused calls are counted by key and code, and found by their request id', async () => {
  memory.rows = BUSY;
  const [own, gone] = BUSY.refused;
  const { text } = await get('/account', SIGNED_IN);
  const row = /<tr><th scope="row"><a href="\/account\/calls\?code=rate_limit.*?<\/tr>/s.exec(text)![0];
  expect(row).toMatch(/primary .*pe_live_…a1B2.*<td>40<\/td><td>1,234<\/td>/s);
  expect(text).toContain('a deleted key');
  memory.calls.length = 0;
  const { requestId } = BUSY.refusedCalls[0]!;
  const all = { code: null, keyId: null, requestId: null };
  const latest = (await get('/account/calls', SIGNED_IN)).text;
  expect(latest).toContain('<b>422 ');
  expect(latest).toContain('num_races: 0 is &lt;less&gt; than 1.');
  expect(latest).toContain(`request <code>${requestId}</code>`);
  await get(`/account/calls?code=rate_limit&key=${publicKeyId(own!.keyId)}`, SIGNED_IN);
  await get(`/account/calls?code=nonsense&key=${publicKeyId(gone!.keyId)}x&request_id=%20${requestId}%20`, SIGNED_IN);
  expect(memory.calls).toEqual([
    ['newest', ACCOUNT, all],
    ['newest', ACCOUNT, { ...all, code: 'rate_limit', keyId: own!.keyId }],
    ['newest', ACCOUNT, { ...all, requestId }],
  ]);
  memory.rows = NEW;
  expect((await get('/account', SIGNED_IN)).text).toMatch(/id="refused".*?None\. Calls without a valid key/s);
  expect((await get('/account/calls?request_id=abc', SIGNED_IN)).text).toContain('No refused call has this id.');
  expect((await get('/account/calls?request_id=abc')).status).toBe(303);
});

test('the account is exported as a file that nothing stores, and only from its own page', async () => {
  expect((await get('/account', SIGNED_IN)).text).toContain('href="/account/export"');
  expect((await get('/account/export', SIGNED_IN)).text).toContain('It has no secrets');
  const { status, headers, text } = await owner('/account/export');
  expect([status, headers.get('cache-control'), headers.get('content-type')]).toEqual([
    200,
    'no-store',
    'application/json; charset=utf-8',
  ]);
  expect(headers.get('content-disposition')).toBe('attachment; filename="racing-odds-account-2026-11-22.json"');
  expect([JSON.parse(text), memory.calls]).toEqual([{ format: 'racing-odds-account' }, [['exported', ACCOUNT]]]);
  expect((await post('/account/export', {}, { ...SIGNED_IN, Origin: 'https://evil.example' })).status).toBe(403);
  expect(to(await post('/account/export', {}))).toEqual([303, '/login']);
});

test('closing says what ends, what stays and that nothing is refunded, and needs the address and the password', async () => {
  const page = (await get('/account/close', SIGNED_IN)).text;
  expect(page).toContain('Closing cannot be undone');
  expect(page).toContain(
    'The Platform plan is paid until 21 December 2026. It ends at once, and nothing of it is refunded.',
  );
  expect(page).toContain('What you used beyond the plan this month is invoiced.');
  expect(page).toMatch(/name="password"[^>]*required/);
  memory.refusal = invalid([{ pointer: '/password', detail: '/password is wrong.' }]);
  const wrong = await owner('/account/close', { email: 'jo@example.com', password: 'not the right one' });
  expect([wrong.status, wrong.text.includes('not the right one')]).toEqual([422, false]);
  expect(wrong.text).toContain('id="close-password-problem">Password is wrong.<');
  memory.calls.length = 0;
  const closed = await owner('/account/close', { email: 'jo@example.com', password: 'right' });
  expect(to(closed)).toEqual([303, '/login?done=closed']);
  expect(closed.headers.getSetCookie().join()).toMatch(/__Host-session=;/);
  expect(memory.calls).toEqual([['close', { accountId: ACCOUNT, email: 'jo@example.com', password: 'right' }]]);
  expect((await get('/login?done=closed')).text).toContain('Your account is closed.');
  // Without a password the address alone confirms, and without a purchase there is nothing to invoice.
  memory.rows = NEW;
  const first = (await get('/account/close', SIGNED_IN)).text;
  expect(first).not.toMatch(/name="password"|refunded/);
});

test('a new address is asked for with the password, and the same page follows whatever the address has', async () => {
  expect((await get('/account', SIGNED_IN)).text).toContain('href="/account/email"');
  expect((await get('/account/email', SIGNED_IN)).text).toMatch(
    /<strong>jo@example.com<\/strong>[\s\S]*name="password"/,
  );
  memory.refusal = new AppError('undeliverable_address', 'nowhere.test cannot receive mail.');
  const wrong = await owner('/account/email', { email: 'jo@nowhere.test', password: 'a secret of jo' });
  expect([wrong.status, wrong.text.includes('a secret')]).toEqual([400, false]);
  expect(wrong.text).toContain('id="address-email-problem">nowhere.test cannot receive mail.<');
  memory.calls.length = 0;
  const sent = await owner('/account/email', { email: 'new@example.com', password: 'right' });
  expect(to(sent)).toEqual([303, '/account/email/sent']);
  const wish = { accountId: ACCOUNT, email: 'new@example.com', password: 'right' };
  expect(memory.calls).toEqual([['askAddressChange', wish]]);
  expect((await get('/account/email/sent', SIGNED_IN)).text).toContain('on its way');
  memory.refusal = new NotSignedIn();
  const first = await post('/confirm-address', { token: 't' });
  expect([first.status, first.text]).toEqual([409, expect.stringMatching(/<title>Sign in first[\s\S]*href="\/login"/)]);
  expect(to(await post('/confirm-address', { token: 't' }))).toEqual([303, '/login?done=address']);
  expect(to(await get('/login?done=address', SIGNED_IN))).toEqual([303, '/account?done=address']);
  const undone = await post('/undo-address', { token: 't' }, SIGNED_IN);
  expect(to(undone)).toEqual([303, '/login?done=address-back']);
  expect((await get('/login?done=address-back')).text).toContain('The change is taken back.');
});
