// Pages and streams of the archive, for all its tables alike. The counts lead to the race where a page begins, however far into the archive; then
// only rows of the races on the page are read, by their keys (D46, D48).
import type { Pool } from 'pg';
import type { Day, Instant } from '../../../domain/race/race';
import {
  type ArchiveRows,
  type ArchiveSelection,
  FLAGS,
  flagValues,
  RACES,
  raceValues,
  type SelectedDay,
  selectedDays,
  startOf,
} from './selection';

/** How one table is read. */
export interface ArchivedTable<R extends object, F extends object = R> {
  readonly what: ArchiveRows;
  /** Its rows of the races $1 (with their starts $2) that pass $3 to $6 (series or null, closing only, flagged, scratched), in order. */
  readonly text: string;
  /** The rows of what the statement finds, where that is not the rows themselves. */
  readonly rows?: (found: readonly F[]) => readonly R[];
}

export interface ArchivePage<R> {
  readonly rows: readonly R[];
  /** Of the selection, before limit and offset. */
  readonly total: number;
  /** Rows of races with a result. */
  readonly resulted: number;
}

interface SelectedRace {
  readonly raceId: string;
  readonly startTime: Instant;
  readonly rows: number;
}

/** Ordered by start, race, runner number and bookmaker (price paths then by instant). Two reads may see two states of a day that is being archived. */
export async function readArchivePage<R extends object, F extends object>(
  pool: Pool,
  table: ArchivedTable<R, F>,
  selection: ArchiveSelection,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<ArchivePage<R>> {
  const days = await selectedDays(pool, table.what, selection);
  const total = days.reduce((sum, { rows }) => sum + rows, 0);
  const resulted = days.reduce((sum, day) => sum + day.resulted, 0);
  const rows: R[] = [];
  const place = placeOf(days, offset);
  if (place === null) return { rows, total, resulted };
  for await (const batch of rowsFrom(pool, table, selection, place, limit, false)) rows.push(...batch);
  return { rows, total, resulted };
}

/**
 * Batches of the rows of a page, however long: each is a short statement of its own, with nothing open while the caller waits. Throws where a race
 * has other rows than its counts: a file has no total that would show what is missing.
 */
export async function* streamArchive<R extends object, F extends object>(
  pool: Pool,
  table: ArchivedTable<R, F>,
  selection: ArchiveSelection,
  limit: number,
  offset: number,
): AsyncGenerator<readonly R[]> {
  const place = offset === 0 ? FIRST : placeOf(await selectedDays(pool, table.what, selection), offset);
  if (place !== null) yield* rowsFrom(pool, table, selection, place, limit, true);
}

/** Where rows begin: after so many of those from the start of a Sydney day on, or of all. */
interface Place {
  readonly from: Day | null;
  readonly skip: number;
}

const FIRST: Place = { from: null, skip: 0 };

async function* rowsFrom<R extends object, F extends object>(
  pool: Pool,
  table: ArchivedTable<R, F>,
  selection: ArchiveSelection,
  place: Place,
  limit: number,
  checked: boolean,
): AsyncGenerator<readonly R[]> {
  let { skip } = place;
  let left = limit;
  for await (const races of racesFrom(pool, table.what, selection, place.from)) {
    const first = races.findIndex(({ rows }) => {
      if (skip < rows) return true;
      skip -= rows;
      return false;
    });
    const wanted = first < 0 ? [] : races.slice(first);
    for (const some of inBatches(wanted)) {
      const needed = upTo(some, skip + left);
      const found = await rowsOf(pool, table, selection, needed);
      if (checked) await checkCount(pool, table.what, selection, needed, found.length);
      const rows = found.slice(skip, skip + left);
      skip = 0;
      left -= rows.length;
      yield rows;
      if (left <= 0) return;
    }
  }
}

/** Few enough that a batch is garbage before the next collection: of 5000 rows every collection kept one, and a file of 200,000 grew the heap by 100 MB. */
const ROWS_AT_ONCE = 1000;

/** Races together while their rows are few; one with more goes alone. */
function inBatches(races: readonly SelectedRace[]): SelectedRace[][] {
  const batches: SelectedRace[][] = [];
  let rows = Number.POSITIVE_INFINITY;
  for (const race of races) {
    if (rows + race.rows > ROWS_AT_ONCE) {
      batches.push([]);
      rows = 0;
    }
    batches.at(-1)!.push(race);
    rows += race.rows;
  }
  return batches;
}

/** The first races, as far as so many rows need them. */
function upTo(races: readonly SelectedRace[], rows: number): readonly SelectedRace[] {
  let before = 0;
  return races.filter((race) => {
    const isNeeded = before < rows;
    before += race.rows;
    return isNeeded;
  });
}

/** Of the row at `offset`; null: there are fewer. */
function placeOf(days: readonly SelectedDay[], offset: number): Place | null {
  let skip = offset;
  for (const { day, rows } of days) {
    if (skip < rows) return { from: day, skip };
    skip -= rows;
  }
  return null;
}

const RACES_AT_ONCE = 40;

/** $14 the first Sydney day or null; $15 and $16 the race after which to go on, or null. */
const SELECTED = `
  SELECT r.race_id AS "raceId", r.start_time AS "startTime", sum(c.n)::integer AS rows
    FROM archived_races r JOIN archived_counts c USING (race_id)
   WHERE ${FLAGS} AND ${RACES}
     AND ($14::timestamptz IS NULL OR r.start_time >= $14)
     AND ($15::timestamptz IS NULL OR (r.start_time, r.race_id) > ($15, $16::uuid))
   GROUP BY r.start_time, r.race_id ORDER BY r.start_time, r.race_id LIMIT ${RACES_AT_ONCE}`;

async function* racesFrom(
  pool: Pool,
  what: ArchiveRows,
  s: ArchiveSelection,
  fromDay: Day | null,
): AsyncGenerator<readonly SelectedRace[]> {
  const flags = flagValues(what, s, null);
  const since = fromDay && startOf(fromDay);
  let after: SelectedRace | null = null;
  for (;;) {
    const values: unknown[] = [...flags, ...raceValues(s), since, after?.startTime ?? null, after?.raceId ?? null];
    const { rows } = await pool.query<SelectedRace>({ name: 'archive-races', text: SELECTED, values });
    if (rows.length > 0) yield rows;
    if (rows.length < RACES_AT_ONCE) return;
    after = rows.at(-1)!;
  }
}

const sumOf = (races: readonly SelectedRace[]): number => races.reduce((sum, { rows }) => sum + rows, 0);

const COUNTED = `
  SELECT COALESCE(sum(c.n), 0)::integer AS rows FROM archived_races r JOIN archived_counts c USING (race_id)
   WHERE ${FLAGS} AND ${RACES} AND r.race_id = ANY ($14::uuid[])`;

async function checkCount(
  pool: Pool,
  what: ArchiveRows,
  s: ArchiveSelection,
  races: readonly SelectedRace[],
  found: number,
): Promise<void> {
  if (found === sumOf(races)) return;
  // A race may have been archived again since its rows were counted.
  const values = [...flagValues(what, s, null), ...raceValues(s), races.map(({ raceId }) => raceId)];
  const { rows } = await pool.query<{ rows: number }>({ name: 'archive-counted', text: COUNTED, values });
  const counted = rows[0]!.rows;
  if (counted !== found)
    throw new Error(`${found} rows of the archive (${what}) instead of ${counted}, from race ${races[0]!.raceId} on`);
}

async function rowsOf<R extends object, F extends object>(
  pool: Pool,
  { what, text, rows }: ArchivedTable<R, F>,
  s: ArchiveSelection,
  races: readonly SelectedRace[],
): Promise<readonly R[]> {
  const keys = [races.map(({ raceId }) => raceId), races.map(({ startTime }) => startTime)];
  const flags = [s.series ?? null, s.closingOnly ?? false, s.includeFlagged ?? false, s.includeScratched ?? false];
  const found = await pool.query<F>({ name: `archive-${what}`, text, values: [...keys, ...flags] });
  return rows ? rows(found.rows) : (found.rows as readonly object[] as readonly R[]);
}
