// Detects when the clock of the database was set back, as this process sees it: a write after an instant may then have
// a mark before it, and an id of that instant is useless. Pure except for its memory.

export interface ClockSteps {
  /** The database's clock, read between two instants of a monotonic clock. All milliseconds. */
  note(databaseMs: number, beforeMs: number, afterMs: number): void;
  /** Whether a write after this instant of the database's clock may have an earlier mark. */
  isDoubtful(databaseMs: number): boolean;
}

interface Look {
  readonly databaseMs: number;
  readonly beforeMs: number;
  readonly afterMs: number;
}

/** How much slower a slewed clock runs. */
const SLEW_RATE = 0.0005;
/** The tolerance for the difference of two clocks, and their rounding. */
const TOLERANCE_MS = 100;
/** Ids are not older. */
const REMEMBERED_MS = 30 * 60_000;

export function createClockSteps(): ClockSteps {
  /** The check that shows most about what the clock must have reached since. */
  let anchor: Look | null = null;
  let doubtful: readonly { readonly fromMs: number; readonly untilMs: number }[] = [];

  /** The least that the clock shows at an instant, unless it was set back after the check. */
  const leastAt = ({ databaseMs, afterMs }: Look, atMs: number): number =>
    databaseMs + Math.max(0, atMs - afterMs) * (1 - SLEW_RATE);

  /** It was set back at some moment between the two checks. */
  const span = (before: Look, now: Look) => {
    const mostMs = now.afterMs - before.beforeMs;
    return { fromMs: now.databaseMs - mostMs, untilMs: before.databaseMs + mostMs };
  };

  return {
    note(databaseMs, beforeMs, afterMs) {
      const look = { databaseMs, beforeMs, afterMs };
      const isSetBack = anchor !== null && databaseMs < leastAt(anchor, beforeMs) - TOLERANCE_MS;
      if (isSetBack) {
        const recent = doubtful.filter(({ untilMs }) => untilMs > databaseMs - REMEMBERED_MS);
        doubtful = [...recent, span(anchor!, look)];
      }
      if (anchor === null || isSetBack || leastAt(look, afterMs) >= leastAt(anchor, afterMs)) anchor = look;
    },
    isDoubtful: (databaseMs) => doubtful.some(({ fromMs, untilMs }) => databaseMs > fromMs && databaseMs <= untilMs),
  };
}
