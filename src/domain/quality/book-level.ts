// How far a bookmaker's prices usually are from the others', kept from run to run. Robust: a reading moves the level by
// a small step however far it is, and one that is found to be far does not move it at all, so a fault never becomes
// normal.

export interface BookLevel {
  /** Of |ln(price / consensus)|: the usual median. */
  readonly distance: number;
  /** The usual deviation of a reading from it. */
  readonly spread: number;
  readonly readings: number;
}

/** Before this many readings the level is unknown, and only the wide bound counts. */
const LEAST_READINGS = 12;
/** A book that is half as dear again as all others, in the median: no trader is. */
const WIDE = Math.log(1.5);
/** A trader's opinion nearer than this to its usual level is never called far. */
const LEAST_STEP = Math.log(1.15);
const SPREADS = 8;
const WEIGHT = 0.1;
const FIRST_SPREAD = 0.02;

export function isFar(distance: number, level: BookLevel | null): boolean {
  if (distance > WIDE) return true;
  if (level === null || level.readings < LEAST_READINGS) return false;
  return distance > level.distance + Math.max(LEAST_STEP, SPREADS * level.spread);
}

/** After one more reading that is not far. */
export function nextLevel(distance: number, level: BookLevel | null): BookLevel {
  if (level === null) return { distance, spread: FIRST_SPREAD, readings: 1 };
  const most = 3 * Math.max(level.spread, FIRST_SPREAD);
  const step = Math.max(-most, Math.min(most, distance - level.distance));
  return {
    distance: level.distance + WEIGHT * step,
    spread: level.spread + WEIGHT * (Math.abs(step) - level.spread),
    readings: level.readings + 1,
  };
}
