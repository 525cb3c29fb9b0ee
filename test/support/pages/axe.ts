// Every rule of axe-core (WCAG 2.2 A and AA, best practices) on an open page, and whether it fits its window.
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';

// The browser's debugger evaluates it: the page's policy refuses foreign scripts.
const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
/** Without a selector for each element that violates nothing. */
const BRIEF = { resultTypes: ['violations'], selectors: false };
const WIDE = 'document.documentElement.scrollWidth > document.documentElement.clientWidth';

/** Each as its rule and the elements. */
export async function violationsOf(page: Page, options: object = {}): Promise<unknown> {
  await page.evaluate(AXE);
  return page.evaluate(
    `axe.run(document, ${JSON.stringify({ ...BRIEF, ...options })}).then(({ violations }) => violations.map((v) => [v.id, v.nodes.map((n) => n.html.slice(0, 160))]))`,
  );
}

/** What a page without a fault has. */
export const FAULTLESS = [[], 'fits'] as const;

export async function pageFaults(page: Page): Promise<readonly [violations: unknown, width: string]> {
  const violations = await violationsOf(page);
  return [violations, (await page.evaluate(WIDE)) ? 'wider than the window' : 'fits'];
}
