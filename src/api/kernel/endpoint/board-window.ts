// The window of advertised starts that a request covers.
import { LONGEST_ON_BOARD_MS } from '../../../domain/race/board-state';
import { aetDay, aetDayBounds } from '../../../domain/time/aet';
import type { RaceWindow } from '../../../store/reads/races/race-window';

const HOUR_MS = 3_600_000;

export interface HorizonQuery {
  readonly hours_ahead: number;
  readonly date?: string;
}

/**
 * Whole hours from now to the end of the request. Today counts as 24 at most, even when daylight saving makes it 25
 * hours long.
 */
export function hoursUsed({ hours_ahead, date }: HorizonQuery, nowMs: number): number {
  if (date === undefined) return hours_ahead;
  const hours = Math.ceil((aetDayBounds(date).endMs - nowMs) / HOUR_MS);
  return date === aetDay(nowMs) ? Math.min(hours, 24) : hours;
}

export function windowOf(hoursAhead: number, nowMs: number): Pick<RaceWindow, 'at' | 'from' | 'until'> {
  return {
    at: new Date(nowMs).toISOString(),
    from: new Date(nowMs - LONGEST_ON_BOARD_MS).toISOString(),
    until: new Date(nowMs + hoursAhead * HOUR_MS).toISOString(),
  };
}

/**
 * `date` is a meeting day (AET): its foreign races may start after midnight in Sydney, so the whole horizon of the plan
 * is searched for them (A 4.1).
 */
export function horizonWindow(
  { hours_ahead, date }: HorizonQuery,
  nowMs: number,
  horizonHours: number,
): Pick<RaceWindow, 'at' | 'from' | 'until' | 'day'> {
  return date === undefined ? windowOf(hours_ahead, nowMs) : { ...windowOf(horizonHours, nowMs), day: date };
}
