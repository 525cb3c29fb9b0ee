// Which rows of the archive a query selects, and how many there are: exact, from the counts that are stored with the
// rows (D48). No row of prices is read to count or to skip.
import type { ClientBase } from 'pg';
import type { Category, Day, Instant } from '../../../domain/race/race';
import { addDays, aetDay, aetDayBounds } from '../../../domain/time/aet';

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

/** A Sydney day of starts and the rows selected of it. */
export interface SelectedDay {
  readonly day: Day;
  readonly rows: number;
  /** Of races with a result. */
  readonly resulted: number;
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

/** Of `series`: the counts over every series are in one row of a day, and have an index of their own. */
const byDay = (series: string): string => `
  SELECT c.start_day AS day, sum(c.n)::bigint AS rows, COALESCE(sum(c.n) FILTER (WHERE c.resulted), 0)::bigint AS resulted
    FROM archived_day_counts c
   WHERE ${FLAGS}${series} AND ($6::text[] IS NULL OR c.category = ANY ($6)) AND ($7::text[] IS NULL OR c.country = ANY ($7))
     AND c.start_day >= $8 AND c.start_day < $9 AND (NOT $10 OR c.resulted)
   GROUP BY 1 HAVING sum(c.n) > 0 ORDER BY 1`;
const BY_DAY = { name: 'archive-by-day', text: byDay('') };
const BY_DAY_EVERY = { name: 'archive-by-day-every', text: byDay(" AND c.series = ''") };

const BY_RACE = `
  SELECT r.start_day AS day, sum(c.n)::bigint AS rows, COALESCE(sum(c.n) FILTER (WHERE r.result_status IS NOT NULL), 0)::bigint AS resulted
    FROM archived_races r JOIN archived_counts c USING (race_id)
   WHERE ${FLAGS} AND ${RACES}
   GROUP BY 1 ORDER BY 1`;

/**
 * Ascending. Their sum is the total of the selection: use a client that reads one moment, or a day may be counted in
 * two states.
 */
export async function selectedDays(
  client: Pick<ClientBase, 'query'>,
  what: ArchiveRows,
  s: ArchiveSelection,
): Promise<readonly SelectedDay[]> {
  const byRace = async (part: ArchiveSelection): Promise<readonly SelectedDay[]> =>
    (
      await client.query<SelectedDay>({
        name: 'archive-by-race',
        text: BY_RACE,
        values: [...flagValues(what, s), ...raceValues(part)],
      })
    ).rows;
  if (s.meetingDate !== undefined || s.raceId !== undefined || s.venue !== undefined) return byRace(s);
  const { first, end } = wholeDays(s);
  if (first >= end) return byRace(s);
  const { rows: days } = await client.query<SelectedDay>({
    ...(s.series ? BY_DAY : BY_DAY_EVERY),
    values: [...flagValues(what, s), first, end, s.resultedOnly ?? false],
  });
  const before = s.from === undefined || s.from === startOf(first) ? [] : await byRace({ ...s, until: startOf(first) });
  const after = s.until === undefined || s.until === startOf(end) ? [] : await byRace({ ...s, from: startOf(end) });
  return [...before, ...days, ...after];
}

export const startOf = (day: Day): Instant => new Date(aetDayBounds(day).startMs).toISOString();

const EVER: Day = '2000-01-01';
const NEVER: Day = '2100-01-01';

/** The Sydney days that lie entirely within the selection; none if `first` is not before `end`. */
function wholeDays({ from, until }: ArchiveSelection): { first: Day; end: Day } {
  const end = until === undefined ? NEVER : aetDay(Date.parse(until));
  if (from === undefined) return { first: EVER, end };
  const day = aetDay(Date.parse(from));
  return { first: Date.parse(from) === aetDayBounds(day).startMs ? day : addDays(day, 1), end };
}
