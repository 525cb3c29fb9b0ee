// The start's last word: ready only when a price is fresh, and until then what it waits for.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

type Wait = (
  ctx: object,
  status: object,
  running: readonly object[],
  onLong: (why: string) => void,
  times: object,
) => Promise<void>;
const { freshPrices } = require('../../../scripts/app/first-races.mjs') as { freshPrices: Wait };
const { fillPast } = require('../../../scripts/app/past.mjs') as {
  fillPast(ctx: object, operate: (name: string) => Promise<string>): Promise<void>;
};
const { createProgress } = require('../../../scripts/command/progress.mjs') as {
  createProgress(write: (line: string) => void): object;
};
const { Problem } = require('../../../scripts/command/problem.mjs') as { Problem: new (sentence: string) => Error };

const { signal } = new AbortController();
let lines: string[];
let ctx: object;
beforeEach(() => {
  lines = [];
  ctx = { signal, progress: createProgress((line) => lines.push(line.replace(/ \([\d.]+ s\)/, ''))) };
});

const runs = { name: 'worker', ended: new Promise(() => undefined), reason: () => '', log: 'worker.log' };
const AT_ONCE = { patienceMs: 0, againMs: 1, remindMs: 600_000 };
const priced = (second: number, stale: boolean, bookmaker = 'book_0') => {
  const best = { price: 3, bookmaker, stale, last_update: `2026-11-24T02:00:0${second}.000Z` };
  return JSON.stringify([{ runners: [{ best_win: null }, { best_win: best }] }]);
};
const lists = (...failing: number[]) =>
  failing.map((count, i) => `racing_lists_failing{book="book_${i}"} ${count} 1795485600000`).join('\n');

/** Every answer of the API once, the last for ever. `/metrics` is the worker's. */
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

const wait = (url: string, running: readonly object[] = [runs]) =>
  freshPrices(
    ctx,
    { api_url: url, worker_url: url, internal_key: 'key' },
    running,
    (why) => lines.push(`long: ${why}`),
    AT_ONCE,
  );

test('it waits on, and states for what, until a price is fresh', async () => {
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

test('prices that were stored before the worker ran are not the worker’s', async () => {
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
  let end = (): void => undefined;
  const ended = new Promise<string>((resolve) => {
    end = () => resolve('stopped');
  });
  const answers = [
    [200, '[]'],
    [200, priced(1, false, book)],
  ] as const;
  await serving(answers, metrics, async (url) => {
    const waiting = wait(url, [{ ...runs, ended }]);
    waiting.catch(() => undefined);
    const noted = async (): Promise<void> => {
      while (!lines.some((line) => line.includes(`Not ready: ${why}.`) || line.includes('✓')))
        await new Promise(setImmediate);
    };
    await noted();
    end();
    await expect(waiting).rejects.toThrow('The worker ended (stopped)');
  });
});

test('it waits no longer than its processes live', async () => {
  const dead = { ...runs, ended: Promise.resolve('exit code 1'), reason: () => 'no database' };
  await serving([[200, '[]']], '', async (url) => {
    await expect(wait(url, [dead])).rejects.toThrow('The worker ended (exit code 1): no database (log: worker.log)');
  });
  expect(lines.join()).not.toContain('✓');
});

test('the past has its check mark only where it is there', async () => {
  const ends: Readonly<Record<string, () => Promise<string>>> = {
    'first-hour': async () => 'note: no race that books list starts within the hour, so there was nothing to poll',
    'past-days': async () => {
      throw new Problem('src/ops/main.ts past-days failed: Lists could not be read: tab of 2026-11-23 (timeout).');
    },
  };
  await fillPast(ctx, (name) => ends[name]!());
  await fillPast(ctx, async () => 'the past days have their races');
  expect(lines).toEqual([
    '  ✗ The first races have their last hour: not so. No race that books list starts within the hour, so there was nothing to poll.',
    '  ✗ Three past days are archived: not so. src/ops/main.ts past-days failed: Lists could not be read: tab of 2026-11-23 (timeout).',
    '  ✓ The first races have their last hour',
    '  ✓ Three past days are archived',
  ]);
});
