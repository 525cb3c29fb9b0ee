// A page in a browser that has nothing in its cache, and what it cost.
import type { Browser } from 'playwright-core';
import { violationsOf } from '../../test/support/pages/axe';

interface ColdOptions {
  /** In CSS pixels. */
  readonly width: number;
  readonly scheme: 'light' | 'dark';
  /** After the load, so that late shifts and the first refresh count. */
  readonly settleMs: number;
}

export interface Opened {
  /** Of bodies and headers, as they crossed the network. */
  readonly kilobytes: number;
  readonly requests: number;
  /** The largest contentful paint, from the start of the navigation. */
  readonly paintMs: number;
  /** Cumulative layout shift. */
  readonly shift: number;
  readonly taskMs: number;
  /** By how much the page is wider than the window. */
  readonly widerPx: number;
  /** Rules of axe-core (WCAG 2.2 A and AA, best practices, target size) that the page breaks. */
  readonly violations: number;
  /** The same, each as its rule and the elements. */
  readonly broken: readonly string[];
}

const HEIGHT = 900;

export async function openCold(
  browser: Browser,
  url: string,
  { width, scheme, settleMs }: ColdOptions,
): Promise<Opened> {
  const context = await browser.newContext({ viewport: { width, height: HEIGHT }, colorScheme: scheme });
  const page = await context.newPage();
  const network = await context.newCDPSession(page);
  await network.send('Network.enable');
  let bytes = 0;
  let requests = 0;
  network.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength;
    requests += 1;
  });
  await page.addInitScript(`
    window.costs = { paintMs: 0, shift: 0, taskMs: 0 };
    const observe = (type, work) =>
      new PerformanceObserver((list) => list.getEntries().forEach(work)).observe({ type, buffered: true });
    observe('largest-contentful-paint', ({ startTime }) => { costs.paintMs = startTime; });
    observe('layout-shift', ({ value, hadRecentInput }) => { if (!hadRecentInput) costs.shift += value; });
    observe('longtask', ({ duration }) => { costs.taskMs = Math.max(costs.taskMs, duration); });
  `);
  await page.goto(url, { waitUntil: 'load' });
  const kilobytes = bytes / 1000;
  const loaded = requests;
  await page.waitForTimeout(settleMs);
  const costs = (await page.evaluate(
    '({ ...costs, widerPx: Math.max(0, document.documentElement.scrollWidth - innerWidth) })',
  )) as Omit<Opened, 'kilobytes' | 'requests' | 'violations' | 'broken'>;
  const broken = (await violationsOf(page)).map((one) => JSON.stringify(one));
  await context.close();
  return { kilobytes, requests: loaded, ...costs, violations: broken.length, broken };
}
