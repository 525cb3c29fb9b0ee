// How many rows a query selects and where one of them is: exact, from the counts that are stored with the rows (D48).
// No row of prices is read to count or to skip, and no day of a month that is skipped.
import type { ClientBase } from 'pg';
import type { Day, Instant } from '../../../../domain/race/race';
import { addDays, aetDay, aetDayBounds } from '../../../../domain/time/aet';
import { type ArchiveRows, type ArchiveSelection, FLAGS, flagValues, RACES, raceValues, startOf } from '../selection';

/** Where rows begin: after this many of those of races from this start on. */
export interface BatchPlace {
  readonly since: Instant;
  readonly skip: number;
}

export interface SelectedRows {
  readonly total: number;
  /** Of races with a result. */
  readonly resulted: number;
  /** The same races, without a look at those that start after the last selected day. */
  readonly selection: ArchiveSelection;
  /** Of the row at `offset`; null: there are fewer. */
  placeOf(offset: number): Promise<BatchPlace | null>;
}

/** A Sydney day of starts, or all days of a month that begins with it, and the rows selected. */
interface Span {
  readonly day: Day;
  readonly isMonth: boolean;
  readonly rows: number;
  readonly resulted: number;
}

type Client = Pick<ClientBase, 'query'>;

/** Over counts `c` of days or months. */
const sums = (of: string, day: string, isMonth: boolean, where: string): string => `
  SELECT c.${day} AS day, ${isMonth} AS "isMonth", sum(c.n)::bigint AS rows,
         COALESCE(sum(c.n) FILTER (WHERE c.resulted), 0)::bigint AS resulted
    FROM ${of} c
   WHERE ${FLAGS} AND ($6::text[] IS NULL OR c.category = ANY ($6)) AND ($7::text[] IS NULL OR c.country = ANY ($7))
     AND (NOT $8 OR c.resulted) AND ${where}
   GROUP BY 1 HAVING sum(c.n) > 0`;

const days = (where: string): string => sums('archived_day_counts', 'start_day', false, where);

/** From $9 to before $10. */
const byDay = (series: string): string => `${days(`c.start_day >= $9 AND c.start_day < $10${series}`)} ORDER BY 1`;

/**
 * From $9 to before $10, with whole months from $11 to before $12 in one row each; but the last of them by its days,
 * and what follows it.
 */
const byMonth = (series: string): string => `
  WITH months AS MATERIALIZED (${sums('archived_month_counts', 'month', true, `c.month >= $11 AND c.month < $12${series}`)}),
  last AS MATERIALIZED (SELECT COALESCE(max(day), $12) AS day FROM months)
  SELECT * FROM months WHERE day < (SELECT day FROM last)
  UNION ALL${days(`c.start_day >= $9 AND c.start_day < $11${series}`)}
  UNION ALL${days(`c.start_day >= (SELECT day FROM last) AND c.start_day < $10${series}`)} ORDER BY 1`;

/** The counts over every series are in one row of a day, and have an index of their own. */
const EVERY = " AND c.series = ''";
/** Without a null: a plan for any values, which a statement may have after its fifth use, finds them in the index. */
const SOME = ' AND c.series = ANY ($2)';
const BY_DAY = { name: 'archive-by-day', text: byDay(SOME) };
const BY_DAY_EVERY = { name: 'archive-by-day-every', text: byDay(EVERY) };
const BY_MONTH = { name: 'archive-by-month', text: byMonth(SOME) };
const BY_MONTH_EVERY = { name: 'archive-by-month-every', text: byMonth(EVERY) };

const BY_RACE = {
  name: 'archive-by-race',
  text: `
  SELECT r.start_day AS day, false AS "isMonth", sum(c.n)::bigint AS rows,
         COALESCE(sum(c.n) FILTER (WHERE r.result_status IS NOT NULL), 0)::bigint AS resulted
    FROM archived_races r JOIN archived_counts c USING (race_id)
   WHERE ${FLAGS} AND ${RACES}
   GROUP BY 1 ORDER BY 1`,
};

/** Use a client that reads one moment, or a day may be counted in two states. */
export async function selectedRows(client: Client, what: ArchiveRows, s: ArchiveSelection): Promise<SelectedRows> {
  const spans = await spansOf(client, what, s);
  const sum = (of: 'rows' | 'resulted'): number => spans.reduce((all, span) => all + span[of], 0);
  const placeOf = async (offset: number): Promise<BatchPlace | null> => {
    const { span, skip } = spanAt(spans, offset);
    if (!span) return null;
    if (!span.isMonth) return { since: startOf(span.day), skip };
    const next = monthAfter(span.day);
    const day = spanAt(await daysOf(client, what, s, span.day, next), skip);
    return { since: startOf(day.span?.day ?? next), skip: day.skip };
  };
  return { total: sum('rows'), resulted: sum('resulted'), selection: upToLast(s, spans.at(-1)), placeOf };
}

/** Ascending; the last one is a day. */
async function spansOf(client: Client, what: ArchiveRows, s: ArchiveSelection): Promise<readonly Span[]> {
  const byRace = async (part: ArchiveSelection): Promise<readonly Span[]> =>
    (await client.query<Span>({ ...BY_RACE, values: [...flagValues(what, s), ...raceValues(part)] })).rows;
  if (s.meetingDate !== undefined || s.raceId !== undefined || s.venue !== undefined) return byRace(s);
  const { first, end } = wholeDays(s);
  if (first >= end) return byRace(s);
  const whole = await daysOf(client, what, s, first, end);
  const before = s.from === undefined || s.from === startOf(first) ? [] : await byRace({ ...s, until: startOf(first) });
  const after = s.until === undefined || s.until === startOf(end) ? [] : await byRace({ ...s, from: startOf(end) });
  return [...before, ...whole, ...after];
}

/** Of whole days; by months where there are some. */
async function daysOf(
  client: Client,
  what: ArchiveRows,
  s: ArchiveSelection,
  first: Day,
  end: Day,
): Promise<readonly Span[]> {
  const values = [...flagValues(what, s), s.resultedOnly ?? false, first, end];
  const [from, until] = [first === monthOf(first) ? first : monthAfter(first), monthOf(end)];
  // One month is read by its days.
  if (monthAfter(from) >= until)
    return (await client.query<Span>({ ...(s.series ? BY_DAY : BY_DAY_EVERY), values })).rows;
  const statement = s.series ? BY_MONTH : BY_MONTH_EVERY;
  return (await client.query<Span>({ ...statement, values: [...values, from, until] })).rows;
}

function spanAt(spans: readonly Span[], offset: number): { readonly span: Span | null; readonly skip: number } {
  let skip = offset;
  for (const span of spans) {
    if (skip < span.rows) return { span, skip };
    skip -= span.rows;
  }
  return { span: null, skip };
}

function upToLast(s: ArchiveSelection, last: Span | undefined): ArchiveSelection {
  if (!last) return s;
  const end = startOf(addDays(last.day, 1));
  return { ...s, until: s.until === undefined || Date.parse(end) < Date.parse(s.until) ? end : s.until };
}

/** Its first day. */
const monthOf = (day: Day): Day => `${day.slice(0, 7)}-01`;
const monthAfter = (day: Day): Day => monthOf(addDays(monthOf(day), 31));

const EVER: Day = '2000-01-01';
const NEVER: Day = '2100-01-01';

/** The Sydney days that lie entirely within the selection; none if `first` is not before `end`. */
function wholeDays({ from, until }: ArchiveSelection): { first: Day; end: Day } {
  const end = until === undefined ? NEVER : aetDay(Date.parse(until));
  if (from === undefined) return { first: EVER, end };
  const day = aetDay(Date.parse(from));
  return { first: Date.parse(from) === aetDayBounds(day).startMs ? day : addDays(day, 1), end };
}
