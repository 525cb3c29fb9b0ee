// When live pollers read their control rows: all races of a process together, none less often than once a second,
// however their books fall due. No server: the test moves the time.
import fc from 'fast-check';
import type { ActivityDeps } from '../../../src/activities/deps';
import { runLivePoller } from '../../../src/activities/polling/live-poller';
import { REAL_TIME } from '../../../src/domain/time/clock';
import { runs } from '../../support/property';

const SECOND = 1000;
const START = '2026-11-21T03:00:00.000Z';

beforeEach(() => jest.useFakeTimers({ now: Date.parse(START) - 3_600_000 }));
afterEach(() => jest.useRealTimers());

/** One race's poller: wakes early by the given parts of each wait, as if books fell due in between. */
function poller(raceId: string, parts: readonly number[], reads: Map<string, number[]>, isClosed: () => boolean) {
  const own: number[] = [];
  reads.set(raceId, own);
  const readControl = async () => {
    own.push(performance.now());
    const row = { raceId, epoch: 1, tier: 'live', closed: isClosed(), holderAttempt: 0 };
    return { ...row, advertisedStart: START, unseen: null };
  };
  const deps = {
    now: Date.now,
    clock: REAL_TIME,
    feeds: new Map(),
    stores: {
      control: { claim: async () => true, heldEpoch: async () => 1, readControl },
      races: { booksOf: async () => [] },
    },
    random: () => 0.5,
  } as unknown as ActivityDeps;
  let turn = 0;
  const host = {
    attempt: 1,
    signal: new AbortController().signal,
    heartbeat: () => undefined,
    wait: (ms: number) =>
      new Promise<void>((resolve) => setTimeout(resolve, Math.max(1, ms * parts[turn++ % parts.length]!))),
  };
  const tally = { add: () => undefined, flush: async () => undefined };
  return runLivePoller(deps, { raceId, epoch: 1, turn: 1, marketShut: false }, host, tally);
}

test('every race reads once a second, all on one beat, and ends within a second of its control row’s change', async () => {
  const parts = fc.array(fc.double({ min: 0.01, max: 1, noNaN: true }), { minLength: 1, maxLength: 8 });
  const races = fc.array(fc.record({ startsAfterMs: fc.integer({ min: 0, max: 2500 }), parts }), {
    minLength: 2,
    maxLength: 5,
  });
  await fc.assert(
    fc.asyncProperty(races, fc.integer({ min: 3000, max: 6000 }), async (all, closesAfterMs) => {
      const reads = new Map<string, number[]>();
      const beganMs = performance.now();
      const isClosed = () => performance.now() - beganMs >= closesAfterMs;
      const endedMs: Promise<number>[] = [];
      for (const [i, { startsAfterMs, parts: own }] of all.entries())
        setTimeout(() => {
          endedMs.push(poller(`race ${i}`, own, reads, isClosed).then(() => performance.now()));
        }, startsAfterMs);
      await jest.advanceTimersByTimeAsync(closesAfterMs + SECOND + 1);
      for (const ended of await Promise.all(endedMs))
        expect(ended - beganMs).toBeLessThanOrEqual(closesAfterMs + SECOND);
      const beats = new Set<number>();
      for (const own of reads.values())
        own.forEach((at, i) => {
          if (i > 0) expect(at - own[i - 1]!).toBeLessThanOrEqual(SECOND);
          if (i > 0) beats.add(at);
        });
      // Shared by all: one instant for each second.
      expect(beats.size).toBeLessThanOrEqual(Math.ceil((closesAfterMs + SECOND) / SECOND) + 1);
    }),
    { numRuns: runs(20) },
  );
});
