// The account pages in a real browser: without a script, with hostile forms, and by every rule of axe, light and dark,
// desk and phone. One browser and one service for all of it. What a customer lives through is in `journey`.

import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import Koa from 'koa';
import type { Browser, Page } from 'playwright-core';
import { createWeb } from '../../src/web/routes';
import { FAULTLESS, OF_LAYOUT, openFolds, pageFaults, windowFaults } from '../support/pages/axe';
import { noBrowserReason, openBrowser } from '../support/pages/browser';
import { BUSY, type MemoryAccounts, memoryAccounts, NEW } from '../support/pages/memory-accounts';
import { ALERT_RACE } from '../support/pages/memory-alerts';
import { createPatience, PATIENT_MS } from '../support/patient';
import { type AccountWorld, createAccountWorld } from './account-world';
import { alertByMail, alertsAsNotifications } from './alert-visits';
import { watchedPage } from './board-browser';

const EMAIL = 'jo@example.com';
const PASSWORD = 'correct horse battery';

const reason = noBrowserReason();
const suite = reason === null ? describe : describe.skip;

suite(`the account pages in a browser${reason === null ? '' : ` (skipped: ${reason})`}`, () => {
  let browser: Browser;
  let world: AccountWorld;

  beforeAll(async () => {
    [browser, world] = await Promise.all([openBrowser(), createAccountWorld()]);
  });
  afterAll(async () => {
    await browser.close();
    await world.close();
  });

  const status = async (key: string, path = '/v1/usage') =>
    (await fetch(world.url + path, { headers: { 'X-API-Key': key } })).status;
  /** A change of a key is announced to the API after it is committed. */
  const becomes = async (expected: number, key: string) => {
    const patience = createPatience(PATIENT_MS);
    while ((await status(key)) !== expected && !patience.isOver()) await delay(5);
    expect(await status(key)).toBe(expected);
  };
  const shownKey = (page: Page) => page.locator('#new-key').innerText();

  test('without a script: signing up, a lost password, a lost key, team keys, and a plan that is paid for', async () => {
    const context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(`${world.url}/signup`);
    await page.getByLabel('Email', { exact: true }).fill(EMAIL);
    await page.getByLabel('I accept').check();
    await page.getByRole('button', { name: 'Send me the link' }).click();
    await page.getByText(`We have sent a message to ${EMAIL}`).waitFor();
    await page.goto(world.url + (await world.link(EMAIL)));
    await page.getByRole('button', { name: 'Show my key' }).click();
    expect(await status(await shownKey(page))).toBe(200);
    await page.goto(`${world.url}/forgot`);
    await page.getByLabel('Email', { exact: true }).fill(EMAIL);
    await page.getByRole('button', { name: 'Send me the link' }).click();
    await page.getByRole('heading', { name: 'Check your email' }).waitFor();
    await page.goto(world.url + (await world.link(EMAIL)));
    await page.getByRole('textbox', { name: 'New password' }).fill('staple of correct horses');
    await page.getByRole('button', { name: 'Save the password' }).click();
    await page.getByText('The password is saved.').waitFor();
    await page.getByText('I have lost the key').click();
    await page.getByRole('button', { name: 'Make a new key and show it' }).click();
    expect(await shownKey(page)).toMatch(/^pe_live_\w{38}$/);
    expect(await page.getByRole('button', { name: /^Copy/ }).count()).toBe(0);

    await world.setPlan(EMAIL, 'business');
    await page.goto(`${world.url}/account`);
    await page.getByText('Add a key').click();
    const team = page.locator('#team');
    await team.getByLabel('Label').fill('Backtests');
    await team.getByLabel('Allowed addresses').fill('127.0.0.0/8, ::1');
    await team.getByRole('button', { name: 'Add the key and show it' }).click();
    const key = await shownKey(page);
    expect(await status(key)).toBe(200);
    await page.getByRole('link', { name: 'Go to your account' }).click();
    await team.getByText('Change Backtests').click();
    await team.getByRole('textbox', { name: 'Allowed addresses' }).first().fill('127.0.0.1/8');
    await team.getByRole('button', { name: 'Save Backtests' }).click();
    await team.getByText('send 127.0.0.0/8').waitFor();
    await team.getByLabel('Label').first().fill('Backtests 2');
    await team.getByRole('textbox', { name: 'Allowed addresses' }).first().fill('192.0.2.1');
    await team.getByRole('button', { name: 'Save Backtests' }).click();
    await page.getByText('The key is saved.').waitFor();
    await becomes(403, key);
    await team.locator('summary', { hasText: 'Delete' }).click();
    await team.getByRole('button', { name: 'Delete Backtests 2' }).click();
    await page.getByText('The key is deleted').waitFor();
    await becomes(401, key);

    await world.addWebhook(EMAIL, 'https://hooks.example.com/odds?token=of-the-receiver');
    await page.goto(`${world.url}/account`);
    const webhooks = page.locator('#webhooks');
    await webhooks.getByText('https://hooks.example.com/odds?…').click();
    await page.getByText(/^Attempt 1, .*: 500 after 35.ms\. The receiver responded with status 500\.$/).waitFor();
    expect(await page.content()).not.toContain('of-the-receiver');

    await page.goto(`${world.url}/account`);
    const offers = page.getByLabel('Change to');
    expect(await offers.innerText()).toMatch(/^Platform, A\$249 a month: today A\$\d+\.\d\d until 1 \w+ \d{4}$/m);
    await offers.selectOption('platform month');
    await page.getByRole('button', { name: 'Continue to payment' }).click();
    await page.getByLabel('Card number').fill('4242 4242 4242 4242');
    await page.getByRole('button', { name: 'Subscribe' }).click();
    await page.getByText('The payment is received.').waitFor();
    const plan = page.locator('#plan');
    expect(await plan.locator('.plan-line').innerText()).toBe('Platform A$249 a month');
    await world.addWidget(EMAIL);
    await page.reload();
    await page.locator('#widgets').getByText('Markup of Home page').first().click();
    expect(await page.locator('#widgets code').last().innerText()).toContain(`src="${world.url}/widgets/we_a`);
    await plan.getByRole('button', { name: 'Turn overage on' }).click();
    await plan.getByText('Overage: on').waitFor();
    await plan.locator('summary', { hasText: 'Cancel the plan' }).click();
    await plan.getByRole('button', { name: 'Cancel the plan' }).click();
    await plan.getByText(/^The plan ends on/).waitFor();

    const referral = page.locator('#referral');
    expect(await referral.locator('code').innerText()).toMatch(/\/signup\?referral=[a-z0-9]{10}$/);
    await referral.getByText('Change what you get').click();
    await referral.getByLabel('nothing, because').check();
    await referral.getByRole('button', { name: 'Save' }).click();
    await referral.getByText('you chose so').waitFor();
    await context.close();
  });

  test('a passkey is added, signs in, and is removed; without a script the page says that there is none', async () => {
    const email = 'passkey@example.com';
    const { page, problems } = await watchedPage(browser);
    await page.goto(`${world.url}/signup`);
    await page.getByLabel('Email', { exact: true }).fill(email);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByLabel('I accept').check();
    await page.getByRole('button', { name: 'Send me the link' }).click();
    await page.getByText(`We have sent a message to ${email}`).waitFor();
    await page.goto(world.url + (await world.link(email)));
    await page.getByRole('button', { name: 'Show my key' }).click();
    const debugging = await page.context().newCDPSession(page);
    await debugging.send('WebAuthn.enable');
    const device = {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
    } as const;
    const able = { ...device, isUserVerified: true, automaticPresenceSimulation: true };
    const { authenticatorId } = await debugging.send('WebAuthn.addVirtualAuthenticator', { options: able });
    await page.goto(`${world.url}/account/passkeys`);
    await page.getByLabel('Name').fill('This laptop');
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByText(/not used yet/).waitFor();
    await page.goto(`${world.url}/account`);
    await page.getByRole('button', { name: 'Sign out', exact: true }).click();

    // The person is not recognised, and then is.
    await debugging.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false });
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.getByText('The browser used no passkey.').waitFor();
    await debugging.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: true });
    await page.getByRole('button', { name: 'Use a passkey' }).click();
    await page.getByRole('heading', { name: 'Your account' }).waitFor();
    await page.getByRole('link', { name: 'Passkeys' }).click();
    await page.getByText(/last used/).waitFor();
    await page.locator('summary', { hasText: 'Remove This laptop' }).click();
    await page.locator('#passkeys').getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Remove This laptop' }).click();
    await page.getByText('You have none yet.').waitFor();
    await page.close();
    expect(problems).toEqual([]);

    const plain = await browser.newPage({ javaScriptEnabled: false });
    await plain.goto(`${world.url}/login`);
    await plain.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await plain.getByText('This browser has no passkeys, or runs no scripts.').waitFor();
    expect(await plain.getByRole('button', { name: 'Use a passkey' }).count()).toBe(0);
    await plain.close();
  });

  test('without a script: a price alert, from the page of a race to its mail and the link that stops them', () =>
    alertByMail({ browser, world }));

  test('a price alert is shown once in a browser that chose it, and never to another account at it', () =>
    alertsAsNotifications({ browser, world }));

  test('what means something to SQL is a text in every field, and no form leads to another site', async () => {
    const send = (path: string, form: Record<string, string>, cookie = '') =>
      fetch(`${world.url}${path}?next=https://evil.example&return_to=//evil.example`, {
        method: 'POST',
        redirect: 'manual',
        body: new URLSearchParams(form),
        headers: { Origin: world.url, Cookie: cookie },
      });
    const email = "o'brien@example.com";
    await send('/signup', { email, terms_accepted: 'yes' });
    const token = (await world.link(email)).split('token=')[1]!;
    const cookies = (await send('/verify', { token })).headers.getSetCookie().map((one) => one.split(';')[0]);
    const session = cookies.join('; ');
    await world.setPlan(email, 'business');
    const key = { label: 'x', ip_whitelist: '192.0.2.1', access: 'some', scope_read: 'yes' };
    const forms: [string, Record<string, string>][] = [
      ['/signup', { email, password: PASSWORD, terms_accepted: 'yes', plan: 'plus', referral: 'code' }],
      ['/login', { email, password: PASSWORD }],
      ['/login/request', { email }],
      ['/forgot', { email }],
      ['/verify', { token: 'x' }],
      ['/login/link', { token: 'x' }],
      ['/replace-key', { token: 'x' }],
      ['/reset', { token: 'x', password: PASSWORD }],
      ['/account/key/rotate', { immediate: 'no' }],
      ['/account/addresses', { ip_whitelist: '192.0.2.1' }],
      ['/account/team', key],
      ['/account/team/tk_x', key],
      ['/account/team/%27%20OR%20%271%27%3D%271', key],
      ['/account/team/%27%3B%20--/delete', {}],
      ['/account/team/%27%3B%20--/rotate', { immediate: 'no' }],
      ['/account/backfill/%27%3B%20--/cancel', {}],
      ['/account/files/%27%3B%20--/2026-11-20', { kind: 'day', dataset: 'results', page: '1' }],
      ['/account/files/results/%27%3B%20--', { kind: 'month' }],
      ['/account/password', { current_password: 'x', new_password: PASSWORD }],
      ['/account/marketing', { opt_in: 'yes' }],
      ['/account/billing/upgrade', { offer: 'platform month' }],
      ['/account/billing/overage', { on: 'yes' }],
      ['/account/referral', { payout: 'none' }],
      ['/account/webhooks', { url: 'https://127.0.0.1/x' }],
      ['/account/webhooks/%27%3B%20--/test', {}],
      ['/account/webhooks/wh_x/replay/%27%20OR%20%271%27%3D%271', {}],
      ['/account/webhooks/wh_x/delete', {}],
      ['/login/passkey/finish', { credential: '{}' }],
      ['/account/alerts', { race: "'; --", runner: '1', market: 'win', price: '2' }],
      ['/account/alerts/stop', {}],
      ['/account/alerts/mails', {}],
      ['/alerts/stop', { token: 'x' }],
      ['/account/alerts/%27%3B%20--/delete', {}],
      ['/account/passkeys', { label: 'x' }],
      ['/account/passkeys/new', { label: 'x', credential: '{}' }],
      ['/account/passkeys/%27%20OR%20%271%27%3D%271/rename', { label: 'x' }],
      ['/account/passkeys/%27%3B%20--/remove', {}],
    ];
    const wrong: unknown[] = [];
    for (const [path, form] of forms)
      for (const text of ["' OR '1'='1", "x'; DROP TABLE accounts; --", '//evil.example/%0d%0aSet-Cookie: x=1'])
        for (const name of ['', ...Object.keys(form)]) {
          const { status, headers } = await send(path, { ...form, ...(name && { [name]: text }) }, session);
          const to = headers.get('location') ?? '/';
          const isLocal = new URL(to, world.url).origin === world.url && !to.startsWith('//');
          if (status >= 500 || !isLocal || headers.has('x')) wrong.push([path, name, text, status, to]);
        }
    expect(wrong).toEqual([]);
    const account = await fetch(`${world.url}/account`, { headers: { Cookie: session } });
    expect([account.status, (await account.text()).includes('o&#39;brien@example.com')]).toEqual([200, true]);
  });

  describe('axe', () => {
    let memory: MemoryAccounts;
    let server: Server;
    let url: string;

    beforeAll(async () => {
      const live = {
        board: async () => ({ next: [], featured: null, jumped: [], outcomes: [] }),
        race: async () => null,
        chart: async () => null,
      };
      server = createServer();
      server.keepAliveTimeout = 0;
      await once(server.listen(0, '127.0.0.1'), 'listening');
      url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      memory = memoryAccounts(url);
      const app = new Koa();
      app.use((ctx, next) => {
        ctx.state.client = { address: '203.0.113.9', network: '203.0.113.9' };
        return next();
      });
      app.use(createWeb({ live, now: Date.now, speed: 1, accounts: memory.pages }).routes());
      server.on('request', app.callback());
    });
    afterAll(() => {
      server.closeAllConnections();
      server.close();
    });

    const SIZES = { desk: { width: 1280, height: 900 }, phone: { width: 390, height: 844 } };
    const PATHS = ['/signup', '/login', '/forgot', '/signup/sent', '/verify?token=x', '/reset?token=x', '/terms'];

    test('the header with the clock and the account is one row at every width', async () => {
      const { page } = await watchedPage(browser, SIZES.desk);
      await page.goto(url);
      for (const width of [390, 600, 820, 1180, 1181, 1320, 1321, 1440]) {
        await page.setViewportSize({ width, height: 900 });
        const { height } = (await page.locator('header.top').boundingBox())!;
        const widest = await page.evaluate('document.documentElement.scrollWidth');
        expect([width, height <= 64, widest]).toEqual([width, true, width]);
      }
      await page.close();
    });

    // Each size in one scheme: schemes differ only in colours, which are the same for all sizes.
    test.each([
      ['desk', 'light'],
      ['phone', 'dark'],
    ] as const)('%s, %s: no violations, and nothing is wider than the window', async (size, colorScheme) => {
      const { page } = await watchedPage(browser, { ...SIZES[size], colorScheme });
      const found: unknown[] = [];
      // A phone shows the same elements. Its tables may be cut.
      const faults = () => (size === 'phone' ? pageFaults(page, OF_LAYOUT) : windowFaults(page));
      const look = async (name: string) => void found.push([name, await faults()]);
      for (const path of PATHS) {
        memory.link = { ...memory.link, purpose: path.startsWith('/reset') ? 'reset' : 'verify' };
        await page.goto(url + path);
        await look(path);
      }
      memory.link = { ...memory.link, purpose: 'verify' };
      await page.goto(`${url}/verify?token=x`);
      await page.getByRole('button', { name: 'Show my key' }).click();
      await look('a new key');
      for (const rows of [NEW, BUSY]) {
        memory.rows = rows;
        await page.goto(`${url}/account?done=password`);
        await openFolds(page);
        await look(`account of ${rows.plan.title}`);
      }
      for (const path of [
        'credits',
        'credits?by=key',
        'credits?by=day',
        'calls',
        'calls?request_id=abc',
        'webhooks/wh_3f9a1c07b2d4?show=all&done=replayed',
        'backfill?done=cancelled',
        'files',
        'files?kind=month&dataset=results',
        'passkeys',
        'passkeys?done=added',
        `alerts?race=${ALERT_RACE}&runner=8&done=added`,
        `alerts?race=x`,
      ]) {
        await page.goto(`${url}/account/${path}`);
        await openFolds(page);
        await look(path);
      }
      await page.goto(`${url}/account/passkeys`);
      await page.getByLabel('Name').last().fill('Phone');
      await page.getByLabel('Password').last().fill('x');
      await page.getByRole('button', { name: 'Continue' }).click();
      await page.getByText('The browser used no passkey.').waitFor();
      await look('a new passkey');
      await page.goto(`${url}/signup`);
      await page.evaluate("document.querySelector('form').noValidate = true");
      await page.getByRole('button', { name: 'Send me the link' }).click();
      await page.locator('#signup-email:focus').waitFor();
      await look('problems');
      await page.close();
      expect(found).toEqual(found.map((one) => [(one as [string])[0], FAULTLESS]));
    });
  });
});
