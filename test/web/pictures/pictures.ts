// The pictures of the README: which page each shows, what a reader who does not see it is given in its place, and the
// state of the page that is recorded beside it. A test compares that state with the page, so no picture shows a page
// that has changed since.
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { openBrowser } from '../../support/pages/browser';
import { PATIENT_MS } from '../../support/patient';
import { createBoardWorld } from '../board-world';
import { fillPictureDay, type PictureDay } from './picture-day';

const ROOT = join(__dirname, '../../..');
export const README = join(ROOT, 'README.md');
export const pictureFile = (name: string, type: 'png' | 'txt'): string =>
  join(ROOT, 'docs/pictures', `${name}.${type}`);

interface Picture {
  readonly name: string;
  readonly width: number;
  readonly height: number;
  readonly scale: number;
  readonly path: (day: PictureDay) => string;
  /** An expression of the browser. */
  readonly alt: string;
}

const count = (selector: string): string => `document.querySelectorAll('${selector}').length`;
const text = (selector: string): string =>
  `document.querySelector('${selector}').innerText.replace(/\\s+/g, ' ').trim()`;
const RACE = `${text('#sheet-title .venue')} + ' ' + ${text('#sheet-title .no')}`;

const PICTURES: readonly Picture[] = [
  {
    name: 'board',
    width: 1440,
    height: 1640,
    scale: 1,
    path: () => '/live',
    alt: `'The live board: ' + ${count('.strip li')} + ' races next to jump; ' + ${RACE} + ' with the win prices of ' + ${count('.of-win thead [data-bookmaker]')} + ' bookmakers, the best of each runner marked'`,
  },
  {
    name: 'board-phone',
    width: 390,
    height: 844,
    scale: 2,
    path: () => '/live',
    alt: `'The board on a phone: ' + ${RACE} + ' with the best price of each runner and its bookmaker'`,
  },
  {
    name: 'past-race',
    width: 1440,
    height: 1240,
    scale: 1,
    path: ({ past }) => `/race/${past}/past`,
    alt: `'A past race, ' + ${RACE} + ': its result with dividends, the last hour of a runner as a chart, and the close of each bookmaker'`,
  },
];

interface Shown {
  readonly name: string;
  readonly alt: string;
  /** What the page has for people and for screen readers, without what changes with the clock or at random. */
  readonly state: string;
  readonly png: Buffer;
}

/** Every picture, of pages of the real service on a fixed afternoon. */
export async function showPictures(): Promise<readonly Shown[]> {
  const [browser, world] = await Promise.all([openBrowser(), createBoardWorld({ still: true })]);
  try {
    const day = await fillPictureDay(world);
    const shown: Shown[] = [];
    for (const picture of PICTURES) shown.push(await show(browser, picture, `${world.url}${picture.path(day)}`));
    return shown;
  } finally {
    await browser.close();
    await world.close();
  }
}

async function show(browser: Browser, { name, width, height, scale, alt }: Picture, url: string): Promise<Shown> {
  const page = await browser.newPage({ viewport: { width, height }, deviceScaleFactor: scale, locale: 'en-AU' });
  page.setDefaultTimeout(PATIENT_MS);
  await page.goto(url);
  await page.evaluate('document.fonts.ready');
  if ((await page.locator('.plot').count()) > 0) await page.locator('.plot canvas').first().waitFor();
  const png = await page.screenshot();
  const described = String(await page.evaluate(alt));
  const state = await stateOf(page);
  await page.close();
  return { name, alt: described, state, png };
}

/** Ages, countdowns and clocks run on. */
const RUNNING = '[data-count], [data-age], [data-ago], #now, #link';

async function stateOf(page: Page): Promise<string> {
  await page.evaluate(`for (const one of document.querySelectorAll('${RUNNING}')) one.textContent = '…'`);
  const snapshot = await page.locator('body').ariaSnapshot();
  return snapshot.replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '…');
}

/** The recorded state of a picture: the hash shows that it was recorded with this picture. */
export const recordOf = (png: Buffer, state: string): string =>
  `picture ${createHash('sha256').update(png).digest('hex')}\n${state}\n`;

/** Alternative text of each picture in the README. */
export const ALT =
  /(!\[|<img src="docs\/pictures\/([\w-]+)\.png"[^>]* alt=")([^"\]]*)("|\]\(docs\/pictures\/([\w-]+)\.png\))/g;

export const altOf = (readme: string): ReadonlyMap<string, string> =>
  new Map([...readme.matchAll(ALT)].map(([, , first, alt = '', , second]) => [(first ?? second)!, alt]));
