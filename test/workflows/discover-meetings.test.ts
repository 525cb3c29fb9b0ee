// A failed list is a failure: its effect on the races of other books' lists, and what a run reports about itself.
import { randomUUID } from 'node:crypto';
import { ApplicationFailure, Context } from '@temporalio/activity';
import { WorkflowFailedError } from '@temporalio/client';
import { Worker } from '@temporalio/worker';
import type { Activities } from '../../src/activities';
import { REAL_TIME } from '../../src/domain/time/clock';
import { scheduleOf } from '../../src/workers/schedules/table';
import { loadWorkflowBundle } from '../../src/workers/workflow-bundle';
import { QUEUES } from '../../src/workflows/contract';
import { openTimeSkipping, type TimeSkipping } from '../support/servers/time-skipping';

const DAYS = ['2026-11-24', '2026-11-25'];
const BOOKS = Array.from({ length: 14 }, (_, i) => `book_${i}`);
const LISTS = DAYS.flatMap((day) => BOOKS.map((bookmakerKey) => ({ bookmakerKey, day })));
const READ = { listed: 300, created: 0, startsMoved: 0, refused: 0 };

interface Attempt {
  readonly what: string;
  readonly attempt: number;
  /** The server's time. */
  readonly atMs: number;
}

/** The answer of each list; it may throw. */
type Answers = (what: string, attempt: number, runId: string) => Partial<typeof READ>;

let server: TimeSkipping;
let stop: () => Promise<void>;
let answers: Answers;
let attempts: Attempt[];
/** Lists and starts, in order of arrival. */
let order: string[];
let registryAway = false;

const activities: Partial<Activities> = {
  listsToRead: async () => ({ lists: LISTS, apartMs: 1000 }),
  readList: async ({ bookmakerKey, day }) => {
    const { attempt, workflowExecution } = Context.current().info;
    const what = `${bookmakerKey} ${day}`;
    attempts.push({ what, attempt, atMs: await server.env.currentTimeMs() });
    order.push(`${what} ${attempt}`);
    return { ...READ, ...answers(what, attempt, workflowExecution!.runId) };
  },
  startRaces: async () => {
    order.push('starts');
    return { missing: 1, started: 1 };
  },
  joinRegistry: async () => {
    if (registryAway) throw ApplicationFailure.nonRetryable('the registry is away');
    return { joined: 0, refused: 0, merged: 0 };
  },
};

beforeAll(async () => {
  server = await openTimeSkipping();
  const common = { connection: server.env.nativeConnection, namespace: server.env.namespace ?? 'default' };
  const workers = [
    await Worker.create({ ...common, taskQueue: QUEUES.workflows, workflowBundle: await loadWorkflowBundle() }),
    await Worker.create({ ...common, taskQueue: QUEUES.io, activities }),
  ];
  const ended = Promise.all(workers.map((worker) => worker.run()));
  stop = async () => {
    for (const worker of workers) worker.shutdown();
    await ended;
  };
});
afterAll(async () => {
  await stop?.();
  await server?.close();
});

/** Runs a discovery to its end. Returns its failure; null if it completed. */
async function discover(of: Answers, retry?: ReturnType<typeof scheduleOf>['action']['retry']) {
  [answers, attempts, order] = [of, [], []];
  const workflowId = `discovery-${randomUUID()}`;
  const options = { workflowId, taskQueue: QUEUES.workflows, args: [], ...(retry && { retry }) };
  return server.env.client.workflow.execute('discoverMeetings', options).then(
    () => null,
    (error: unknown) => (error instanceof WorkflowFailedError ? String(error.cause?.message) : String(error)),
  );
}

const away = (): never => {
  throw new Error('timeout');
};

test('the lists start a second apart, today’s first, so that one outgoing address never sends a burst', async () => {
  const failure = await discover(() => ({}));
  expect(failure).toBeNull();
  expect(attempts.map(({ what }) => what)).toEqual(LISTS.map(({ bookmakerKey, day }) => `${bookmakerKey} ${day}`));
  const apart = attempts.slice(1).map(({ atMs }, i) => atMs - attempts[i]!.atMs);
  // The server's timers are accurate to about a second.
  expect(attempts.at(-1)!.atMs - attempts[0]!.atMs).toBeGreaterThanOrEqual(26_000);
  expect(apart.filter((ms) => ms < 500)).toEqual([]);
});

test('a book that always fails is tried four times at growing intervals, and delays no other book’s races', async () => {
  const failure = await discover((what) => {
    if (what === 'book_0 2026-11-24') away();
    return { created: what === 'book_1 2026-11-24' ? 6 : 0 };
  });
  expect(failure).toBeNull();
  const dead = attempts.filter(({ what }) => what === 'book_0 2026-11-24');
  expect(dead.map(({ attempt }) => attempt)).toEqual([1, 2, 3, 4]);
  expect(dead.at(-1)!.atMs - dead[0]!.atMs).toBeGreaterThanOrEqual(60_000);
  expect(order.indexOf('starts')).toBeLessThan(order.indexOf('book_0 2026-11-24 2'));
  expect(order.indexOf('book_13 2026-11-25 1')).toBeLessThan(order.indexOf('book_0 2026-11-24 4'));
});

test('races from a late list are started too', async () => {
  await discover((what, attempt) => {
    if (what === 'book_0 2026-11-24' && attempt < 3) away();
    return { created: what === 'book_0 2026-11-24' || what === 'book_1 2026-11-24' ? 2 : 0 };
  });
  expect(order.lastIndexOf('starts')).toBeGreaterThan(order.indexOf('book_0 2026-11-24 3'));
});

test.each([13, 14])('a run of which %i of 28 lists failed has succeeded', async (failing) => {
  expect(await discover((what) => (isAmong(failing, what) ? away() : {}))).toBeNull();
});

test.each([15, 28])('a run of which %i of 28 lists failed has failed, and names them', async (failing) => {
  const failure = await discover((what) => (isAmong(failing, what) ? away() : { created: 1 }));
  expect(failure).toMatch(new RegExp(`^${failing} of 28 lists could not be read: book_0 2026-11-24, `));
  // Its own races are still served.
  expect(order.includes('starts')).toBe(failing < 28);
});

test('the Schedule’s retry repeats a run that failed', async () => {
  let firstRun: string | null = null;
  const { retry } = scheduleOf('meeting-discovery', REAL_TIME).action;
  const failure = await discover((_what, _attempt, runId) => {
    firstRun ??= runId;
    return runId === firstRun ? away() : {};
  }, retry);
  expect(failure).toBeNull();
  expect(attempts).toHaveLength(5 * LISTS.length);
});

/** The failure with which `readList` reports a wall. */
const wall = (): never => {
  throw ApplicationFailure.create({ type: 'ListFailed', message: 'blocked', nonRetryable: true });
};

test('a registry outage ends no run: every list is read', async () => {
  registryAway = true;
  try {
    expect(await discover(() => ({ created: 1 }))).toBeNull();
  } finally {
    registryAway = false;
  }
  expect(attempts).toHaveLength(LISTS.length);
});

test('a book behind a wall is queried once, and a run fails only if most of the other lists failed', async () => {
  expect(await discover((what) => (isAmong(20, what) ? wall() : {}))).toBeNull();
  expect(attempts).toHaveLength(LISTS.length);
  expect(await discover(wall)).toBeNull();
  expect(await discover((what) => (isAmong(20, what) ? wall() : away()))).toMatch(/^8 of 28 lists could not be read/);
});

test('a repeated run queries no list behind a wall, however often it is repeated', async () => {
  const runs = new Set<string>();
  const { retry } = scheduleOf('meeting-discovery', REAL_TIME).action;
  const failure = await discover((what, _attempt, runId) => {
    runs.add(runId);
    if (isAmong(4, what)) wall();
    return runs.size < 3 ? away() : {};
  }, retry);
  expect(failure).toBeNull();
  expect(runs.size).toBe(3);
  expect(attempts.filter(({ what }) => isAmong(4, what))).toHaveLength(4);
});

/** Spread over books and days. */
const isAmong = (count: number, what: string): boolean =>
  LISTS.findIndex(({ bookmakerKey, day }) => `${bookmakerKey} ${day}` === what) < count;
