// The service's clock. Real time has speed 1; a simulated day may run faster. The clock is a plain value, so that
// workflows, activities, the API and the simulator agree on the time, although the domain never reads the system clock.

/** `raceMs = anchorMs + (wallMs - anchorMs) * speed`. Both instants are epoch milliseconds. */
export interface RaceClock {
  readonly anchorMs: number;
  readonly speed: number;
}

export const REAL_TIME: RaceClock = { anchorMs: 0, speed: 1 };

/** The racing instant at the wall instant `wallMs`, in whole epoch milliseconds. */
export function toRaceMs(clock: RaceClock, wallMs: number): number {
  return Math.round(clock.anchorMs + (wallMs - clock.anchorMs) * clock.speed);
}

/**
 * The wall instant at the racing instant `raceMs`, in whole epoch milliseconds, rounded down: never later than by
 * `toRaceMs`.
 */
export function toWallMs(clock: RaceClock, raceMs: number): number {
  return Math.floor(clock.anchorMs + (raceMs - clock.anchorMs) / clock.speed);
}

/** How long to wait on the wall clock until `raceMs` of racing time have passed, in milliseconds, never negative. */
export function toWallDelayMs(clock: RaceClock, raceMs: number): number {
  return Math.max(0, Math.ceil(raceMs / clock.speed));
}
