// Sydney calendar days (AET), computed from the New South Wales daylight saving rule, so that they are the same inside
// and outside a workflow. Never uses Intl, whose tables change under a running workflow.
import type { Day } from '../race/race';

const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
const STANDARD_OFFSET_MS = 10 * HOUR_MS;
const DAYLIGHT_OFFSET_MS = 11 * HOUR_MS;
const APRIL = 3;
const OCTOBER = 9;

/** Daylight saving changes at 02:00 standard time on a Sunday, which is 16:00 UTC on the Saturday before. */
function changeMs(year: number, month: number): number {
  const firstOfMonth = new Date(Date.UTC(year, month, 1)).getUTCDay();
  const firstSunday = 1 + ((7 - firstOfMonth) % 7);
  return Date.UTC(year, month, firstSunday, 16) - DAY_MS;
}

/**
 * Milliseconds by which Sydney is ahead of UTC at `ms`. Daylight saving runs from the first Sunday of October to the
 * first Sunday of April (Standard Time Act 1987 NSW s 5, since 2008).
 */
function offsetMs(ms: number): number {
  const year = new Date(ms).getUTCFullYear();
  const standard = ms >= changeMs(year, APRIL) && ms < changeMs(year, OCTOBER);
  return standard ? STANDARD_OFFSET_MS : DAYLIGHT_OFFSET_MS;
}

const dayText = (utcMs: number): Day => new Date(utcMs).toISOString().slice(0, 10);

/** The Sydney calendar day at `ms` epoch milliseconds. Exact from July 2008 on, when the current rule began. */
export function aetDay(ms: number): Day {
  return dayText(ms + offsetMs(ms));
}

/**
 * The first instant of a Sydney day and of the next day, in epoch milliseconds: 23, 24 or 25 hours apart. `day` must
 * satisfy {@link isDay}.
 */
export function aetDayBounds(day: Day): { startMs: number; endMs: number } {
  return { startMs: midnightMs(day), endMs: midnightMs(addDays(day, 1)) };
}

/** Both changes fall after local midnight, so the offset an hour before the earlier guess still holds at midnight. */
function midnightMs(day: Day): number {
  const utcMidnight = Date.parse(day);
  return utcMidnight - offsetMs(utcMidnight - DAYLIGHT_OFFSET_MS);
}

/**
 * The calendar day `n` days after `day` (before it if negative). Calendar arithmetic, so no clock change affects it.
 */
export function addDays(day: Day, n: number): Day {
  return dayText(Date.parse(day) + n * DAY_MS);
}

/**
 * Whether `text` is `YYYY-MM-DD` and an existing day: not `2026-02-30`, and not in the year 0, which neither the
 * calendar nor the database has.
 */
export function isDay(text: string): boolean {
  if (!/^(?!0000)\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const ms = Date.parse(text);
  return Number.isFinite(ms) && dayText(ms) === text;
}

/** Sydney wall time for display, `14:10 AEDT`. Never parsed. */
export function aetClock(ms: number): string {
  const offset = offsetMs(ms);
  const zone = offset === DAYLIGHT_OFFSET_MS ? 'AEDT' : 'AEST';
  return `${new Date(ms + offset).toISOString().slice(11, 16)} ${zone}`;
}
