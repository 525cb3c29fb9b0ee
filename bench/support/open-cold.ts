// A page in a browser that has nothing in its cache, and what it cost.
import type { Browser, CDPSession } from 'playwright-core';

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
  /** The longest task of the page's thread, in its processor time: others on the machine do not lengthen it. */
  readonly taskMs: number;
  /** By how much the page is wider than the window. */
  readonly widerPx: number;
}

const HEIGHT = 900;

export async function openCold(
  browser: Browser,
  url: string,
  { width, scheme, settleMs }: ColdOptions,
): Promise<Opened> {
  const endTrace = await traceTasks(await browser.newBrowserCDPSession());
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
    window.costs = { paintMs: 0, shift: 0 };
    const observe = (type, work) =>
      new PerformanceObserver((list) => list.getEntries().forEach(work)).observe({ type, buffered: true });
    observe('largest-contentful-paint', ({ startTime }) => { costs.paintMs = startTime; });
    observe('layout-shift', ({ value, hadRecentInput }) => { if (!hadRecentInput) costs.shift += value; });
  `);
  await page.goto(url, { waitUntil: 'load' });
  const kilobytes = bytes / 1000;
  const loaded = requests;
  await page.waitForTimeout(settleMs);
  const costs = (await page.evaluate(
    '({ ...costs, widerPx: Math.max(0, document.documentElement.scrollWidth - innerWidth) })',
  )) as Omit<Opened, 'kilobytes' | 'requests' | 'taskMs'>;
  const taskMs = await endTrace();
  await context.close();
  return { kilobytes, requests: loaded, taskMs, ...costs };
}

/** As Chromium's trace has it, in microseconds. */
interface TraceEvent {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  /** Processor time of the thread. */
  readonly tdur?: number;
  readonly args?: { readonly name?: string };
}

/** Begins a trace; its end resolves to the longest task, in milliseconds, of any thread that runs a page. */
async function traceTasks(session: CDPSession): Promise<() => Promise<number>> {
  const events: TraceEvent[] = [];
  session.on('Tracing.dataCollected', ({ value }) => events.push(...(value as unknown as TraceEvent[])));
  await session.send('Tracing.start', {
    traceConfig: { includedCategories: ['toplevel'] },
    transferMode: 'ReportEvents',
  });
  return async () => {
    const complete = new Promise((done) => session.once('Tracing.tracingComplete', done));
    await session.send('Tracing.end');
    await complete;
    await session.detach();
    const threadOf = ({ pid, tid }: TraceEvent): string => `${pid}/${tid}`;
    const isPage = ({ name, args }: TraceEvent): boolean => name === 'thread_name' && args?.name === 'CrRendererMain';
    const pages = new Set(events.filter(isPage).map(threadOf));
    const tasks = events.filter((one) => one.name.endsWith('RunTask') && pages.has(threadOf(one)));
    if (tasks.length === 0) throw new Error('The trace has no task of a page.');
    return Math.max(...tasks.map(({ tdur = 0 }) => tdur)) / 1000;
  };
}
