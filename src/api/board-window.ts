// Which races of the live board a question is about, by the clock of the call.
import { aetDayBounds } from '../domain/time/aet';
import type { RaceWindow } from '../store/reads/races/race-window';

const HOUR_MS = 3_600_000;

/** An hour past its start a race has jumped whatever was seen, and ten minutes later it is off the board; later ones have lost their workflow. */
const LATE_START_MS = 70 * 60_000;

export interface HorizonQuery {
  readonly hours_ahead: number;
  readonly date?: string;
}

/** The races of the live board that are asked for, by advertised start; a day is the meeting's (AET). */
export function windowOf(query: HorizonQuery, nowMs: number): Pick<RaceWindow, 'from' | 'until' | 'day'> {
  const from = new Date(nowMs - LATE_START_MS).toISOString();
  const { date } = query;
  if (date === undefined) return { from, until: new Date(nowMs + query.hours_ahead * HOUR_MS).toISOString() };
  // A foreign meeting of this day may start after midnight in Sydney.
  return { from, until: new Date(aetDayBounds(date).endMs + 24 * HOUR_MS).toISOString(), day: date };
}
