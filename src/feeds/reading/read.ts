// Typed readers of single wire values: the value in our type, or null. They never throw and never guess; callers count
// a null where a value was expected.

import type { Category, Day, Instant } from '../../domain/race/race';
import { isDay } from '../../domain/time/aet';

export type JsonObject = Readonly<Record<string, unknown>>;

export function asRow(value: unknown): JsonObject | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : null;
}

/** A nested object, or an empty one. */
export function rowOf(value: unknown): JsonObject {
  return asRow(value) ?? NOTHING;
}
const NOTHING: JsonObject = Object.freeze({});

/** The array; empty for anything else. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : NO_ROWS;
}
const NO_ROWS: readonly unknown[] = Object.freeze([]);

/**
 * No name, id or remark is longer. An index entry in the database holds 2,704 bytes, and a character takes up to three.
 */
const LONGEST_TEXT = 500;
/** PostgreSQL accepts neither in text or JSON, and `encodeURIComponent` throws on half a surrogate pair. */
const UNSTORABLE = /[\0\p{Cs}]/gu;

/** Trimmed, without characters that cannot be stored; null if blank or too long. */
export function textOf(value: unknown, longest = LONGEST_TEXT): string | null {
  if (typeof value !== 'string') return null;
  const text = value.replace(UNSTORABLE, '').trim();
  return text === '' || text.length > longest ? null : text;
}

/** Ids may be numbers on the wire. */
export function idOf(value: unknown): string | null {
  return typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : textOf(value);
}

/**
 * A number, or a string with one, because types vary. Null beyond the safe range, where sums and roundings could
 * overflow.
 */
export function numberOf(value: unknown): number | null {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Math.abs(number) <= Number.MAX_SAFE_INTEGER ? number : null;
}

/** The ranges of the columns: smallint, integer. */
const MOST_COUNTED = 32_767;
const MOST_DOLLARS = 2_147_483_647;

/** A whole number above 0 (race, saddlecloth, barrier, metres): these fields use 0 for "none". */
export function countOf(value: unknown): number | null {
  const number = serialOf(value);
  return number !== null && number <= MOST_COUNTED ? number : null;
}

/** A count, where 0 is a valid value. */
export function tallyOf(value: unknown): number | null {
  const number = numberOf(value);
  return number === 0 ? 0 : countOf(number);
}

/** A whole number above 0 of any size: a version, or an id that the book documents as a number. */
export function serialOf(value: unknown): number | null {
  const number = numberOf(value);
  return number !== null && Number.isInteger(number) && number > 0 ? number : null;
}

/** Whole dollars above 0: a number, `16,500`, `$17760.00`. */
export function dollarsOf(value: unknown): number | null {
  const number = numberOf(typeof value === 'string' ? value.replace(/[$,]/g, '') : value);
  const dollars = number === null ? 0 : Math.round(number);
  return dollars > 0 && dollars <= MOST_DOLLARS ? dollars : null;
}

/** Whole dollars won, including 0. */
export const winningsOf = (value: unknown): number | null =>
  /^\$?0+(\.0+)?$/.test(textOf(value) ?? '') ? 0 : dollarsOf(value);

export function positiveOf(value: unknown): number | null {
  const number = numberOf(value);
  return number !== null && number > 0 ? number : null;
}

/** Only a boolean: the string "false" is not accepted. */
export function flagOf(value: unknown): boolean | null {
  return typeof value === 'boolean' ? value : null;
}

/** An instant in another century is an unset clock (`0001-01-01T00:00:00Z`) or not a time. */
const CENTURY = { startMs: Date.UTC(2000, 0, 1), endMs: Date.UTC(2100, 0, 1) } as const;

export function instantOfMs(ms: number): Instant | null {
  return ms >= CENTURY.startMs && ms < CENTURY.endMs ? new Date(ms).toISOString() : null;
}

const ZONED = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2})?(\.\d+)?(Z|[+-]\d{2}:?\d{2})$/;

/** RFC 3339 with a zone and any number of fractional digits, cut to milliseconds (D2). Null without a zone. */
export function instantOf(value: unknown): Instant | null {
  return typeof value === 'string' && ZONED.test(value) && dayOf(value) !== null
    ? instantOfMs(Date.parse(value))
    : null;
}

/** A field that is UTC by its name, with or without Z. */
export function utcInstantOf(value: unknown): Instant | null {
  return instantOf(value) ?? (typeof value === 'string' ? instantOf(`${value}Z`) : null);
}

/** Unix seconds; 0 means none. */
export function instantOfSeconds(value: unknown): Instant | null {
  const seconds = positiveOf(value);
  return seconds === null ? null : instantOfMs(seconds * 1000);
}

/** The calendar day at the beginning of a timestamp: `2025-07-17T00:00:00Z` is that day, not an instant. */
export function dayOf(value: unknown): Day | null {
  const day = typeof value === 'string' ? value.slice(0, 10) : '';
  return day.startsWith('20') && isDay(day) ? day : null;
}

const BY_LETTER: Readonly<Record<string, Category>> = { T: 'horse', R: 'horse', H: 'harness', G: 'greyhound' };

/** T (Entain) or R (TAB), H, G. */
export function categoryOfLetter(value: unknown): Category | null {
  return typeof value === 'string' && Object.hasOwn(BY_LETTER, value) ? BY_LETTER[value]! : null;
}
