// The pages of price alerts over HTTP: what each state of an alert is shown as, what the forms do, and what a visitor
// without an account sees.
import { AppError, invalid } from '../../src/errors';
import { ACCOUNT, BUSY } from '../support/pages/memory-accounts';
import { ALERT_RACE } from '../support/pages/memory-alerts';
import { accountPages, SIGNED_IN } from './account-pages';

const { memory, get, post, to, url } = accountPages();

const PATH = '/account/alerts';
const FORM = { race: ALERT_RACE, runner: '8', market: 'place', price: '3.5' };
const ORDER = { raceId: ALERT_RACE, number: '8', market: 'place', atLeast: '3.5' };

test('shows each alert with what became of it, and why one was not mailed', async () => {
  const { text } = await get(PATH, SIGNED_IN);
  expect(text).toContain('2 of 50');
  expect(text).toContain('7 Fast &lt;Horse&gt;, win, at least 4.50');
  const states = [
    'Waiting for its price.',
    'The race has jumped: its price is not compared any more.',
    '<b>5.00</b> at Sportsbet, read at ',
    'Mailed, ',
    'Being mailed since ',
    'Not mailed: the message could not be delivered in time.',
    'Not mailed: over the day’s 20 mails.',
    'Not mailed: you had stopped the mails.',
    'Its race is ahead of its jump again: it waits again once fewer than 50 do',
    'The race jumped before this price was seen.',
    'The runner was scratched.',
  ];
  expect(states.filter((state) => !text.includes(state))).toEqual([]);
  expect(text).not.toContain('A new alert');
  expect((await get('/account', SIGNED_IN)).text).toMatch(/Price alerts<span class="h-note">2 of 50/);
});

test('a race has a form with its runners and their prices now', async () => {
  const { text } = await get(`${PATH}?race=${ALERT_RACE}&runner=8&market=place`, SIGNED_IN);
  expect(text).toContain('<option value="7">7 Fast &lt;Horse&gt; (win 4.20, place –)</option>');
  expect(text).toContain('<option value="8" selected>8 Slow Horse (win 101, place 11.00)</option>');
  expect(text).toContain('<option value="place" selected>Place</option>');
  expect(text).toContain(`name="race" value="${ALERT_RACE}"`);
});

test('each form does its one thing', async () => {
  for (const [path, form, done, call] of [
    ['', FORM, 'added', ['add', ACCOUNT, ORDER]],
    ['/stop', {}, 'stopped', ['stop', ACCOUNT]],
    ['/one/delete', {}, 'removed', ['remove', ACCOUNT, 'one']],
  ] as const) {
    memory.calls.length = 0;
    expect(to(await post(PATH + path, form, SIGNED_IN))).toEqual([303, `${PATH}?done=${done}`]);
    expect(memory.calls).toEqual([call]);
    expect((await get(`${PATH}?done=${done}`, SIGNED_IN)).text).toContain('role="status"');
    expect(to(await post(PATH + path, form))).toEqual([303, '/login']);
    expect((await post(PATH + path, form, { ...SIGNED_IN, Origin: 'https://evil.example' })).status).toBe(403);
  }
});

test('a refused form is shown again with what was typed, the reason beside its field', async () => {
  memory.refusal = invalid([{ pointer: '/price', detail: '/price must be decimal odds.' }]);
  const again = await post(PATH, { ...FORM, price: '"><b>' }, SIGNED_IN);
  expect(again.status).toBe(422);
  expect(again.text).toContain('At least must be decimal odds.');
  expect(again.text).toContain('value="&quot;&gt;&lt;b&gt;"');
  expect(again.text).toContain('<option value="8" selected>');
  memory.refusal = new AppError('conflict', 'The race has jumped.');
  const gone = await post(PATH, { ...FORM, race: 'x' }, SIGNED_IN);
  expect([gone.status, gone.text.includes('The race has jumped.')]).toEqual([409, true]);
});

test('a visitor without a session is led to sign up, and sees no alert', async () => {
  const { status, text } = await get(`${PATH}?race=${ALERT_RACE}`);
  expect(status).toBe(200);
  expect(text).toContain('href="/signup"');
  expect(text).not.toContain('Fast');
});

test('the owner stops the mails of alerts, and has them again, from this page and from the account’s', async () => {
  expect((await get('/account', SIGNED_IN)).text).toContain(`<form method="post" action="${PATH}/mails">`);
  expect((await get(PATH, SIGNED_IN)).text).toContain('<button class="button">Stop the mails</button>');
  memory.rows = { ...BUSY, owner: { ...BUSY.owner, alertMails: false } };
  expect((await get(PATH, SIGNED_IN)).text).toContain('Not by mail');
  for (const [form, isOn] of [
    [{}, false],
    [{ on: 'yes' }, true],
  ] as const) {
    memory.calls.length = 0;
    expect(to(await post(`${PATH}/mails`, form, SIGNED_IN))).toEqual([303, `${PATH}?done=mails`]);
    expect(memory.calls).toEqual([['setMails', ACCOUNT, 'alerts', isOn]]);
  }
});

test('a browser reads what it may show of the account that is signed in, and a 304 while that stands', async () => {
  const { status, headers, text } = await get(`${PATH}/news`, SIGNED_IN);
  const news = JSON.parse(text);
  expect([status, headers.get('cache-control')]).toEqual([200, 'private, no-store']);
  expect(news).toEqual({
    account: expect.stringMatching(/^[\w-]{16}$/),
    open: 2,
    reached: [
      {
        id: 'one',
        title: '7 Fast <Horse>: 5.00 to win at Sportsbet',
        text: expect.stringMatching(
          /^Randwick R5, to start .+\. Read at \d+:\d\d:\d\d [ap]m AE[DS]T\. You wanted at least 4\.50\. /,
        ),
        path: `/race/${ALERT_RACE}`,
      },
    ],
  });
  expect(text).not.toContain(ACCOUNT);
  expect((await get(PATH, SIGNED_IN)).text).toContain(`data-account="${news.account}"`);
  const again = { ...SIGNED_IN, 'If-None-Match': headers.get('etag')! };
  expect([(await get(`${PATH}/news`, again)).status, (await get(`${PATH}/news`, again)).text]).toEqual([304, '']);
  const stranger = await get(`${PATH}/news`, { 'If-None-Match': headers.get('etag')! });
  expect([stranger.status, JSON.parse(stranger.text)]).toEqual([200, { account: null, open: 0, reached: [] }]);
});

test.each([
  ['/alerts/stop', 'alerts'],
  ['/credit-mails/stop', 'credits'],
])('the link %s in a mail stops that list by a button, or by one click of a mail program', async (path, list) => {
  const page = await get(`${path}?token=ours`);
  expect(page.text).toContain('name="token" value="ours"');
  expect(memory.calls).toEqual([]);
  expect((await post(path, { token: 'ours' })).text).toContain('These mails are stopped');
  expect(memory.calls).toEqual([['stop', list, 'ours']]);
  const oneClick = (body: string | FormData | URLSearchParams, token: string, headers = {}) =>
    fetch(`${url()}${path}?token=${token}`, { method: 'POST', redirect: 'manual', body, headers });
  const parts = new FormData();
  parts.set('List-Unsubscribe', 'One-Click');
  for (const body of [new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }), parts, 'List-Unsubscribe=One-Click']) {
    memory.calls.length = 0;
    const origin = { Origin: 'https://mail.example', 'Sec-Fetch-Site': 'cross-site' };
    for (const headers of [{}, origin]) expect((await oneClick(body, 'ours', headers)).status).toBe(200);
    expect(memory.calls).toEqual([
      ['stop', list, 'ours'],
      ['stop', list, 'ours'],
    ]);
    expect((await oneClick(body, 'x')).status).toBe(404);
  }
  expect((await get(`${path}?token=x`)).status).toBe(404);
  expect((await post(path, { token: 'x' })).status).toBe(404);
});
