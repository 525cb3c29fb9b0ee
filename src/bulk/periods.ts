// The periods of bulk files: Sydney days and calendar months (D45, D47). Pure: the instant is an argument.
import type { Day } from '../domain/race/race';
import { addDays, aetDay, aetDayBounds, isDay } from '../domain/time/aet';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** How long after its end a day is built, when late results are in. */
export const BUILT_AFTER_MS = 6 * HOUR_MS;

export interface BulkPeriod {
  readonly kind: 'day' | 'month';
  /** `2026-11-20` or `2026-11`. */
  readonly id: string;
  readonly firstDay: Day;
  readonly lastDay: Day;
}

/** Null: neither an existing day nor month. */
export function periodOf(id: string): BulkPeriod | null {
  if (isDay(id)) return { kind: 'day', id, firstDay: id, lastDay: id };
  const firstDay = `${id}-01`;
  if (!/^\d{4}-\d\d$/.test(id) || !isDay(firstDay)) return null;
  const nextMonth = `${addDays(firstDay, 31).slice(0, 7)}-01`;
  return { kind: 'month', id, firstDay, lastDay: addDays(nextMonth, -1) };
}

/** From `from` on. */
export function daysOf({ firstDay, lastDay }: BulkPeriod, from: Day): Day[] {
  const days: Day[] = [];
  for (let day = firstDay > from ? firstDay : from; day <= lastDay; day = addDays(day, 1)) days.push(day);
  return days;
}

/** The first instant after the period, epoch milliseconds. */
export const endMs = ({ lastDay }: BulkPeriod): number => aetDayBounds(lastDay).endMs;

/** The last day that is old enough to be built. */
export const lastBuiltDay = (nowMs: number): Day => addDays(aetDay(nowMs - BUILT_AFTER_MS), -1);

/** The stored facts of a built period. */
export interface Built {
  readonly period: string;
  readonly columnsKey: string;
  readonly checkedMs: number;
  readonly builtMs: number;
  /** Of the served files: an earlier release published them without. */
  readonly hasManifest: boolean;
}

/** Rows change less the older they are: a week after ten weeks, and never twice within a day. */
const recheckAfterMs = (ageMs: number): number => Math.max(DAY_MS, ageMs / 10);

/**
 * What is to be built, checked again or signed, in this order: days, newest first; then months whose days are all
 * built, at least one of them after the month, or that have no manifest. `from`: the first day with rows.
 */
export function periodsDue(from: Day, built: readonly Built[], columnsKey: string, nowMs: number): BulkPeriod[] {
  const byPeriod = new Map(built.map((one) => [one.period, one]));
  const until = lastBuiltDay(nowMs);
  const days: BulkPeriod[] = [];
  const months: BulkPeriod[] = [];
  for (let day = until; day >= from; day = addDays(day, -1)) {
    const period = periodOf(day)!;
    if (isDayDue(period, byPeriod.get(day), columnsKey, nowMs)) days.push(period);
  }
  for (let day = from; day <= until; day = addDays(`${day.slice(0, 7)}-01`, 31)) {
    const month = periodOf(day.slice(0, 7))!;
    const parts = daysOf(month, from).map((one) => byPeriod.get(one));
    const isComplete = month.lastDay <= until && parts.every((part) => part?.columnsKey === columnsKey);
    const own = byPeriod.get(month.id);
    const newest = Math.max(...parts.map((part) => part?.builtMs ?? 0));
    const isOutdated = own?.columnsKey !== columnsKey || (newest > own.builtMs && nowMs - own.builtMs >= DAY_MS);
    if ((isComplete && isOutdated) || isUnsigned(own, columnsKey)) months.push(month);
  }
  return [...days, ...months];
}

function isDayDue(period: BulkPeriod, built: Built | undefined, columnsKey: string, nowMs: number): boolean {
  if (built?.columnsKey !== columnsKey || isUnsigned(built, columnsKey)) return true;
  return nowMs - built.checkedMs >= recheckAfterMs(nowMs - endMs(period));
}

const isUnsigned = (built: Built | undefined, columnsKey: string): boolean =>
  built?.columnsKey === columnsKey && !built.hasManifest;
