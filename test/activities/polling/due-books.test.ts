import fc from 'fast-check';
import {
  answered,
  dueAtMs,
  dueBooks,
  failed,
  newSchedule,
  nextDueMs,
  refused,
  started,
  untilTickMs,
} from '../../../src/activities/polling/due-books';
import { restMsOf } from '../../../src/activities/polling/race-books';

const NOW = Date.parse('2026-11-21T02:00:00Z');
const MINUTE = 60_000;
const steady = 0.5; // the middle of the random range: no jitter
const book = newSchedule({ bookmakerKey: 'tab', sourceRaceId: 'x' });
const polled = started(book, NOW, steady);

test('a book without an earlier poll is due at once', () => {
  expect(dueBooks([book], NOW + 60 * MINUTE, NOW)).toEqual([book]);
});

test.each([
  ['two hours out', 120, 20_000],
  ['inside ten minutes', 9, 15_000],
  ['inside two minutes', 1.5, 8000],
])('%s the next poll follows the cadence of D21', (_, minutes, intervalMs) => {
  expect(dueAtMs(polled, NOW + minutes * MINUTE, NOW)).toBe(NOW + intervalMs);
});

test('a book whose last poll is in the future, because a clock was set back, is due at once', () => {
  const ahead = started(book, NOW + 10 * MINUTE, steady);
  expect(dueBooks([ahead, refused(ahead, 1000, NOW)], NOW + 60 * MINUTE, NOW)).toEqual([ahead]);
});

test('a streamed exchange is polled at most once a minute, and like every book in the card tier', () => {
  const deps = { exchangeStream: {} as never };
  expect([restMsOf(deps, 'betfair_ex_au'), restMsOf(deps, 'tab'), restMsOf({}, 'betfair_ex_au')]).toEqual([
    60_000, 0, 0,
  ]);
  const slow = newSchedule({ bookmakerKey: 'betfair_ex_au', sourceRaceId: '1.1' }, false, 60_000);
  expect(dueAtMs(started(slow, NOW, steady), NOW + MINUTE, NOW)).toBe(NOW + 60_000);
  expect(dueAtMs(started(slow, NOW, steady), NOW + 300 * MINUTE, NOW)).toBe(NOW + 15 * MINUTE);
});

test('a start that moves nearer brings the next poll forward', () => {
  expect(dueBooks([polled], NOW + 120 * MINUTE, NOW + 9000)).toEqual([]);
  expect(dueBooks([polled], NOW + MINUTE, NOW + 9000)).toEqual([polled]);
});

test('a shorter interval makes no instant before its own beginning due', () => {
  const start = NOW + 132_000;
  // Two minutes before the jump the last poll is 12 s old, at the earliest of all instants at which 8 s are enough.
  expect(dueAtMs(polled, start, NOW + 12_000)).toBe(NOW + 12_000);
  expect(dueAtMs(polled, NOW + 150_000, NOW + 20_000)).toBe(NOW + 15_000);
});

test('jitter stretches or shrinks the interval by a tenth at most', () => {
  const start = NOW + 120 * MINUTE;
  expect(dueAtMs(started(book, NOW, 0), start, NOW)).toBe(NOW + 18_000);
  expect(dueAtMs(started(book, NOW, 0.999_999), start, NOW)).toBeLessThanOrEqual(NOW + 22_000);
});

test('a Retry-After is respected even if the cadence is due sooner', () => {
  const waiting = failed(polled, 'rate_limited', 45_000, NOW);
  expect(dueAtMs(waiting, NOW + MINUTE, NOW)).toBe(NOW + 45_000);
});

test('two failures cause no pause, further failures ever longer ones, and the first response resets them', () => {
  const pauses = [];
  let schedule = polled;
  for (let i = 0; i < 8; i++) {
    schedule = failed(schedule, 'timeout', null, NOW);
    pauses.push(schedule.notBeforeMs - NOW);
  }
  expect(pauses).toEqual([0, 0, 5000, 10_000, 20_000, 20_000, 20_000, 20_000]);
  expect(failed(answered(schedule), 'timeout', null, NOW).notBeforeMs).toBe(NOW);
});

test('the next wake-up is the first book due, or the limit', () => {
  const other = started(newSchedule({ bookmakerKey: 'neds', sourceRaceId: 'y' }), NOW - 15_000, steady);
  expect(nextDueMs([polled, other], NOW + 120 * MINUTE, NOW, NOW + 60_000)).toBe(NOW + 5000);
  expect(nextDueMs([polled], NOW + 120 * MINUTE, NOW, NOW + 1000)).toBe(NOW + 1000);
});

test('a poll stopped by the budget is retried as soon as allowed and does not count as a failure', () => {
  const due = NOW + 20_000;
  const inFlight = started(polled, due, steady);
  const again = refused(polled, 700, due);
  expect(inFlight.lastAtMs).toBe(due);
  expect(again).toEqual({ ...polled, notBeforeMs: due + 700 });
  expect(dueAtMs(again, NOW + 120 * MINUTE, due)).toBe(due + 700);
  expect(dueAtMs(refused(book, 700, NOW), NOW + 120 * MINUTE, NOW)).toBe(NOW + 700);
  expect(refused({ ...polled, notBeforeMs: due + 5000 }, 700, due).notBeforeMs).toBe(due + 5000);
});

test('races of a bulk book are due together, whenever they started, until one is nearer its jump', () => {
  const bulk = newSchedule({ bookmakerKey: 'pointsbetau', sourceRaceId: 'x' }, true);
  const starts = [0, 1, 777, 4321, 19_998].map((ms) => started(bulk, NOW + ms, 0.9));
  const dueAt = (minutes: number) => starts.map((each) => dueAtMs(each, NOW + minutes * MINUTE, NOW + 19_999));
  expect(new Set(dueAt(120))).toEqual(new Set([NOW + 20_000]));
  expect(dueAt(1)).toEqual([8000, 8000, 8000, 8000, 24_000].map((ms) => NOW + ms));
  expect(dueAtMs(bulk, NOW + MINUTE, NOW)).toBe(0);
});

test('property: a race wakes on the tick of all races, never before its book is due, and 101 ms after at most', () => {
  const ms = { noNaN: true, noDefaultInfinity: true };
  fc.assert(
    fc.property(fc.double({ min: 0, max: 1e9, ...ms }), fc.double({ min: -1e6, max: 1e6, ...ms }), (nowMs, waitMs) => {
      const untilMs = untilTickMs(nowMs, waitMs);
      expect(untilMs).toBeGreaterThanOrEqual(Math.max(1, waitMs));
      expect(untilMs - Math.max(0, waitMs)).toBeLessThanOrEqual(101);
      // Timers are of whole milliseconds.
      expect((nowMs + untilMs) % 100).toBeLessThan(1.001);
    }),
  );
});
