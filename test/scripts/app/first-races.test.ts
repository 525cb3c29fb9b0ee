// When the start reports that it is ready: only once a price is fresh, and until then it reports what it waits for.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Since {
  readonly ended: Promise<unknown>;
  readonly newestPollMs: number;
  onLong(why: string): void;
}
type Wait = (ctx: object, status: object, since: Since, times: object) => Promise<void>;
const { freshPrices } = require('../../../scripts/app/first-races.mjs') as { freshPrices: Wait };
const { buildPast } = require('../../../scripts/app/past.mjs') as {
  buildPast(ctx: object, operate: (name: string) => Promise<unknown>): Promise<void>;
};
const { outcomeOf } = require('../../../scripts/command/outcome.mjs') as { outcomeOf(line: string): unknown };
const { createProgress } = require('../../../scripts/command/progress.mjs') as {
  createProgress(write: (line: string) => void): object;
};
const { Problem } = require('../../../scripts/command/problem.mjs') as { Problem: new (sentence: string) => Error };

const { signal } = new AbortController();
let lines: string[];
let ctx: object;
beforeEach(() => {
  lines = [];
  const screen = (line: string): void => {
    // How long it takes depends on the machine.
    if (!line.startsWith('  …')) lines.push(line.replace(/ \([\d.]+ s\)/, ''));
  };
  ctx = { signal, progress: createProgress(screen) };
});

const RUNS = new Promise(() => undefined);
/** The newest poll of a kept database. */
const KEPT_MS = Date.parse('2026-11-24T02:00:01.000Z');
const AT_ONCE = { patienceMs: 0, againMs: 1, remindMs: 600_000 };
const priced = (second: number, stale: boolean, bookmaker = 'book_0') => {
  const quote = { key: bookmaker, win_price: 3, stale, last_update: `2026-11-24T02:00:0${second}.000Z` };
  return JSON.stringify([{ runners: [{ bookmakers: [] }, { bookmakers: [quote] }] }]);
};
const lists = (...failing: number[]) =>
  failing.map((count, i) => `racing_lists_failing{book="book_${i}"} ${count} 1795485600000`).join('\n');

/** Each response of the API once, the last one from then on. `/metrics` is the worker's. */
async function serving(
  answers: readonly (readonly [number, string])[],
  metrics: string,
  work: (url: string) => Promise<void>,
) {
  const left = [...answers];
  const server: Server = createServer((request, response) => {
    const [status, text] = request.url === '/metrics' ? [200, metrics] : left.length > 1 ? left.shift()! : left[0]!;
    response.writeHead(status).end(text);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    await work(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

const wait = (url: string, ended: Promise<unknown> = RUNS) => {
  const onLong = (why: string): void => void lines.push(`long: ${why}`);
  const status = { api_url: url, worker_url: url, internal_key: 'key' };
  return freshPrices(ctx, status, { ended, newestPollMs: KEPT_MS, onLong }, AT_ONCE);
};

test('it waits, and reports for what, until a price is fresh', async () => {
  const answers = [
    [503, ''],
    [200, '[]'],
    [200, priced(1, true)],
    [200, priced(2, false)],
  ] as const;
  await serving(answers, lists(2, 0, 0), async (url) => {
    await wait(url);
    expect(lines).toEqual([
      'long: the API answers 503',
      '  Not ready: no race of the next hours has a price; the lists of 1 of 3 books fail.',
      '  Not ready: no price of the next races is fresh and newer than the start; the lists of 1 of 3 books fail.',
      '  ✓ Fresh prices are served',
    ]);
  });
});

test('prices of a kept database do not count for this start', async () => {
  const answers = [
    [200, priced(1, false)],
    [200, priced(1, false)],
    [200, priced(2, false)],
  ] as const;
  await serving(answers, lists(0), async (url) => {
    await wait(url);
    expect(lines).toEqual([
      'long: no price of the next races is fresh and newer than the start',
      '  ✓ Fresh prices are served',
    ]);
  });
});

test.each([
  [
    'of which no list was ever read',
    '',
    'book_0',
    'no price of the next races is fresh and newer than the start; no list of races has been read yet',
  ],
  [
    'of which only pushed prices are fresh',
    lists(0, 0),
    'betgold',
    'no price of the next races is fresh and newer than the start',
  ],
  ['of which most lists fail', lists(0, 1, 4), 'book_0', 'prices are fresh; the lists of 2 of 3 books fail'],
])('a service %s is not ready', async (_what, metrics, book, why) => {
  const { promise: ended, reject: end } = Promise.withResolvers<never>();
  const answers = [
    [200, '[]'],
    [200, priced(2, false, book)],
  ] as const;
  await serving(answers, metrics, async (url) => {
    const waiting = wait(url, ended);
    waiting.catch(() => undefined);
    const noted = async (): Promise<void> => {
      while (!lines.some((line) => line.includes(`Not ready: ${why}.`) || line.includes('✓')))
        await new Promise(setImmediate);
    };
    await noted();
    end(new Problem('The worker ended (stopped)'));
    await expect(waiting).rejects.toThrow('The worker ended (stopped)');
  });
});

test('it waits no longer than its processes live', async () => {
  const dead = Promise.reject(new Problem('The worker ended (exit code 1): no database (log: worker.log)'));
  await serving([[200, '[]']], '', async (url) => {
    await expect(wait(url, dead)).rejects.toThrow('The worker ended (exit code 1): no database (log: worker.log)');
  });
  expect(lines.join()).not.toContain('✓');
});

test('the past has its check mark only if this start has built it', async () => {
  const days = (line: string) =>
    buildPast(ctx, async (name) => outcomeOf(name === 'past-days' ? line : 'kept: all there'));
  await days('7 races of 1 days archived, 900 polls, 400 ticks');
  await days('kept: the past days have their races');
  await days('note: not all races of 2026-11-23 are in the archive');
  const failing = async (): Promise<never> => {
    throw new Problem('src/ops/main.ts past-days failed: Lists could not be read: tab of 2026-11-23 (timeout).');
  };
  await buildPast(ctx, failing);
  expect(lines.filter((line) => line.includes('Three past days'))).toEqual([
    '  ✓ Three past days are archived',
    '  – Three past days are archived: kept, the past days have their races',
    '  ✗ Three past days are archived: not so. Not all races of 2026-11-23 are in the archive.',
    '  ✗ Three past days are archived: not so. src/ops/main.ts past-days failed: Lists could not be read: tab of 2026-11-23 (timeout).',
  ]);
});
