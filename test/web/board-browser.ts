// A page of a real browser that remembers everything that went wrong in it, and what moved.
import type { Browser, Page } from 'playwright-core';
import { PATIENT_MS } from '../support/patient';

export interface WatchedPage {
  readonly page: Page;
  /** Console errors, script errors, refused loads, policy violations. */
  readonly troubles: string[];
}

export async function watchedPage(
  browser: Browser,
  { width = 1280, height = 900, colorScheme = 'light' as 'light' | 'dark' } = {},
): Promise<WatchedPage> {
  const page = await browser.newPage({ viewport: { width, height }, colorScheme, locale: 'en-AU' });
  page.setDefaultTimeout(PATIENT_MS);
  const troubles: string[] = [];
  page.on('console', (message) => message.type() === 'error' && troubles.push(message.text()));
  page.on('pageerror', (error) => troubles.push(error.message));
  await page.exposeFunction('violated', (what: string) => troubles.push(what));
  await page.addInitScript(`
    document.addEventListener('securitypolicyviolation', (e) => window.violated(e.violatedDirective + ' ' + e.blockedURI));
    window.shift = 0;
    window.moved = [];
    // An entry is told after its frame: what moved before this instant does not count.
    window.since = 0;
    const told = ({ node, previousRect: a, currentRect: b }) =>
      (node?.outerHTML ?? node?.textContent ?? '').slice(0, 80) + ' ' + [a.x, a.y, b.x, b.y].map(Math.round);
    new PerformanceObserver((list) => {
      for (const e of list.getEntries().filter((one) => one.startTime >= window.since)) {
        window.shift += e.value;
        window.moved.push(...e.sources.map(told));
      }
    }).observe({ type: 'layout-shift', buffered: true });
  `);
  return { page, troubles };
}

/**
 * For a page that is still to come: it refreshes every half second, not every 2.5. Only its timers are hurried; what it shows keeps the time of
 * its clock.
 */
export async function hurried(page: Page): Promise<void> {
  await page.addInitScript(`
    for (const name of ['setTimeout', 'setInterval']) {
      const real = window[name];
      window[name] = (work, ms, ...given) => real(work, ms >= 1000 ? ms / 5 : ms, ...given);
    }
  `);
}

/**
 * Goes there, and shows the page in its own font. A page does without one that comes a tenth of a second late (`font-display: optional`), and
 * its letters are then as wide as the machine's own are.
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

/** From here on what moves is counted: the page has its fonts, and what moved before has had its frames. */
export async function moveFromNow(page: Page): Promise<void> {
  await page.evaluate('document.fonts.ready');
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
  await page.evaluate('window.since = performance.now(); window.shift = 0; window.moved = []');
}
