// Typed readers of one wire value each: the value in our type, or null. They never throw and never guess; callers count what is null
// where something was expected.
import { isDay } from '../domain/aet';
import type { Category, Day, Instant } from '../domain/race';

export type Row = Readonly<Record<string, unknown>>;

export function asRow(value: unknown): Row | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Row) : null;
}

/** A nested object, or one with nothing in it. */
export function rowOf(value: unknown): Row {
  return asRow(value) ?? NOTHING;
}
const NOTHING: Row = Object.freeze({});

/** Missing, null and anything that is not an array read as no rows. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : NO_ROWS;
}
const NO_ROWS: readonly unknown[] = Object.freeze([]);

/** Trimmed; blank is unknown. */
export function textOf(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  const text = value.trim();
  return text === '' ? null : text;
}

/** Ids may be numbers on the wire. */
export function idOf(value: unknown): string | null {
  return typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : textOf(value);
}

/** A finite number, or a string that is one: types wobble. */
export function numberOf(value: unknown): number | null {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : null;
}

/** A whole number above 0: a race, a saddlecloth, a barrier, metres. 0 stands for "none" wherever these are sent. */
export function countOf(value: unknown): number | null {
  const number = numberOf(value);
  return number !== null && Number.isSafeInteger(number) && number > 0 ? number : null;
}

export function positiveOf(value: unknown): number | null {
  const number = numberOf(value);
  return number !== null && number > 0 ? number : null;
}

/** Only a real boolean: the word "false" is not true. */
export function flagOf(value: unknown): boolean | null {
  return typeof value === 'boolean' ? value : null;
}

export function instantOfMs(ms: number): Instant | null {
  return Number.isFinite(ms) && Math.abs(ms) < 8.64e15 ? new Date(ms).toISOString() : null;
}

const ZONED = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2})?(\.\d+)?(Z|[+-]\d{2}:?\d{2})$/;

/** RFC 3339 with its zone, any number of fractional digits, cut to milliseconds (D2). Without a zone it is unreadable. */
export function instantOf(value: unknown): Instant | null {
  return typeof value === 'string' && ZONED.test(value) ? instantOfMs(Date.parse(value)) : null;
}

/** A field whose name says that it is UTC, where nobody says whether it ends in Z. */
export function utcInstantOf(value: unknown): Instant | null {
  return instantOf(value) ?? (typeof value === 'string' ? instantOf(`${value}Z`) : null);
}

/** Unix seconds, 0 = none. */
export function instantOfSeconds(value: unknown): Instant | null {
  const seconds = positiveOf(value);
  return seconds === null ? null : instantOfMs(seconds * 1000);
}

/** The calendar day a stamp begins with, as it stands: `2025-07-17T00:00:00Z` is the day, not an instant. */
export function dayOf(value: unknown): Day | null {
  const day = typeof value === 'string' ? value.slice(0, 10) : '';
  return isDay(day) ? day : null;
}

const BY_LETTER: Readonly<Record<string, Category>> = { T: 'horse', R: 'horse', H: 'harness', G: 'greyhound' };

/** T (Entain) or R (TAB), H, G. */
export function categoryOfLetter(value: unknown): Category | null {
  return typeof value === 'string' && Object.hasOwn(BY_LETTER, value) ? BY_LETTER[value]! : null;
}
