// A customer with one browser on a phone, and what must be true after each step of the journey: every mail that the
// step causes has arrived once and no other, every balance is what the ledger adds up to, and no page complained.
import type { Browser, Locator, Page } from 'playwright-core';
import { FAULTLESS, layoutFaults, pageFaults } from '../../support/pages/axe';
import { PATIENT_MS } from '../../support/patient';
import { waitFor } from '../../support/servers/service';
import type { AccountWorld } from '../account-world';
import { watchedPage } from '../board-browser';

/** `text`: a part of it. */
type Mail = readonly [to: string, subject: string, text?: RegExp];

interface Step {
  /** When it begins; default: as the one before ended. */
  readonly at?: string;
  readonly mails?: readonly Mail[];
  /** What the browser reports of forms that are refused. */
  readonly problems?: readonly string[];
}

export interface Traveller {
  readonly world: AccountWorld;
  readonly page: Page;
  step(expected: Step, work: () => Promise<void>): Promise<void>;
  /** Judges the page that is open. */
  look(): Promise<void>;
  /** `path`: of the service. */
  open(path: string): Promise<void>;
  /** Presses a button that leads to a page of Stripe. */
  leave(button: Locator): Promise<void>;
  /** The status of a call, which costs credits. */
  call(key: string): Promise<number>;
  /** Of calls that cost nothing: a change of a key is announced to the API after it is committed. */
  becomes(status: number, key: string): Promise<void>;
}

/** A form that was not accepted. */
export const UNPROCESSABLE =
  'Failed to load resource: the server responded with a status of 422 (Unprocessable Entity)';

/** Of each element of the page: what rules and styles know it by. */
const KINDS = `[...document.body.querySelectorAll('*')].map((e) =>
  [e.tagName, e.className, e.parentElement.className, e.type, e.role, e.checkVisibility(),
    ...e.getAttributeNames().filter((name) => name.startsWith('aria-'))].join())`;

export async function createTraveller(browser: Browser, world: AccountWorld): Promise<Traveller> {
  const { page, problems } = await watchedPage(browser, { width: 390, height: 844 });
  const { mail, stores, stripe, url } = world;
  let read = 0;
  /** Kinds of elements that axe has judged. */
  const judged = new Set<string>();
  const look = async (): Promise<void> => {
    const { pathname } = new URL(page.url());
    const kinds = [pathname, ...(await page.evaluate<string[]>(KINDS))];
    const faults = kinds.every((kind) => judged.has(kind)) ? layoutFaults(page) : pageFaults(page);
    expect([pathname, ...(await faults)]).toEqual([pathname, ...FAULTLESS]);
    for (const kind of kinds) judged.add(kind);
  };
  const statusOf = async (key: string, path: string): Promise<number> =>
    (await fetch(url + path, { headers: { 'X-API-Key': key } })).status;
  return {
    ...{ world, page, look },
    call: (key) => statusOf(key, '/v1/racing/next-to-go?num_races=3'),
    async step({ at, mails = [], problems: expected = [] }, work) {
      if (at) world.passTo(at);
      await work();
      await world.sendEvents();
      await world.pass();
      await world.mailsSent();
      const arrived = mail.received.slice(read).map(({ to, subject, text }) => [to, subject, text]);
      read = mail.received.length;
      const ids = mail.received.map(({ messageId }) => messageId);
      expect(arrived).toEqual(mails.map(([to, subject, text = /./]) => [to, subject, expect.stringMatching(text)]));
      expect(new Set(ids).size).toBe(read);
      expect(ids.filter((id) => !/^<[\da-f-]{36}@racing-odds\.example>$/.test(id))).toEqual([]);
      expect(await stores.credits.audit()).toEqual([]);
      expect([problems.splice(0), world.logged.splice(0)]).toEqual([expected, []]);
    },
    async open(path) {
      await page.goto(url + path);
      await look();
    },
    async leave(button) {
      const onward = ({ pathname }: URL): boolean => /^\/(v1\/billing\/upgrade|p\/session\/\w+)$/.test(pathname);
      // The page goes on by itself: not before it was looked at.
      await page.route(onward, (route) => route.fulfill({ status: 204 }), { times: 1 });
      await button.click();
      await page.getByRole('heading', { name: 'Continue to payment' }).waitFor();
      await look();
      await page.getByRole('link', { name: 'Continue', exact: true }).click();
      await page.waitForURL(`${stripe.url}/**`);
    },
    async becomes(status, key) {
      await waitFor(async () => (await statusOf(key, '/v1/usage')) === status, PATIENT_MS);
    },
  };
}
