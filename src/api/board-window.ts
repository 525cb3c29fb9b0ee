// The window of advertised starts that a request covers.
import { aetDay, aetDayBounds } from '../domain/time/aet';
import { planForHorizon } from '../plans/plans';
import type { RaceWindow } from '../store/reads/races/race-window';

const HOUR_MS = 3_600_000;

/** A race counts as jumped an hour after its start at the latest and leaves the board ten minutes later. */
const LATE_START_MS = 70 * 60_000;

export interface HorizonQuery {
  readonly hours_ahead: number;
  readonly date?: string;
}

/** Whole hours from now to the end of the request. Today counts at most 24, even when daylight saving makes it 25 hours long. */
export function hoursUsed({ hours_ahead, date }: HorizonQuery, nowMs: number): number {
  if (date === undefined) return hours_ahead;
  const hours = Math.ceil((aetDayBounds(date).endMs - nowMs) / HOUR_MS);
  return date === aetDay(nowMs) ? Math.min(hours, 24) : hours;
}

/** `date` is a meeting day (AET). */
export function windowOf(query: HorizonQuery, nowMs: number): Pick<RaceWindow, 'from' | 'until' | 'day'> {
  const from = new Date(nowMs - LATE_START_MS).toISOString();
  const { date } = query;
  if (date === undefined) return { from, until: new Date(nowMs + query.hours_ahead * HOUR_MS).toISOString() };
  // A race of a foreign meeting of this day may start after midnight in Sydney, but no plan that reaches the day looks further than it may.
  const used = hoursUsed(query, nowMs);
  const ceilingMs = nowMs + (planForHorizon(used)?.horizonHours ?? used) * HOUR_MS;
  const untilMs = Math.min(aetDayBounds(date).endMs + 24 * HOUR_MS, ceilingMs);
  return { from, until: new Date(untilMs).toISOString(), day: date };
}
