// The pages of price alerts over HTTP: what each state of an alert is shown as, what the forms do, and what a visitor
// without an account sees.
import { AppError, invalid } from '../../src/errors';
import { ACCOUNT } from '../support/pages/memory-accounts';
import { ALERT_RACE } from '../support/pages/memory-alerts';
import { accountPages, SIGNED_IN } from './account-pages';

const { memory, get, post, to } = accountPages();

const PATH = '/account/alerts';
const FORM = { race: ALERT_RACE, runner: '8', market: 'place', price: '3.5' };
const ORDER = { raceId: ALERT_RACE, number: '8', market: 'place', atLeast: '3.5' };

test('shows each alert with what became of it, and why one was not mailed', async () => {
  const { text } = await get(PATH, SIGNED_IN);
  expect(text).toContain('2 of 50');
  expect(text).toContain('7 Fast &lt;Horse&gt;, win, at least 4.50');
  const states = [
    'Waiting for its price.',
    'The race has jumped: it is not mailed any more.',
    '<b>5.00</b> at Sportsbet, read at ',
    'Mailed, ',
    'Being mailed since ',
    'Not mailed: the message could not be delivered in time.',
    'Not mailed: over the day’s 20 mails.',
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

test('the link in a mail stops all alerts by a button, without a session', async () => {
  const page = await get('/alerts/stop?token=ours');
  expect(page.text).toContain('name="token" value="ours"');
  expect(memory.calls).toEqual([]);
  expect((await post('/alerts/stop', { token: 'ours' })).text).toContain('Price alerts are stopped');
  expect(memory.calls).toEqual([['stopByLink', 'ours']]);
  expect((await get('/alerts/stop?token=x')).status).toBe(404);
  expect((await post('/alerts/stop', { token: 'x' })).status).toBe(404);
});
