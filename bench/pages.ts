// `pages`: one page of each kind that a visitor can reach from `/`, opened cold in Chromium at three widths, light and
// dark: bytes and requests, the largest paint, shifts of layout, the longest task, whether anything is wider than the
// window, and the rules of axe-core that it breaks. It fails if a page exceeds a limit. The service polls on the same
// processors, which only adds to a time: a page that exceeds a limit of time is opened up to three times, and its least
// time counts. The reference is the page of the terms: text alone, from the same server in the same run.
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
const TIMES = ['paintMs', 'taskMs'] as const;
const TRIES = 3;
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
    over.push(...new Set(opened.flatMap(({ broken }) => broken.map((rule) => `${path}: ${rule}`))));
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
  for (const width of WIDTHS) for (const scheme of SCHEMES) opened.push(await openQuiet(browser, path, width, scheme));
  return opened;
}

async function openQuiet(
  browser: Browser,
  path: string,
  width: number,
  scheme: (typeof SCHEMES)[number],
): Promise<Opened> {
  const open = () => openCold(browser, values.url + path, { width, scheme, settleMs: Number(values.settle) });
  let least = await open();
  for (let again = 1; again < TRIES && TIMES.some((name) => least[name] > MOST[name]); again += 1) {
    const next = await open();
    least = {
      ...next,
      shift: Math.max(least.shift, next.shift),
      widerPx: Math.max(least.widerPx, next.widerPx),
      violations: Math.max(least.violations, next.violations),
      broken: [...least.broken, ...next.broken],
      paintMs: Math.min(least.paintMs, next.paintMs),
      taskMs: Math.min(least.taskMs, next.taskMs),
    };
  }
  return least;
}

main().catch((error: Error) => {
  console.error(error);
  process.exitCode = 1;
});
