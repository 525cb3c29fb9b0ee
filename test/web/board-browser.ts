// A page of a real browser that records its errors and its layout shifts.
import type { Browser, Page } from 'playwright-core';
import { PATIENT_MS } from '../support/patient';

export interface WatchedPage {
  readonly page: Page;
  /** Console errors, script errors, refused loads, policy violations, headers that the browser does not know. */
  readonly problems: string[];
}

export async function watchedPage(
  browser: Browser,
  { width = 1280, height = 900, colorScheme = 'light' as 'light' | 'dark', timezoneId = 'Australia/Sydney' } = {},
): Promise<WatchedPage> {
  const page = await browser.newPage({ viewport: { width, height }, colorScheme, locale: 'en-AU', timezoneId });
  page.setDefaultTimeout(PATIENT_MS);
  const problems: string[] = [];
  page.on('console', (message) => {
    const text = message.text();
    if (message.type() === 'error' || /Permissions-Policy/.test(text)) problems.push(text);
  });
  page.on('pageerror', (error) => problems.push(error.message));
  await page.exposeFunction('violated', (what: string) => problems.push(what));
  await page.addInitScript(`
    document.addEventListener('securitypolicyviolation', (e) => window.violated(e.violatedDirective + ' ' + e.blockedURI));
    window.shift = 0;
    window.moved = [];
    // An entry arrives after its frame: shifts before this instant do not count.
    window.since = 0;
    const describe = ({ node, previousRect: a, currentRect: b }) =>
      (node?.outerHTML ?? node?.textContent ?? '').slice(0, 80) + ' ' + [a.x, a.y, b.x, b.y].map(Math.round);
    new PerformanceObserver((list) => {
      for (const e of list.getEntries().filter((one) => one.startTime >= window.since)) {
        window.shift += e.value;
        window.moved.push(...e.sources.map(describe));
      }
    }).observe({ type: 'layout-shift', buffered: true });
  `);
  return { page, problems };
}

/**
 * Call it before the page is opened: the page refreshes every half second instead of every 2.5. Only its timers run
 * faster, not its clock.
 */
export async function hurried(page: Page): Promise<void> {
  await page.addInitScript(`
    for (const name of ['setTimeout', 'setInterval']) {
      const real = window[name];
      window[name] = (work, ms, ...given) => real(work, ms >= 1000 ? ms / 5 : ms, ...given);
    }
  `);
}

/** Call it before the page is opened: the page never polls, because its long timers never run. */
export async function neverPolling(page: Page): Promise<void> {
  await page.addInitScript(`
    const real = window.setTimeout;
    window.setTimeout = (work, ms, ...given) => (ms >= 2000 ? 0 : real(work, ms, ...given));
  `);
}

/**
 * Opens the page and waits for its font. With `font-display: optional`, a font that arrives a tenth of a second late is
 * not used, and text is as wide as in the machine's own font.
 */
export async function visitInItsFont(page: Page, url: string): Promise<void> {
  await page.route('**/board.css*', async (route) => {
    const response = await route.fetch();
    const body = (await response.text()).replaceAll('font-display: optional', 'font-display: block');
    await route.fulfill({ response, body });
  });
  await page.goto(url);
  await page.evaluate('document.fonts.ready');
  expect(await page.evaluate('document.fonts.check(\'14px "Inter Board"\')')).toBe(true);
}

/** Counts layout shifts from here on: fonts are loaded, and earlier shifts have been reported. */
export async function moveFromNow(page: Page): Promise<void> {
  await page.evaluate('document.fonts.ready');
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
  await page.evaluate('window.since = performance.now(); window.shift = 0; window.moved = []');
}
