// What surrounds every activity of a worker: the fields of its log lines, its end when the worker stops, its
// heartbeats.
import { ActivityCancellationDetails, ApplicationFailure } from '@temporalio/common';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import pino from 'pino';
import { type Activities, createActivities } from '../../src/activities';
import { activityFields } from '../../src/activities/activity-context';
import type { ActivityDeps } from '../../src/activities/deps';
import { callAgainIn } from '../../src/activities/wait';
import { REAL_TIME } from '../../src/domain/time/clock';
import { createLog } from '../../src/log';
import { aroundActivities } from '../../src/workers/activity-interceptor';
import { NOON_MS } from '../support/races/race-clock';

const RUN = { workflowId: 'race:1', runId: '00000000-0000-0000-0000-000000000001' };

const environment = (activityType: string) =>
  new MockActivityEnvironment(
    { activityType, attempt: 7, workflowExecution: RUN },
    { interceptors: [aroundActivities(async () => {})], logger: new DefaultLogger('ERROR') },
  );

const shutDown = (env: MockActivityEnvironment) =>
  env.cancel('WORKER_SHUTDOWN', new ActivityCancellationDetails({ workerShutdown: true }));

test('a log line of a poll has its workflow, run and attempt; a line outside an activity has none', async () => {
  const log = createLog('worker', 'info', activityFields);
  const lines: Record<string, unknown>[] = [];
  const { stream } = {
    stream: (log as never as Record<symbol, { write(line: string): void }>)[pino.symbols.streamSym]!,
  };
  stream.write = (line) => void lines.push(JSON.parse(line));
  await environment('pollCard').run(async () => {
    await Promise.resolve();
    log.warn({ book: 'tab' }, 'in a poll');
  });
  log.warn('outside');
  expect(lines[0]).toMatchObject({ msg: 'in a poll', book: 'tab', activity: 'pollCard', attempt: 7, ...RUN });
  expect(lines[1]).not.toHaveProperty('workflowId');
});

test('waiting for a result is logged in one sentence, without a stack trace', () => {
  const failure = callAgainIn({ clock: REAL_TIME }, 30_000, 'no result yet');
  expect(failure).toMatchObject({ message: 'no result yet; asked again in 30 s', category: 'BENIGN', stack: '' });
  expect(callAgainIn({ clock: REAL_TIME }, 900_000, 'polled 4 books').message).toMatch(/; asked again in 15 minutes$/);
});

const waiting: (() => void)[] = [];
afterAll(() => {
  for (const refuse of waiting) refuse();
});
/** Does not respond, as a registry with a long queue. */
const hangs = () =>
  new Promise<never>((_, reject) => {
    waiting.push(() => reject(new Error('the test is over')));
  });

const base = { now: () => NOON_MS, log: createLog('test', 'silent'), clock: REAL_TIME };
const listings = hangs;
const registry = { source: 'topaz', category: 'greyhound', regions: ['VIC'], listings, meeting: hangs } as const;
const race = { raceId: 'r', category: 'greyhound', country: 'AU', meetingDate: '2026-11-21', fieldStatus: 'pending' };
const published = {
  race: async () => race,
  wanting: async () => [race],
  documents: async () => [],
  listedSince: async () => new Set(),
};
const deps = {
  ...base,
  registry: { calendar: hangs },
  resultsRegistries: [registry],
  random: () => 0,
  stores: { published, health: {}, results: {}, races: {}, control: {} },
  // Ends only with its signal.
  feeds: new Map([['tab', { listRaces: (_: string, { signal }: { signal: AbortSignal }) => untilAborted(signal) }]]),
  deadlineOf: () => 600_000,
} as unknown as ActivityDeps;

const untilAborted = (signal: AbortSignal) =>
  new Promise((resolve) => {
    const failed = { kind: 'failed', reason: 'network', detail: 'called off', retryAfterMs: null, observedAt: '' };
    signal.addEventListener('abort', () => resolve(failed));
  });

const pass = { raceId: 'r', before: [], ifEmpty: [], dueAt: new Date(NOON_MS).toISOString() };

test.each<[keyof Activities, readonly unknown[]]>([
  ['discover', [{ days: 2 }]],
  ['readRegistry', ['VIC']],
  ['collectRegion', [{ source: 'topaz', region: 'VIC' }]],
  ['collectField', [pass]],
])(
  '%s heartbeats while it waits and ends when its worker stops; another worker starts it at once',
  async (name, args) => {
    jest.useFakeTimers();
    try {
      const env = environment(name);
      let beats = 0;
      env.on('heartbeat', () => {
        beats += 1;
      });
      const work = createActivities(deps)[name] as (...all: unknown[]) => Promise<unknown>;
      const ended = env.run(() => work(...args)).catch((error: unknown) => error);
      await jest.advanceTimersByTimeAsync(25_000);
      expect(beats).toBe(2);
      shutDown(env);
      expect(await ended).toMatchObject({ type: 'WorkerShutdown', nextRetryDelay: 250, category: 'BENIGN', stack: '' });
      await jest.advanceTimersByTimeAsync(25_000);
      expect(beats).toBe(2);
    } finally {
      jest.useRealTimers();
    }
  },
);

test('other failures, and return values of activities, pass unchanged', async () => {
  const failure = ApplicationFailure.create({ type: 'Own', message: 'x' });
  await expect(environment('carryOut').run(() => Promise.reject(failure))).rejects.toBe(failure);
  expect(await environment('carryOut').run(async () => 4)).toBe(4);
});
