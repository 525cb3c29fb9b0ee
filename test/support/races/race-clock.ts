// Race clocks that show an instant that the test chooses: every run of a test is on the same racing day, whatever the
// wall time is.
import type { RaceClock } from '../../../src/domain/time/clock';

/** Saturday 13:00 in Sydney, daylight time. */
export const NOON_MS = Date.parse('2026-11-21T02:00:00.000Z');

/** Shows `raceMs` now and runs `speed` times as fast as the wall clock. Not for speed 1, whose time is wall time. */
export function raceClockAt(raceMs: number, speed: number): RaceClock {
  return { anchorMs: Math.round((raceMs - Date.now() * speed) / (1 - speed)), speed };
}
