// The gates before a book, over real HTTP, Redis and PostgreSQL: two workers that share one book's budget and pauses,
// and what operators see of them.
import { randomBytes } from 'node:crypto';
import { reportGates } from '../../../src/activities/polling/gate-reports';
import { runLivePoller } from '../../../src/activities/polling/live-poller';
import type { PollerHost } from '../../../src/activities/polling/poller';
import { REAL_TIME } from '../../../src/domain/time/clock';
import type { FeedGate, Urgency } from '../../../src/feeds/feed';
import type { SharedBudget } from '../../../src/feeds/gate/budget';
import { type BookGate, createGate } from '../../../src/feeds/gate/gate';
import { createBudgetSource } from '../../../src/feeds/gate/source';
import { createTabFeed } from '../../../src/feeds/tab/fetch';
import { createHttp } from '../../../src/feeds/transport/http';
import { createLog } from '../../../src/log';
import { createStores } from '../../../src/store/create-stores';
import { createRateBudget } from '../../../src/store/redis/rate-budget';
import { createRedis } from '../../../src/store/redis/redis';
import { type BookServer, json, startBookServer, status } from '../../feeds/support/book-server';
import { PATIENT_MS } from '../../support/patient';
import { pollsUnderWay } from '../../support/races/polls-under-way';
import { createTestDatabase } from '../../support/servers/database';
import { type ActivityLab, discovered, MINUTE, NOON, openLab } from '../lab';

const opened: { disconnect(): void }[] = [];
const servers: BookServer[] = [];
afterAll(async () => {
  for (const redis of opened) redis.disconnect();
  for (const server of servers) await server.close();
});

async function aServer(): Promise<BookServer> {
  const server = await startBookServer();
  servers.push(server);
  server.answer(json({}));
  return server;
}

function shared(): SharedBudget {
  const redis = createRedis(process.env.REDIS_URL!, PATIENT_MS);
  opened.push(redis);
  return createRateBudget(redis);
}

/** Longer than any standstill of the machine. */
const PAUSE_MS = 8000;

/** The budget refills nothing while a test runs, however slow the machine is. */
const SLOW = { perSecond: 0.001, burst: 20 };

/** One worker's calls to the book; two workers with the same `book` share its budget. */
function worker({ url }: { url: string }, book: string, rate = SLOW, budget = shared()) {
  const source = createBudgetSource({ shared: budget, workers: () => 2, onChange: () => {} });
  const gate = createGate(book, rate, source, { failures: 3, firstPauseMs: PAUSE_MS });
  const http = createHttp({
    endpoint: { baseUrl: url, contact: 'test', partner: 'test', timeoutMs: PATIENT_MS, gate },
    now: Date.now,
  });
  const call = (urgency: Urgency = 'usual') => http.get({ path: '/', read: (body) => body, call: { urgency } });
  return { gate, call };
}
const NOWHERE = { url: 'http://127.0.0.1:1' };
const aBook = () => `book_${randomBytes(6).toString('hex')}`;

const ended = <T extends { kind: string; reason?: string }>(replies: readonly T[]): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const { kind, reason } of replies) counts[reason ?? kind] = (counts[reason ?? kind] ?? 0) + 1;
  return counts;
};

test('two workers together send a book no more than its burst; near calls still pass when idle ones are refused', async () => {
  const server = await aServer();
  const book = aBook();
  const a = worker(server, book);
  const b = worker(server, book);
  const idle = await Promise.all(Array.from({ length: 30 }, (_, i) => (i % 2 ? a : b).call('idle')));
  expect(ended(idle).ok).toBeGreaterThanOrEqual(8);
  expect(ended(idle).ok).toBeLessThanOrEqual(11);
  expect(ended(idle).over_budget).toBe(30 - ended(idle).ok!);
  expect(ended(await Promise.all(Array.from({ length: 6 }, () => a.call('near'))))).toEqual({ ok: 6 });
  expect(server.requests.length).toBe(ended(idle).ok! + 6);
  expect(a.gate.state().refusedOverBudget + b.gate.state().refusedOverBudget).toBe(ended(idle).over_budget);
  expect(a.gate.state()).toMatchObject({ breaker: 'closed', budgetSource: 'shared', budgetPerSecond: SLOW.perSecond });
});

// Each of these waits until a pause is over, so they run in parallel.
describe('a pause', () => {
  const scenarios = [
    [
      'a Retry-After to one worker pauses every worker for that long, and then both call again',
      retryAfterOfOne,
    ] as const,
    [
      'a book that is down gets no call after a few failures, then one trial call, and is polled again when it responds',
      bookDown,
    ] as const,
  ];
  let running: readonly Promise<void>[];
  beforeAll(() => {
    running = scenarios.map(([, run]) => run());
    // Each has its own test.
    for (const one of running) one.catch(() => undefined);
  });

  test.each(scenarios.map(([name], i) => [name, i] as const))('%s', async (_, i) => {
    await running[i];
  });
});

async function retryAfterOfOne(): Promise<void> {
  const server = await aServer();
  const book = aBook();
  const rate = { perSecond: 50, burst: 50 };
  const a = worker(server, book, rate);
  const b = worker(server, book, rate);
  server.answer(status(429, { 'retry-after': String(PAUSE_MS / 1000) }));
  const began = Date.now();
  expect(await a.call('near')).toMatchObject({ reason: 'rate_limited', retryAfterMs: PAUSE_MS });
  server.answer(json({}));
  const refused = await a.call('near');
  expect(refused).toMatchObject({ kind: 'failed', reason: 'over_budget' });
  expect((refused as { retryAfterMs: number }).retryAfterMs).toBeGreaterThan(0);
  // The pause is on its way to the other worker.
  for (let reply = await b.call('near'); reply.kind === 'ok'; ) reply = await b.call('near');
  const sent = server.requests.length;
  for (const each of [a, b]) {
    for (let reply = await each.call('near'); reply.kind !== 'ok'; reply = await each.call('near')) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
  expect(Date.now() - began).toBeGreaterThanOrEqual(PAUSE_MS);
  expect(server.requests.length).toBe(sent + 2);
}

async function bookDown(): Promise<void> {
  const server = await aServer();
  const one = worker(server, aBook(), { perSecond: 1000, burst: 1000 });
  server.answer(status(503));
  for (let i = 0; i < 3; i++) await one.call();
  expect(server.requests).toHaveLength(3);
  expect(await one.call()).toMatchObject({ reason: 'breaker_open', detail: 'nothing was sent' });
  expect(one.gate.state().refusedBreaker).toBe(1);
  server.answer(json({}));
  let replies = 0;
  while (one.gate.state().breaker !== 'closed') {
    if ((await one.call()).kind === 'ok') replies += 1;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  expect(replies).toBe(1);
}

test('each worker’s gates are stored under its name; workers with a recent report are counted, silent ones are not', async () => {
  const db = await createTestDatabase();
  try {
    const { health } = createStores(db.pool);
    const gates = new Map<string, BookGate>([['tab', worker(NOWHERE, aBook()).gate]]);
    let workers = 0;
    const report = (name: string) =>
      reportGates({
        gates,
        health,
        worker: name,
        clock: REAL_TIME,
        now: Date.now,
        log: createLog('test', 'silent'),
        onWorkers: (count) => {
          workers = count;
        },
      });
    for (const name of ['one', 'two', 'one']) await report(name);
    expect(workers).toBe(2);
    const { rows } = await db.pool.query('SELECT * FROM connector_gates ORDER BY worker');
    expect(rows).toEqual(
      ['one', 'two'].map((name) => ({
        connector: 'tab',
        worker: name,
        breaker: 'closed',
        breaker_since: expect.stringMatching(/Z$/),
        budget_per_second: SLOW.perSecond,
        budget_source: 'shared',
        refused_over_budget: 0,
        refused_breaker: 0,
        reported_at: expect.stringMatching(/Z$/),
      })),
    );
    await db.pool.query(
      "UPDATE connector_gates SET reported_at = reported_at - interval '3 minutes' WHERE worker = 'two'",
    );
    await report('one');
    expect(workers).toBe(1);
  } finally {
    await db.drop();
  }
});

describe('in the live tier', () => {
  const RACE = { startMs: NOON + 3 * MINUTE, runners: 8, jumpDelaySeconds: 10, interimAfterSeconds: 180 };
  let lab: ActivityLab;
  afterEach(() => lab.close());

  test('a refusal is not a failure of the book: it is counted separately, and the poll is repeated when there is budget', async () => {
    lab = await openLab([RACE]);
    const raceId = await discovered(lab, 'live');
    // No budget for the first minute of race time, then no limit.
    const gate: FeedGate = {
      enter: async () =>
        lab.clock.nowMs < NOON + MINUTE
          ? { kind: 'refused', reason: 'over_budget', retryAfterMs: 2000 }
          : { kind: 'go', left: () => undefined },
    };
    const tab = createTabFeed({ ...lab.endpoints.tab!, gate }, lab.deps.now);
    const gated = { ...lab.deps, feeds: new Map([...lab.deps.feeds, ['tab', tab]]) };
    const { deps, tally, answered } = pollsUnderWay(gated);
    const host: PollerHost = {
      attempt: 1,
      signal: new AbortController().signal,
      heartbeat: ({ books }) => {
        if (lab.clock.nowMs < NOON + MINUTE)
          expect(books.find((book) => book.bookmakerKey === 'tab')).toMatchObject({ failures: 0 });
      },
      wait: async (ms) => {
        await answered();
        lab.clock.nowMs += Math.max(ms, 200);
      },
    };
    const outcome = await runLivePoller(deps, { raceId, epoch: 1, turn: 1, marketShut: false }, host, tally);
    expect(outcome).toMatchObject({ kind: 'market-closed' });
    const counts = await lab.query<{ kind: string; reason: string; count: number }>(
      "SELECT kind, reason, count::int FROM connector_counts WHERE connector = 'tab' AND kind <> 'dropped'",
    );
    expect(counts).toEqual([{ kind: 'refused', reason: 'over_budget', count: expect.any(Number) }]);
    expect(counts[0]!.count).toBeGreaterThan(10);
    const [stored] = await lab.query<{ status: string; polls: number }>(
      "SELECT status, polls FROM connector_health WHERE connector = 'tab'",
    );
    expect(stored!.status).toBe('ok');
    // Discovery's lists are polls too; refusals are not.
    expect(stored!.polls).toBeGreaterThan(8);
    expect(stored!.polls).toBeLessThan(30);
  });
});
