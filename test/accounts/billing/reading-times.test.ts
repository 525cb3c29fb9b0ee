// When an account is read again: often while a customer may be paying, and never repeatedly for nothing.
import fc from 'fast-check';
import { nextReadingMs, unreadRestMs } from '../../../src/accounts/billing/reading-times';

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;

test.each([
  ['without a checkout', null, 60 * MINUTE_MS],
  ['as it is opened', 0, 15 * SECOND_MS],
  ['before ten minutes', 10 * MINUTE_MS - 1, 15 * SECOND_MS],
  ['after ten minutes', 10 * MINUTE_MS, MINUTE_MS],
  ['before an hour', 60 * MINUTE_MS - 1, MINUTE_MS],
  ['after an hour', 60 * MINUTE_MS, 60 * MINUTE_MS],
  ['by a clock that is behind', -SECOND_MS, 15 * SECOND_MS],
] as const)('%s', (_, openMs, waitMs) => {
  const nowMs = Date.parse('2026-11-21T03:00:00Z');
  expect(nextReadingMs(nowMs, openMs === null ? null : nowMs - openMs) - nowMs).toBe(waitMs);
});

test('a checkout costs at most 91 readings, whenever it is paid is seen in time, and then the hour rules', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 60 * MINUTE_MS - 1 }), (paidMs) => {
      const readings: number[] = [];
      for (let at = nextReadingMs(0, 0); at < 60 * MINUTE_MS + MINUTE_MS; at = nextReadingMs(at, 0)) readings.push(at);
      expect(readings.length).toBeLessThanOrEqual(91);
      const seenMs = readings.find((at) => at >= paidMs)!;
      expect(seenMs - paidMs).toBeLessThanOrEqual(paidMs < 10 * MINUTE_MS ? 15 * SECOND_MS : MINUTE_MS);
    }),
  );
});

test('what cannot be read rests twice as long each time, a day at most, with a fifth of jitter', () => {
  const rests = (random: number) => [1, 2, 3, 8, 9, 1000].map((attempts) => unreadRestMs(attempts, random) / MINUTE_MS);
  expect(rests(0.5)).toEqual([10, 20, 40, 1280, 1440, 1440]);
  expect(rests(0)).toEqual([8, 16, 32, 1024, 1152, 1152]);
});
