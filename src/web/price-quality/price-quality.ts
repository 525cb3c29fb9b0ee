// Composes what the pages of price quality show. Many viewers cost one read: values are cached for minutes.
import { MARK_MINUTES, type MarkMinutes } from '../../domain/archive/archived-marks';
import type { Category, Day } from '../../domain/race/race';
import { addDays, aetDay } from '../../domain/time/aet';
import { timedCache } from '../board/timed-cache';
import { monthOf, namedPeriod, type Period } from './period';
import type { MarkRow, PriceQualitySource } from './source';

export interface BookQuality {
  readonly bookmaker: string;
  readonly title: string;
  /** Null: it had no price on offer at that mark. */
  readonly marks: Readonly<Record<MarkMinutes, MarkRow | null>>;
}

export interface CodeQuality {
  readonly category: Category;
  /** By title. */
  readonly books: readonly BookQuality[];
}

export interface PriceQualityView {
  readonly period: Period;
  /** Races of it may still be archived. */
  readonly isOpen: boolean;
  readonly codes: readonly CodeQuality[];
  /** Days of its month that have figures, in order. */
  readonly days: readonly Day[];
  /** Months that have figures, newest first. */
  readonly months: readonly string[];
  /** The first day with quotes of known age; null: none yet. */
  readonly checkedFrom: Day | null;
}

export interface PriceQuality {
  /** The month of the newest figures; today's without any. */
  newest(): Promise<PriceQualityView>;
  /** Null: no such day or month, or it has no figures. */
  of(name: string): Promise<PriceQualityView | null>;
}

/** Wall. */
export const CACHED_SECONDS = 300;
const PERIODS_CACHED = 100;
const CODES: readonly Category[] = ['horse', 'greyhound', 'harness'];

interface PriceQualityDeps {
  readonly source: PriceQualitySource;
  /** Race time in epoch milliseconds. */
  now(): number;
  readonly speed: number;
}

export function createPriceQuality({ source, now, speed }: PriceQualityDeps): PriceQuality {
  const listed = timedCache<Awaited<ReturnType<PriceQualitySource['days']>>>(CACHED_SECONDS * 1000 * speed, 1);
  const views = timedCache<PriceQualityView>(CACHED_SECONDS * 1000 * speed, PERIODS_CACHED);
  const days = async () => (await listed.get('', now(), source.days)).value;
  const view = async (period: Period): Promise<PriceQualityView> =>
    (
      await views.get(period.name, now(), async () =>
        viewOf(period, await source.rows(period.from, period.to), await days(), now()),
      )
    ).value;
  return {
    async newest() {
      const [newest] = await days();
      return view(namedPeriod(monthOf(newest?.day ?? aetDay(now())))!);
    },
    async of(name) {
      const period = namedPeriod(name);
      if (period === null || !(await days()).some(({ day }) => day >= period.from && day <= period.to)) return null;
      return view(period);
    },
  };
}

function viewOf(
  period: Period,
  rows: readonly MarkRow[],
  days: readonly { readonly day: Day; readonly checked: boolean }[],
  nowMs: number,
): PriceQualityView {
  const month = monthOf(period.from);
  return {
    period,
    // Yesterday's late races are archived after midnight.
    isOpen: period.to >= addDays(aetDay(nowMs), -1),
    codes: CODES.flatMap((category) => codeOf(category, rows) ?? []),
    days: days.flatMap(({ day }) => (monthOf(day) === month ? [day] : [])).reverse(),
    months: [...new Set(days.map(({ day }) => monthOf(day)))],
    checkedFrom: days.findLast(({ checked }) => checked)?.day ?? null,
  };
}

/** Null: it has no figures. */
function codeOf(category: Category, all: readonly MarkRow[]): CodeQuality | null {
  const rows = all.filter((row) => row.category === category);
  const titles = new Map(rows.map(({ bookmaker, title }) => [bookmaker, title]));
  const books = [...titles].map(([bookmaker, title]) => {
    const at = (minutes: MarkMinutes): MarkRow | null =>
      rows.find((row) => row.bookmaker === bookmaker && row.minutes === minutes) ?? null;
    const marks = Object.fromEntries(MARK_MINUTES.map((minutes) => [minutes, at(minutes)]));
    return { bookmaker, title, marks: marks as BookQuality['marks'] };
  });
  return rows.length === 0 ? null : { category, books: books.sort((a, b) => a.title.localeCompare(b.title, 'en')) };
}
