// The budget that all workers share, in a real Redis: how many tokens it grants, to which calls, and the behaviour
// without the server.
import { randomBytes } from 'node:crypto';
import { createServer, type Server, type Socket } from 'node:net';
import { type Budget, createBudget } from '../../../src/feeds/gate/budget';
import { createBudgetSource } from '../../../src/feeds/gate/source';
import { createRateBudget, type RateBudget } from '../../../src/store/redis/rate-budget';
import { createRedis, repliesToPing } from '../../../src/store/redis/redis';
import { PATIENT_MS } from '../../support/patient';

const url = process.env.REDIS_URL;
if (!url) throw new Error('REDIS_URL is not set: run the tests through `npm test`, which starts a server');

const clients: ReturnType<typeof createRedis>[] = [];
const open = (address: string, answerWithinMs = PATIENT_MS): RateBudget => {
  const redis = createRedis(address, answerWithinMs);
  clients.push(redis);
  return createRateBudget(redis);
};
afterEach(() => {
  for (const redis of clients.splice(0)) redis.disconnect();
});

/** Keys live for seconds, so a unique name is enough. */
const aBook = () => `book_${randomBytes(6).toString('hex')}`;
const RATE = { perSecond: 50, burst: 20 };
/** Refills nothing while a test runs, however long the machine takes: a token in a quarter of an hour. */
const SLOW = { perSecond: 0.001, burst: 20 };

test('a bucket starts full, grants no more than it has, and returns the time to wait', async () => {
  const budget = open(url);
  const book = aBook();
  expect(await budget.lease(book, SLOW, 0, 15)).toEqual({ granted: 15, waitMs: 0, paused: false });
  expect(await budget.lease(book, SLOW, 0, 15)).toMatchObject({ granted: 5 });
  const none = await budget.lease(book, SLOW, 0, 1);
  expect(none).toMatchObject({ granted: 0, paused: false });
  expect(none.waitMs).toBeGreaterThan(500_000);
  expect(none.waitMs).toBeLessThanOrEqual(1_000_000);
});

test('tokens below the floor are reserved for calls without a floor', async () => {
  const budget = open(url);
  const book = aBook();
  expect(await budget.lease(book, SLOW, 10, 100)).toMatchObject({ granted: 10 });
  expect(await budget.lease(book, SLOW, 10, 1)).toMatchObject({ granted: 0 });
  expect(await budget.lease(book, SLOW, 5, 100)).toMatchObject({ granted: 5 });
  expect(await budget.lease(book, SLOW, 0, 100)).toMatchObject({ granted: 5 });
});

test('all workers together get no more than the rate, however they call', async () => {
  const book = aBook();
  const workers = Array.from({ length: 4 }, () => open(url));
  const began = Date.now();
  let granted = 0;
  while (Date.now() - began < 600 || granted <= RATE.burst) {
    const leases = await Promise.all(workers.map((worker) => worker.lease(book, RATE, 0, 3)));
    granted += leases.reduce((sum, lease) => sum + lease.granted, 0);
  }
  const seconds = (Date.now() - began) / 1000;
  expect(granted).toBeLessThanOrEqual(RATE.burst + RATE.perSecond * seconds + 1);
});

test('a pause that a book requests of one worker applies to all, and a shorter pause does not end a longer one', async () => {
  const one = open(url);
  const other = open(url);
  const book = aBook();
  await one.pause(book, 600_000);
  await one.pause(book, 100);
  const lease = await other.lease(book, RATE, 0, 1);
  expect(lease).toMatchObject({ granted: 0, paused: true });
  expect(lease.waitMs).toBeGreaterThan(300_000);
});

const budgetOver = (shared: RateBudget, book: string, sources: string[] = [], workers = 1): Budget =>
  createBudget(book, SLOW, createBudgetSource({ shared, workers: () => workers, onChange: (to) => sources.push(to) }));

test('when the budget runs short, calls near the jump pass and less important ones are refused', async () => {
  const book = aBook();
  const a = budgetOver(open(url), book);
  const b = budgetOver(open(url), book);
  const calls = async (budget: Budget, urgency: 'near' | 'usual' | 'idle', n: number) => {
    const taken = await Promise.all(Array.from({ length: n }, () => budget.take(urgency)));
    return taken.filter(({ kind }) => kind === 'taken').length;
  };
  // One worker's card tier requests all tokens: half of the burst stays.
  expect(await calls(a, 'idle', 40)).toBe(10);
  expect(await calls(b, 'idle', 10)).toBe(0);
  expect(await calls(b, 'usual', 40)).toBe(5);
  expect(await calls(b, 'near', 4)).toBe(4);
});

test('without Redis nothing waits: from the first call on each worker uses its own share', async () => {
  const sources: string[] = [];
  const budget = budgetOver(open('redis://127.0.0.1:1'), aBook(), sources, 2);
  const began = Date.now();
  for (let i = 0; i < 20; i++) await budget.take('near');
  expect(Date.now() - began).toBeLessThan(PATIENT_MS);
  expect(sources).toEqual(['own_share']);
  expect(budget.perSecond()).toBe(0.0005);
});

/** A server that accepts connections and never responds. */
async function silent(): Promise<{ url: string; close(): void }> {
  const sockets: Socket[] = [];
  const server: Server = createServer((socket) => void sockets.push(socket));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  return {
    url: `redis://127.0.0.1:${port}`,
    close: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

test('a hanging Redis counts as unavailable long before a command of this process would fail', async () => {
  const hanging = await silent();
  const redis = createRedis(hanging.url, 10 * PATIENT_MS);
  clients.push(redis);
  try {
    // The client waits for an answer before it takes a command.
    redis.connect().catch(() => undefined);
    expect(await repliesToPing(redis, 100)).toBe(false);
  } finally {
    hanging.close();
  }
});

test('a hanging Redis delays a call for a moment, not forever', async () => {
  const hanging = await silent();
  const sources: string[] = [];
  const budget = budgetOver(open(hanging.url, 250), aBook(), sources);
  try {
    await budget.take('near');
    expect(sources).toEqual(['own_share']);
  } finally {
    hanging.close();
  }
});
