// Every rule of axe-core (WCAG 2.2 A and AA, best practices, target-size by name) on an open page, and whether it fits
// its window, and its tables a phone.
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { cutOnPhones } from './cut-cells';

// The browser's debugger evaluates it: the page's policy refuses foreign scripts.
const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
/** Without a selector for each element that violates nothing. */
const BRIEF = { resultTypes: ['violations'], selectors: false };
const WIDE = 'document.documentElement.scrollWidth > document.documentElement.clientWidth';

/** What a scheme can change: the colours of the stylesheet, for the same elements at the same positions. */
export const OF_COLOUR = { runOnly: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] } };

/** What a window can change for elements that are in each: the room around them, what scrolls, and the colours. */
export const OF_LAYOUT = {
  runOnly: { type: 'rule', values: [...OF_COLOUR.runOnly.values, 'target-size', 'scrollable-region-focusable'] },
};

/** WCAG 2.2's own rule, which is off unless it is named. */
const NAMED = { rules: { 'target-size': { enabled: true } } };

/** Each as its rule and the elements. `within`: a selector; default: the whole page. */
export async function violationsOf(page: Page, options: object = NAMED, within?: string): Promise<unknown[]> {
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(AXE);
  return page.evaluate(
    `axe.run(${within === undefined ? 'document' : JSON.stringify(within)}, ${JSON.stringify({ ...BRIEF, ...options })}).then(({ violations }) => violations.map((v) => [v.id, v.nodes.map((n) => n.html.slice(0, 160))]))`,
  );
}

/** Opens every fold of the page at once: a click waits until the page stands still. */
export const openFolds = (page: Page): Promise<unknown> =>
  page.evaluate("for (const fold of document.querySelectorAll('main details')) fold.open = true");

/** What a page without a fault has. */
export const FAULTLESS = [[], 'fits', []] as const;

type PageFaults = readonly [violations: unknown[], width: string, cutCells: readonly string[]];

/** Whether the page is wider than its window. */
export const isWide = (page: Page): Promise<boolean> => page.evaluate(WIDE);

export async function pageFaults(page: Page, options: object = NAMED): Promise<PageFaults> {
  const violations = await violationsOf(page, options);
  const [, width, cut] = await layoutFaults(page);
  return [violations, width, cut];
}

/** Without axe, for a page whose every kind of element it has judged. */
export const layoutFaults = async (page: Page): Promise<PageFaults> => [
  [],
  (await isWide(page)) ? 'wider than the window' : 'fits',
  (await cutOnPhones(page)).cut,
];

/** Without those of phones, for a page that is looked at in the window of a phone too. */
export async function windowFaults(page: Page, options: object = NAMED): Promise<PageFaults> {
  return [await violationsOf(page, options), (await isWide(page)) ? 'wider than the window' : 'fits', []];
}
