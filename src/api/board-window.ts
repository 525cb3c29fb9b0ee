// The window of advertised starts that a request covers.
import { aetDayBounds } from '../domain/time/aet';
import type { RaceWindow } from '../store/reads/races/race-window';

const HOUR_MS = 3_600_000;

/** A race counts as jumped an hour after its start at the latest and leaves the board ten minutes later. */
const LATE_START_MS = 70 * 60_000;

export interface HorizonQuery {
  readonly hours_ahead: number;
  readonly date?: string;
}

/** `date` is a meeting day (AET). */
export function windowOf(query: HorizonQuery, nowMs: number): Pick<RaceWindow, 'from' | 'until' | 'day'> {
  const from = new Date(nowMs - LATE_START_MS).toISOString();
  const { date } = query;
  if (date === undefined) return { from, until: new Date(nowMs + query.hours_ahead * HOUR_MS).toISOString() };
  // A race of a foreign meeting of this day may start after midnight in Sydney.
  return { from, until: new Date(aetDayBounds(date).endMs + 24 * HOUR_MS).toISOString(), day: date };
}
