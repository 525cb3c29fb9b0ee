// The clock: one wall second is `speed` racing seconds, counted from the anchor.
import fc from 'fast-check';
import { REAL_TIME, toRaceMs, toWallDelayMs, toWallMs } from '../../../src/domain/time/clock';

const ANCHOR_MS = Date.parse('2026-11-21T00:00:00.000Z');
const FAST = { anchorMs: ANCHOR_MS, speed: 60 };

test('at speed 60 a wall second is a racing minute, also before the anchor', () => {
  expect([-1000, 0, 1000].map((ms) => toRaceMs(FAST, ANCHOR_MS + ms) - ANCHOR_MS)).toEqual([-60_000, 0, 60_000]);
  expect([-60_000, 0, 60_000].map((ms) => toWallMs(FAST, ANCHOR_MS + ms) - ANCHOR_MS)).toEqual([-1000, 0, 1000]);
});

test('in real time both are the same', () => {
  expect([toRaceMs(REAL_TIME, ANCHOR_MS), toWallMs(REAL_TIME, ANCHOR_MS)]).toEqual([ANCHOR_MS, ANCHOR_MS]);
});

test.each([
  [60_000, 1000],
  [1, 1],
  [61, 2],
  [0, 0],
  [-60_000, 0],
])('%d ms of racing time is a wait of %d ms, rounded up and never negative', (raceMs, waitMs) => {
  expect(toWallDelayMs(FAST, raceMs)).toBe(waitMs);
});

test('values are whole milliseconds; the wall instant of a racing instant is never later than it', () => {
  const speed = fc.constantFrom(1, 3, 7.5, 60, 600);
  const ms = fc.integer({ min: -1e9, max: 1e9 });
  fc.assert(
    fc.property(speed, ms, (speed, offset) => {
      const clock = { anchorMs: ANCHOR_MS, speed };
      const raceMs = ANCHOR_MS + offset;
      const wallMs = toWallMs(clock, raceMs);
      expect([Number.isInteger(wallMs), Number.isInteger(toRaceMs(clock, wallMs))]).toEqual([true, true]);
      expect(toRaceMs(clock, wallMs)).toBeLessThanOrEqual(raceMs);
      expect(raceMs - toRaceMs(clock, wallMs)).toBeLessThanOrEqual(speed);
    }),
  );
});
