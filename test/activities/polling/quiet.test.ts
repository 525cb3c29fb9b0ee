// A race with nothing due looks at no book. What it sees must be as if it looked at all of them at every beat. No
// server: the clock is a value.
import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import type { ActivityDeps } from '../../../src/activities/deps';
import { BookRound } from '../../../src/activities/polling/book-round';
import { dueAtMs, dueBooks, dueSinceMs, intervalMsOf } from '../../../src/activities/polling/due-books';
import type { DuePoll, PollQueue } from '../../../src/activities/polling/load/poll-queue';
import type { PollerProgress } from '../../../src/activities/polling/poller';
import { REAL_TIME } from '../../../src/domain/time/clock';
import { runs } from '../../support/property';

const NOON = Date.parse('2026-11-21T01:00:00.000Z');
const BOOKS = ['tab', 'sportsbet', 'playup', 'betfair_ex_au'];

/** Its books' database fails, so each started poll has ended at the next turn. */
function world(more: { readonly exchangeStream?: boolean; readonly resume?: PollerProgress } = {}) {
  const at = { nowMs: NOON };
  const waiting = new Map<string, DuePoll>();
  const books = BOOKS.map((bookmakerKey) => ({ bookmakerKey, sourceRaceId: 'x' }));
  const deps = {
    now: () => at.nowMs,
    clock: REAL_TIME,
    exchangeStream: more.exchangeStream ?? true,
    feeds: new Map(BOOKS.map((key) => [key, key === 'sportsbet' ? { bulk: {} } : {}])),
    stores: { races: { booksOf: async () => books } },
    random: () => 0.3,
    log: { warn: () => undefined },
  } as unknown as ActivityDeps;
  const entered: DuePoll[] = [];
  const queue = { enter: (poll: DuePoll) => entered.push(poll), left: () => undefined, isShort: true };
  const host = { attempt: 1, signal: new AbortController().signal, heartbeat: () => undefined, wait: async () => {} };
  const race = { raceId: 'race', epoch: 1, turn: 1, marketShut: false };
  const tally = { add: () => undefined, flush: async () => undefined };
  const fence = { epoch: 1, attempt: 1 };
  const round = new BookRound(deps, race, fence, host, tally, queue as unknown as PollQueue, more.resume);
  /** By the order in which they fell due: one poll for each book. */
  const look = (start: string): void => {
    const idle = round.progress().books.filter(({ bookmakerKey }) => !waiting.has(bookmakerKey));
    const due = dueBooks(idle, Date.parse(start), at.nowMs);
    round.pollDue(start);
    expect(entered.length).toBe(due.length);
    for (const [i, poll] of entered.splice(0).entries()) waiting.set(due[i]!.bookmakerKey, poll);
  };
  return { at, round, waiting, look };
}

const seldom = (usual: fc.Arbitrary<number>, rare: fc.Arbitrary<number>): fc.Arbitrary<number> =>
  fc.oneof({ arbitrary: usual, weight: 12 }, { arbitrary: rare, weight: 1 });

const step = fc.record({
  passesMs: seldom(fc.integer({ min: 0, max: 3000 }), fc.constantFrom(-9000, -2000, 9000, 60_000)),
  movesMs: seldom(fc.constant(0), fc.integer({ min: -600_000, max: 600_000 })),
  starts: fc.integer({ min: 0, max: 20 }),
});

test('every book that is due waits for its turn, by the start and the interval of this moment', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(140_000, 400_000, 620_000),
      fc.array(step, { minLength: 40, maxLength: 80 }),
      async (inMs, steps) => {
        const { at, round, waiting, look } = world();
        await round.refreshBooks();
        let startMs = NOON + inMs;
        for (const { passesMs, movesMs, starts } of steps) {
          at.nowMs += passesMs;
          startMs += movesMs;
          const start = new Date(startMs).toISOString();
          look(start);
          const books = new Map(round.progress().books.map((book) => [book.bookmakerKey, book]));
          for (const [key, poll] of waiting) {
            const book = books.get(key)!;
            expect([poll.startMs, poll.intervalMs]).toEqual([startMs, intervalMsOf(book, startMs, at.nowMs)]);
            if (poll.lastAtMs !== null && poll.lastAtMs <= at.nowMs)
              expect(poll.dueAtMs).toBe(dueSinceMs(book, startMs, at.nowMs));
          }
          const dueMs = [...books]
            .filter(([key]) => !waiting.has(key))
            .map(([, book]) => dueAtMs(book, startMs, at.nowMs));
          const waitMs = round.waitMs(start, 1000);
          expect(waitMs).toBeLessThanOrEqual(Math.max(100, Math.min(1000, ...dueMs.map((ms) => ms - at.nowMs + 101))));
          const [key, poll] = [...waiting][starts] ?? [];
          if (!key || !poll) continue;
          waiting.delete(key);
          poll.start({ dueAtMs: poll.dueAtMs, thinned: 0, rides: false });
          await turn();
        }
      },
    ),
    { numRuns: runs(40) },
  );
});

test('an attempt that goes on polls each book by its own configuration, and keeps when it was polled', async () => {
  const before = world();
  await before.round.refreshBooks();
  const books = before.round.progress().books.map((book) => ({ ...book, lastAtMs: NOON - 5000 }));
  const after = world({ exchangeStream: false, resume: { polls: 7, books } });
  await after.round.refreshBooks();
  const restOf = ({ books }: PollerProgress) => books.find((book) => book.bookmakerKey === 'betfair_ex_au');
  expect(restOf(before.round.progress())).toMatchObject({ restMs: 60_000 });
  expect(restOf(after.round.progress())).toMatchObject({ restMs: 0, lastAtMs: NOON - 5000 });
});
