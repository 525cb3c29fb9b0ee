// The service's clock. Real time is speed 1; a simulated day may run faster. A plain value, so that workflows,
// activities, the API and the simulator agree on the time although the domain never reads the system clock.

/** `raceMs = anchorMs + (wallMs - anchorMs) * speed`. Both instants in epoch milliseconds. */
export interface RaceClock {
  readonly anchorMs: number;
  readonly speed: number;
}

export const REAL_TIME: RaceClock = { anchorMs: 0, speed: 1 };

/** The racing world's instant at wall instant `wallMs`, whole epoch milliseconds. */
export function toRaceMs(clock: RaceClock, wallMs: number): number {
  return Math.round(clock.anchorMs + (wallMs - clock.anchorMs) * clock.speed);
}

/**
 * The wall's instant at racing instant `raceMs`, whole epoch milliseconds, rounded down: never later than `toRaceMs`
 * would have it.
 */
export function toWallMs(clock: RaceClock, raceMs: number): number {
  return Math.floor(clock.anchorMs + (raceMs - clock.anchorMs) / clock.speed);
}

/** How long to wait on the wall for `raceMs` of racing time to pass, in milliseconds, never negative. */
export function toWallDelayMs(clock: RaceClock, raceMs: number): number {
  return Math.max(0, Math.ceil(raceMs / clock.speed));
}
