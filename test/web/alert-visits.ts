// What a visitor lives through with price alerts, in a browser and over the real service: without a script by mail, and
// with one by notifications.
import { randomBytes, randomUUID } from 'node:crypto';
import type { Browser, BrowserContext, Page, Request, Response } from 'playwright-core';
import { mailReachedAlerts } from '../../src/accounts/alerts/pass';
import { mintToken } from '../../src/accounts/token';
import { sessionCookie } from '../../src/api/kernel/session/session';
import { REAL_TIME } from '../../src/domain/time/clock';
import { PATIENT_MS } from '../support/patient';
import { feedField } from '../support/races/builders';
import { storeRace } from '../support/races/stored-race';
import { waitFor } from '../support/servers/service';
import type { AccountWorld } from './account-world';
import { hurried } from './board-browser';

interface Visit {
  readonly browser: Browser;
  readonly world: AccountWorld;
}

async function pricedRace({ db, stripe, url }: AccountWorld, raceNumber: number) {
  const startTime = new Date(stripe.world.nowMs + 20 * 60_000).toISOString();
  const race = await storeRace(db, { startTime, meetingDate: startTime.slice(0, 10), raceNumber }, ['tab']);
  const poll = (secondsAgo: number, ...wins: number[]) => race.poll(1200 + secondsAgo, { runners: feedField(...wins) });
  await poll(100, 3, 4);
  return {
    poll,
    raceId: race.raceId,
    /** From its page to the form of its alert. */
    async order(page: Page): Promise<void> {
      await page.goto(`${url}/race/${race.raceId}`);
      await page.getByRole('link', { name: 'Alert me when a runner pays at least a price' }).click();
    },
  };
}

async function signUp(page: Page, world: AccountWorld, email: string): Promise<void> {
  await page.goto(`${world.url}/signup`);
  await page.getByLabel('Email', { exact: true }).fill(email);
  await page.getByLabel('I accept').check();
  await page.getByRole('button', { name: 'Send me the link' }).click();
  await page.goto(world.url + (await world.link(email)));
  await page.getByRole('button', { name: 'Show my key' }).click();
}

/** Signs the browser in to a new account: a network may sign up for few in a day. */
async function signIn(context: BrowserContext, { db, stripe, url }: AccountWorld, email: string): Promise<void> {
  const accountId = randomUUID();
  const { token, hash } = mintToken(randomBytes);
  const at = new Date(stripe.world.nowMs).toISOString();
  await db.pool.query(`INSERT INTO accounts (account_id, plan, created_at) VALUES ($1, 'free', $2)`, [accountId, at]);
  await db.pool.query(
    'INSERT INTO account_owners (account_id, email, email_key, verified_at, terms_accepted_at) VALUES ($1, $2, $2, $3, $3)',
    [accountId, email, at],
  );
  await db.pool.query(
    `INSERT INTO sessions (token_hash, account_id, created_at, expires_at) VALUES ($1, $2, $3, $3::timestamptz + interval '1 day')`,
    [hash, accountId, at],
  );
  await context.addCookies([{ name: sessionCookie(url), value: token, url }]);
}

async function make(page: Page, runner: string, price: string): Promise<void> {
  await page.getByLabel('Runner', { exact: true }).selectOption(runner);
  await page.getByRole('textbox', { name: 'At least' }).fill(price);
  await page.getByRole('button', { name: 'Make the alert' }).click();
}

/** The mail that an account gets of a price. */
async function mailOf({ mail }: AccountWorld, email: string, subject: string) {
  const find = () => mail.received.find((one) => one.subject === subject && one.to === email);
  expect(await waitFor(async () => find() !== undefined, PATIENT_MS)).toBe(true);
  return find()!;
}

const MAILED = '2 Runner 2: 9.50 to win at TAB';

export async function alertByMail({ browser, world }: Visit): Promise<void> {
  const email = 'punter@example.com';
  const race = await pricedRace(world, 1);
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await race.order(page);
  await page.locator('main').getByRole('link', { name: 'Sign up' }).click();
  await signUp(page, world, email);
  await race.order(page);
  for (const price of ['four', '9']) await make(page, '2 Runner 2 (win 4.00, place –)', price);
  await page.getByText('The alert is made.').waitFor();
  await page.getByText('1 of 50').waitFor();
  await race.poll(1, 3, 9.5);
  const mail = await mailOf(world, email, MAILED);
  await page.reload();
  await page.getByText('9.50 at TAB, read at').waitFor();
  const stop = world.url + /\/alerts\/stop\?token=\S+/.exec(mail.text)![0];
  expect(mail.unsubscribe).toBe(`<${stop}>`);
  await page.goto(stop);
  await page.getByRole('button', { name: 'Stop these mails' }).click();
  await page.getByRole('heading', { name: 'These mails are stopped' }).waitFor();
  await page.getByRole('link', { name: 'Switch them on again' }).click();
  const choice = page.getByLabel('Send a message when the price of an alert is there');
  expect(await choice.isChecked()).toBe(false);
  await choice.check();
  await page.locator('form[action="/account/alerts/mails"]').getByRole('button').click();
  await page.getByText('Your choice of mails is saved.').waitFor();
  await page.getByRole('button', { name: 'Stop the mails' }).click();
  await page.getByText('Not by mail').waitFor();
  await context.close();
}

/** Notifications of every tab of a browser: title, tag, and the path of the page that showed it. */
async function watched(context: BrowserContext): Promise<string[][]> {
  const rung: string[][] = [];
  await context.exposeFunction('rang', (...one: string[]) => void rung.push(one));
  await context.addInitScript(`
    window.Notification = class extends EventTarget {
      static permission = localStorage.getItem('test.permission') ?? 'default';
      static async requestPermission() {
        localStorage.setItem('test.permission', 'granted');
        return (window.Notification.permission = 'granted');
      }
      constructor(title, { tag }) { super(); window.rang(title, tag, location.pathname); }
    };
  `);
  return rung;
}

const NEXT_READ = 'odds.alert-read';

/** The tabs read twice more: what the first answer shows is shown before the second one is read. */
async function readTwice(tab: Page): Promise<void> {
  for (let read = 0; read < 2; read++) {
    const [begun, answers] = [new Set<Request>(), [] as number[]];
    const begin = (one: Request) => void begun.add(one);
    const note = (one: Response): void => {
      if (one.url().endsWith('/account/alerts/news') && begun.has(one.request())) answers.push(one.status());
    };
    tab.context().on('request', begin).on('response', note);
    // A tab that is about to keep its next instant would keep it over what is removed.
    const hasAnswer = async () => {
      await tab.evaluate(`localStorage.removeItem('${NEXT_READ}')`);
      return answers.length > 0;
    };
    expect(await waitFor(hasAnswer, PATIENT_MS)).toBe(true);
    tab.context().off('request', begin).off('response', note);
    expect([200, 304]).toContain(answers[0]);
  }
}

/** What each API process does every five seconds. */
async function reach({ stores, url, stripe }: AccountWorld): Promise<void> {
  const now = () => stripe.world.nowMs;
  const { failures } = await mailReachedAlerts({
    ...{ store: stores.reachedAlerts, linkSecret: stores.billedAccounts.linkSecret, baseUrl: url, clock: REAL_TIME },
    ...{ now, wallMs: now, mailWritten: () => {}, log: console },
  });
  expect(failures).toEqual([]);
}

export async function alertsAsNotifications({ browser, world }: Visit): Promise<void> {
  const race = await pricedRace(world, 2);
  const context = await browser.newContext();
  context.setDefaultTimeout(PATIENT_MS);
  const rung = await watched(context);
  const open = async (path: string) => {
    const tab = await context.newPage();
    await hurried(tab);
    await tab.goto(world.url + path);
    return tab;
  };
  await signIn(context, world, 'notified@example.com');
  const first = await open('/');
  await race.order(first);
  await make(first, '1 Runner 1 (win 3.00, place –)', '2');
  await reach(world);
  await race.order(first);
  await make(first, '2 Runner 2 (win 4.00, place –)', '9');
  const button = first.getByRole('button', { name: 'Notify me in this browser' });
  expect([rung, await button.getAttribute('aria-pressed')]).toEqual([[], 'false']);
  // The permission is requested in the click, whatever another tab does meanwhile.
  await first.evaluate(
    `void navigator.locks.request('odds.alerts', () => new Promise((free) => (window.free = free)))`,
  );
  await button.click();
  await first.waitForFunction(`localStorage.getItem('test.permission') === 'granted'`);
  await first.evaluate('window.free()');
  await first.getByText('On in this browser').waitFor();
  expect(await button.getAttribute('aria-pressed')).toBe('true');

  const tabs = [first, await open('/live'), await open(`/race/${race.raceId}`), await open('/docs')];
  await race.poll(50, 3, 9.5);
  await reach(world);
  await readTwice(first);
  for (const tab of tabs) await tab.reload();
  await readTwice(tabs[3]!);
  // What was there before the click is not shown, and no tab shows again what one has shown.
  expect(rung.map(([title]) => title)).toEqual(['Price alerts', MAILED]);

  rung.length = 0;
  await anotherAtTheBrowser({ world, race, tabs, rung });
  await context.close();
}

interface Shared {
  readonly world: AccountWorld;
  readonly race: Awaited<ReturnType<typeof pricedRace>>;
  readonly tabs: readonly Page[];
  readonly rung: string[][];
}

/** The choice of one account shows nothing of another, also in tabs that the first one left open. */
async function anotherAtTheBrowser({ world, race, tabs, rung }: Shared): Promise<void> {
  const page = tabs[0]!;
  await page.goto(`${world.url}/account`);
  await page.getByRole('button', { name: 'Sign out', exact: true }).click();
  await readTwice(tabs[1]!);
  await signIn(page.context(), world, 'another@example.com');
  await race.order(page);
  await make(page, '2 Runner 2 (win 9.50, place –)', '9');
  await page.getByText('Off in this browser').waitFor();
  await reach(world);
  await readTwice(page);
  expect(rung).toEqual([]);

  await page.getByRole('button', { name: 'Notify me in this browser' }).click();
  await page.getByText('On in this browser').waitFor();
  await race.order(page);
  await make(page, '1 Runner 1 (win 3.00, place –)', '12');
  await race.poll(40, 12.5, 9.5);
  await reach(world);
  await readTwice(page);
  expect(rung.map(([title]) => title)).toEqual(['Price alerts', '1 Runner 1: 12.50 to win at TAB']);

  // The price of one more is there, and the race jumps before a tab reads it: none reads without the lock.
  await race.order(page);
  await make(page, '1 Runner 1 (win 12.50, place –)', '14');
  await page.evaluate(`new Promise((taken) => {
    navigator.locks.request('odds.alerts', () => new Promise((free) => taken((window.free = free))));
  }).then(() => undefined)`);
  await race.poll(30, 15, 9.5);
  await reach(world);
  await world.db.pool.query('UPDATE races SET jumped_at = $2 WHERE race_id = $1', [
    race.raceId,
    new Date(world.stripe.world.nowMs - 1000).toISOString(),
  ]);
  await page.evaluate('window.free()');
  await readTwice(page);
  expect(rung.length).toBe(2);
}
