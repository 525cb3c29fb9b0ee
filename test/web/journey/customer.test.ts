// A customer from the first visit to the last: a key, a plan with its invoices, a card that declines, a key that is
// replaced, a call that is refused, the way out. One browser, one service, one database, real mails.
import { readFileSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { noBrowserReason, openBrowser } from '../../support/pages/browser';
import { PATIENT_MS } from '../../support/patient';
import { waitFor } from '../../support/servers/service';
import { TEST_SECRET } from '../../support/stripe/server';
import { type AccountWorld, createAccountWorld } from '../account-world';
import { createTraveller, type Traveller, UNPROCESSABLE } from './traveller';

const EMAIL = 'anna.citizen@gmail.com';
/** The same mailbox. */
const AGAIN = 'annacitizen+odds@gmail.com';
const PASSWORD = 'correct horse battery';
const ABN = '51 824 753 556';

const reason = noBrowserReason();
const suite = reason === null ? describe : describe.skip;

suite(`a customer in a browser${reason === null ? '' : ` (skipped: ${reason})`}`, () => {
  let browser: Browser;
  let world: AccountWorld;
  beforeAll(async () => {
    [browser, world] = await Promise.all([openBrowser(), createAccountWorld()]);
  });
  afterAll(async () => {
    await browser.close();
    await world.close();
  });

  test('from the first visit, over two invoices with GST, a declined card and a new key, to a closed account', async () => {
    const customer = await createTraveller(browser, world);
    const first = await opensAnAccount(customer, EMAIL);
    await buysAPlan(customer);
    await getsTheSecondInvoice(customer);
    await hasADeclinedCard(customer);
    const second = await replacesTheKey(customer, first);
    await findsARefusedCall(customer, second);
    await exportsEverything(customer, [first, second]);
    await closesTheAccount(customer, [first, second]);
    await signsUpAgain(customer);
    await customer.page.close();
  });
});

const shownKey = (page: Page): Promise<string> => page.locator('#new-key').innerText();

async function opensAnAccount(customer: Traveller, email: string): Promise<string> {
  const { page, world, look, open, step } = customer;
  await step({ mails: [[email, 'Confirm your email address']] }, async () => {
    await open('/live');
    await page.getByRole('link', { name: 'Get a key' }).click();
    await page.getByLabel('Email', { exact: true }).fill(email);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByLabel('I accept').check();
    await look();
    await page.getByRole('button', { name: 'Send me the link' }).click();
    await page.getByText(`We have sent a message to ${email}`).waitFor();
    await look();
  });
  let key = '';
  await step({}, async () => {
    await open(await world.link(email));
    await page.getByRole('button', { name: 'Show my key' }).click();
    key = await shownKey(page);
    expect(new URL(page.url()).search).toBe('');
    await look();
  });
  return key;
}

/** Pasted, as a person does it: our pages may write the clipboard but never read it. */
async function copied(page: Page): Promise<string> {
  await page.evaluate(`document.body.append(Object.assign(document.createElement('textarea'), { id: 'pasted' }))`);
  const pasted = page.locator('#pasted');
  await pasted.press('Control+V');
  return pasted.inputValue();
}

async function buysAPlan({ page, world, look, leave, step }: Traveller): Promise<void> {
  await step({}, async () => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'Copy Try it in a terminal' }).click();
    await page.getByText('Copied').waitFor();
    const [, key, url] = /^curl -H 'X-API-Key: (\w+)' '(.*)'$/.exec(await copied(page))!;
    expect((await fetch(url!, { headers: { 'X-API-Key': key! } })).status).toBe(200);
    await page.getByRole('link', { name: 'Go to your account' }).click();
    await page.getByRole('img', { name: /^Chart of credits by day; the most on/ }).waitFor();
    expect(await page.locator('#credits .balance').innerText()).toBe('2,998 of 3,000 left');
    expect(await page.content()).not.toContain(key);
    await look();
  });
  await step({ mails: [[EMAIL, 'Your plan is now Business', /from the Free plan to the Business plan/]] }, async () => {
    const offers = page.getByLabel('Change to');
    expect(await offers.innerText()).toContain('Business, A$99 a month: today A$32.59 until 1 October 2026');
    await offers.selectOption('business month');
    await leave(page.getByRole('button', { name: 'Continue to payment' }));
    await page.getByLabel('Card number').fill('4000 0000 0000 0002');
    await page.getByRole('button', { name: 'Subscribe' }).click();
    await page.getByText('Your card was declined.').waitFor();
    await page.getByLabel('Card number').fill('4242 4242 4242 4242');
    await page.getByLabel('ABN').fill(ABN);
    await page.getByRole('button', { name: 'Subscribe' }).click();
    await page.getByText('The payment is received. The plan counts from now on.').waitFor();
    expect(page.url()).toBe(`${world.url}/account?done=paid`);
    expect(await page.locator('.plan-line').innerText()).toBe('Business A$99 a month');
    expect(await page.locator('#credits .balance').innerText()).toBe('299,998 of 300,000 left');
    await look();
  });
  await step({}, async () => {
    await leave(page.getByRole('button', { name: 'Invoices and payment details' }));
    expect(await invoicesOn(page)).toEqual([FIRST_INVOICE]);
    await page.getByRole('link', { name: 'Return' }).click();
    await page.getByRole('heading', { name: 'Your account' }).waitFor();
  });
}

const FIRST_INVOICE = `2026-09-21: A$32.59 with GST A$2.96, ABN ${ABN}, paid`;
const SECOND_INVOICE = `2026-10-01: A$99.00 with GST A$9.00, ABN ${ABN}, paid`;
const THIRD_INVOICE = `2026-11-01: A$99.00 with GST A$9.00, ABN ${ABN}`;

const FAILED =
  /Business plan, issued on 2026-11-01 at 00:00 UTC, is not paid\.[\s\S]*The plan goes on until 2026-12-01 at 00:00 UTC/;

const invoicesOn = (page: Page): Promise<string[]> => page.locator('li span').allInnerTexts();

async function getsTheSecondInvoice({ page, open, look, leave, step }: Traveller): Promise<void> {
  await step({ at: '2026-10-01T04:00:00Z' }, async () => {
    await open('/account');
    expect(await page.locator('#credits .balance').innerText()).toBe('300,000 of 300,000 left');
    await leave(page.getByRole('button', { name: 'Invoices and payment details' }));
    expect(await invoicesOn(page)).toEqual([SECOND_INVOICE, FIRST_INVOICE]);
    await page.getByRole('link', { name: 'Return' }).click();
    await page.getByRole('button', { name: 'Sign out', exact: true }).click();
    await page.getByText('You are signed out.').waitFor();
    await look();
  });
}

async function hasADeclinedCard({ page, world, open, look, leave, step }: Traveller): Promise<void> {
  const { stripe } = world;
  const [{ default_payment_method: card }] = stripe.world.all('subscription');
  stripe.world.declining.add(card);
  await step(
    { at: '2026-11-01T04:00:00Z', mails: [[EMAIL, 'A payment failed', FAILED]], problems: [UNPROCESSABLE] },
    async () => {
      await world.sendEvents();
      await open('/account');
      await page.getByLabel('Email', { exact: true }).fill(EMAIL);
      await page.getByLabel('Password').fill('wrong');
      await page.getByRole('button', { name: 'Sign in', exact: true }).click();
      expect(await page.getByRole('alert').innerText()).toBe('The email address or the password is wrong.');
      expect(await page.getByLabel('Email', { exact: true }).inputValue()).toBe(EMAIL);
      await page.getByLabel('Password').fill(PASSWORD);
      await page.getByRole('button', { name: 'Sign in', exact: true }).click();
      await page
        .getByText('The payment of 1 November 2026 failed. The plan ends on 1 December 2026 unless it is made.')
        .waitFor();
      await look();
    },
  );
  await step({ at: '2026-11-02T04:00:00Z' }, async () => {
    await leave(page.getByRole('button', { name: 'Pay or change the card' }));
    expect(await invoicesOn(page)).toEqual([`${THIRD_INVOICE}, open`, SECOND_INVOICE, FIRST_INVOICE]);
    await page.getByLabel('Card number').fill('4242 4242 4242 4242');
    await page.getByRole('button', { name: 'Save the card' }).click();
    await page.getByRole('button', { name: 'Pay A$99.00' }).click();
    await page.getByText(`${THIRD_INVOICE}, paid`).waitFor();
    // Stripe’s events come later.
    await page.getByRole('link', { name: 'Return' }).click();
    await page.getByRole('heading', { name: 'Your account' }).waitFor();
    expect(await page.locator('#plan').innerText()).not.toContain('failed');
    expect(await page.locator('.plan-line').innerText()).toBe('Business A$99 a month');
    await look();
  });
}

async function replacesTheKey({ page, call, look, becomes, step }: Traveller, first: string): Promise<string> {
  let second = '';
  await step(
    {
      at: '2026-11-03T04:00:00Z',
      mails: [[EMAIL, 'Your API key was replaced', /works until 2026-11-04 at 04:00 UTC/]],
    },
    async () => {
      await page.locator('summary', { hasText: 'Replace the key' }).click();
      await page.getByRole('button', { name: 'Replace the key' }).click();
      second = await shownKey(page);
      await page.getByText(/The key that was in use works until 4 November 2026, 04:00\sUTC\./).waitFor();
      await look();
      expect([await call(second), await call(first)]).toEqual([200, 200]);
    },
  );
  await step({ at: '2026-11-04T04:00:01Z' }, async () => {
    expect(await call(second)).toBe(200);
    await becomes(401, first);
  });
  return second;
}

async function findsARefusedCall(customer: Traveller, key: string): Promise<void> {
  const { page, world, open, look, becomes, step } = customer;
  const ADDRESSES = [EMAIL, 'The allowed addresses of a key were changed'] as const;
  const save = page.getByRole('button', { name: 'Save the addresses' });
  await step({ mails: [ADDRESSES], problems: [UNPROCESSABLE] }, async () => {
    await open('/account');
    await page.getByLabel('Addresses that may use the key').fill('here\n192.0.2.1');
    await save.click();
    expect(await page.locator('#allow-ip_whitelist-problem').innerText()).toContain("'here' is neither");
    await page.locator('#allow-ip_whitelist:focus').waitFor();
    await look();
    await page.getByLabel('Addresses that may use the key').fill('192.0.2.0/24');
    await save.click();
    await page.getByText('The allowed addresses are saved.').waitFor();
    await becomes(403, key);
  });
  await step({ at: '2026-11-04T04:10:00Z' }, async () => {
    const refused = await fetch(`${world.url}/v1/racing/events`, { headers: { 'X-API-Key': key } });
    const requestId = refused.headers.get('x-request-id')!;
    await page.getByRole('link', { name: 'The latest refused calls' }).click();
    await look();
    const found = page.locator('#calls li');
    // Refused calls are stored every few seconds.
    await waitFor(async () => {
      await page.getByLabel('Request id').fill(requestId);
      await page.getByRole('button', { name: 'Search' }).click();
      await page.getByRole('heading', { name: `Request ${requestId}` }).waitFor();
      return found.count();
    }, PATIENT_MS);
    expect(await found.allInnerTexts()).toEqual([
      expect.stringMatching(/^GET \/v1\/racing\/events · 403 .*does not include your address/s),
    ]);
    await look();
  });
  await step({ at: '2026-11-04T04:20:00Z', mails: [ADDRESSES] }, async () => {
    await open('/account');
    await page.getByLabel('Addresses that may use the key').fill('');
    await save.click();
    await page.getByText('The allowed addresses are saved.').waitFor();
    await becomes(200, key);
  });
}

async function exportsEverything({ page, look, step }: Traveller, keys: readonly string[]): Promise<void> {
  await step({}, async () => {
    await page.getByRole('link', { name: 'Export your data' }).click();
    await look();
    const arriving = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download the export' }).click();
    const text = readFileSync(await (await arriving).path(), 'utf8');
    const cookies = (await page.context().cookies()).map(({ value }) => value);
    const secrets = [...keys, ...cookies, PASSWORD, TEST_SECRET, '$argon2'];
    expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
    const all = JSON.parse(text);
    expect(all.account).toMatchObject({ email: EMAIL, plan: 'business', has_password: true });
    expect(all.subscription).toMatchObject({ plan: 'business', interval: 'month', unpaid_since: null });
    expect(all.months.map(({ period }: { period: string }) => period)).toEqual(['2026-09-01', '2026-11-01']);
    const sumOf = (lines: readonly { credits: number }[]) => lines.reduce((sum, { credits }) => sum + credits, 0);
    expect(sumOf(all.ledger)).toBe(all.months.reduce((sum: number, { used }: { used: number }) => sum + used, 0));
  });
}

async function closesTheAccount({ page, world, open, look, becomes, step }: Traveller, keys: readonly string[]) {
  await step({ at: '2026-11-04T05:00:00Z', mails: [[EMAIL, 'Your account is closed']] }, async () => {
    await open('/account/close');
    await page.getByText('The Business plan is paid until 1 December 2026. It ends at once').waitFor();
    await page.getByLabel('Email of this account').fill(EMAIL);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Close the account for good' }).click();
    await page.getByText('Your account is closed. A last message confirms it.').waitFor();
    await look();
    for (const key of keys) await becomes(401, key);
    await page.goto(`${world.url}/account`);
    expect(new URL(page.url()).pathname).toBe('/login');
  });
  // The pass of another process may be the one that ends it.
  const [subscription] = world.stripe.world.all('subscription');
  await waitFor(async () => subscription.status === 'canceled', PATIENT_MS);
  expect(world.stripe.world.all('invoice', ({ status }) => status === 'open')).toEqual([]);
  const refused = { mails: [[EMAIL, 'No account has this address']] as const, problems: [UNPROCESSABLE] };
  await step(refused, async () => {
    await page.getByLabel('Email', { exact: true }).fill(EMAIL);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    expect(await page.getByRole('alert').innerText()).toBe('The email address or the password is wrong.');
    await look();
    await page.getByRole('button', { name: 'Email me a sign-in link' }).click();
    await page.getByRole('heading', { name: 'Check your email' }).waitFor();
    await look();
  });
}

async function signsUpAgain(customer: Traveller): Promise<void> {
  const { page, open, call, step } = customer;
  const key = await opensAnAccount(customer, AGAIN);
  await step({}, async () => {
    await open('/account');
    expect(await page.locator('#credits .balance').innerText()).toBe('2,994 of 3,000 left');
    expect(await call(key)).toBe(200);
  });
}
