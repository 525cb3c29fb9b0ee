// `pages`: one page of each kind that a visitor can reach from `/`, opened cold in Chromium at three widths, light and
// dark: bytes and requests, the largest paint, shifts of layout, the longest task, whether anything is wider than the
// window, and the rules of axe-core that it breaks. It fails if a page exceeds a limit. The reference is the page of
// the terms: text alone, from the same server in the same run.
// Run: node --import tsx bench/pages.ts [--url http://127.0.0.1:3000] [--settle 1500] [--only /live …]
import { parseArgs } from 'node:util';
import type { Browser } from 'playwright-core';
import { openBrowser } from '../test/support/pages/browser';
import { median } from './support/figures';
import { type Opened, openCold } from './support/open-cold';
import { kindsOfPages } from './support/page-kinds';

const { values } = parseArgs({
  options: {
    url: { type: 'string', default: 'http://127.0.0.1:3000' },
    settle: { type: 'string', default: '1500' },
    only: { type: 'string', multiple: true },
  },
});

const WIDTHS = [390, 820, 1440];
const SCHEMES = ['light', 'dark'] as const;
const REFERENCE = '/terms';
/** Swagger UI, a page of others. */
const FOREIGN = '/docs/try';
/** What no page may exceed on a quiet machine. */
const MOST = { kilobytes: 200, paintMs: 1500, shift: 0.02, taskMs: 100, widerPx: 0, violations: 0 } as const;
type Figure = keyof typeof MOST;
const FIGURES = Object.keys(MOST) as Figure[];

async function main(): Promise<void> {
  const paths = [REFERENCE, ...(values.only ?? (await kindsOfPages(values.url)).filter(isOwn))];
  const browser = await openBrowser();
  await openCold(browser, values.url + REFERENCE, { width: 820, scheme: 'light', settleMs: 0 });
  let reference = 0;
  const over: string[] = [];
  for (const path of paths) {
    const opened = await openEach(browser, path);
    const paintMs = median(opened.map((one) => one.paintMs));
    if (path === REFERENCE) reference = paintMs;
    const worst = Object.fromEntries(FIGURES.map((name) => [name, Math.max(...opened.map((one) => one[name]))]));
    over.push(...FIGURES.filter((name) => worst[name]! > MOST[name]).map((name) => `${path}: ${name} ${worst[name]}`));
    console.log(
      [
        path,
        `${worst.kilobytes!.toFixed(0)} kB in ${Math.max(...opened.map(({ requests }) => requests))} requests`,
        `paint ${paintMs.toFixed(0)} ms (at most ${worst.paintMs!.toFixed(0)}; ${(paintMs / (reference || paintMs)).toFixed(2)} of ${REFERENCE})`,
        `shift ${worst.shift!.toFixed(4)}`,
        `longest task ${worst.taskMs!.toFixed(0)} ms`,
        `wider by ${worst.widerPx} px`,
        `axe: ${worst.violations} rules broken`,
      ].join(' | '),
    );
  }
  await browser.close();
  console.log(over.length === 0 ? 'Every page is within its limits.' : `Over the limits:\n${over.join('\n')}`);
  process.exitCode = over.length === 0 ? 0 : 1;
}

const isOwn = (path: string): boolean => path !== REFERENCE && path !== FOREIGN;

async function openEach(browser: Browser, path: string): Promise<readonly Opened[]> {
  const opened: Opened[] = [];
  for (const width of WIDTHS)
    for (const scheme of SCHEMES)
      opened.push(await openCold(browser, values.url + path, { width, scheme, settleMs: Number(values.settle) }));
  return opened;
}

main().catch((error: Error) => {
  console.error(error);
  process.exitCode = 1;
});
