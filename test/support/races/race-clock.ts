// Race clocks that show an instant of the test's choice: tests on one run on the same racing day in every run, whatever
// day and hour it is on the wall.
import type { RaceClock } from '../../../src/domain/time/clock';

/** Saturday 13:00 in Sydney, daylight time. */
export const NOON_MS = Date.parse('2026-11-21T02:00:00.000Z');

/** Shows `raceMs` now and runs `speed` times as fast as the wall. Not for speed 1, whose time is the wall's. */
export function raceClockAt(raceMs: number, speed: number): RaceClock {
  return { anchorMs: Math.round((raceMs - Date.now() * speed) / (1 - speed)), speed };
}
