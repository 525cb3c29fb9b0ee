// Which rows of the archive a query selects, as conditions over their counts and over archived races.
import type { Category, Day, Instant } from '../../../domain/race/race';
import { aetDayBounds } from '../../../domain/time/aet';

/** `line`: closing lines; `path`: price paths; `summary`: market summaries. */
export type ArchiveRows = 'line' | 'path' | 'summary';

/** All present filters apply together. An absent filter selects everything. */
export interface ArchiveSelection {
  /** By race start; `until` exclusive. A bare date is a Sydney day (D45), whose bounds the caller supplies. */
  readonly from?: Instant;
  readonly until?: Instant;
  /** By the meeting's day. */
  readonly meetingDate?: Day;
  readonly raceId?: string;
  /** Exact, in any case. */
  readonly venue?: string;
  readonly categories?: readonly Category[];
  readonly countries?: readonly string[];
  /** Bookmakers; for summaries signals. */
  readonly series?: readonly string[];
  /** Only genuine closing lines. Only closing lines have it. */
  readonly closingOnly?: boolean;
  readonly resultedOnly?: boolean;
  readonly includeFlagged?: boolean;
  /** Price paths and summaries include scratched runners in any case: pass true. */
  readonly includeScratched?: boolean;
}

/** Values $1 to $7 of every statement over counts `c`, with races `r` or days `d`. */
export const FLAGS = `c.what = $1 AND ($2::text[] IS NULL OR c.series = ANY ($2)) AND (NOT $3 OR c.closing) AND ($4 OR NOT (c.split OR c.fragment))
      AND ($5 OR NOT c.scratched)`;

export const flagValues = (what: ArchiveRows, s: ArchiveSelection): unknown[] => [
  what,
  s.series ?? null,
  s.closingOnly ?? false,
  s.includeFlagged ?? false,
  s.includeScratched ?? false,
  s.categories ?? null,
  s.countries ?? null,
];

/** Over `r`: archived races; values from $8 on. */
export const RACES = `($6::text[] IS NULL OR r.category = ANY ($6)) AND ($7::text[] IS NULL OR r.country = ANY ($7))
      AND ($8::timestamptz IS NULL OR r.start_time >= $8) AND ($9::timestamptz IS NULL OR r.start_time < $9)
      AND ($10::date IS NULL OR r.meeting_date = $10) AND ($11::uuid IS NULL OR r.race_id = $11)
      AND ($12::text IS NULL OR lower(r.venue) = lower($12)) AND (NOT $13 OR r.result_status IS NOT NULL)`;

export const raceValues = (s: ArchiveSelection): unknown[] => [
  s.from ?? null,
  s.until ?? null,
  s.meetingDate ?? null,
  s.raceId ?? null,
  s.venue ?? null,
  s.resultedOnly ?? false,
];

export const startOf = (day: Day): Instant => new Date(aetDayBounds(day).startMs).toISOString();
