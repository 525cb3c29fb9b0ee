// Pages and streams of the archive, for all its tables alike. The counts lead to the race where a page begins, however far into the archive; then
// only rows of the races on the page are read, by their keys (D46, D48).
import type { Pool } from 'pg';
import type { Instant } from '../../../domain/race/race';
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
export interface ArchivedTable {
  readonly what: ArchiveRows;
  /** Its rows of the races $1 (with their starts $2) that pass $3 to $6 (series or null, closing only, flagged, scratched), in order. */
  readonly text: string;
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
export async function readArchivePage<R extends object>(
  pool: Pool,
  table: ArchivedTable,
  selection: ArchiveSelection,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<ArchivePage<R>> {
  const days = await selectedDays(pool, table.what, selection);
  const total = days.reduce((sum, { rows }) => sum + rows, 0);
  const resulted = days.reduce((sum, day) => sum + day.resulted, 0);
  const rows: R[] = [];
  const { from, skip } = dayOf(days, offset);
  if (from === null || limit === 0) return { rows, total, resulted };
  let left = skip;
  for await (const batch of racesFrom(pool, table.what, selection, from)) {
    const wanted: SelectedRace[] = [];
    let found = 0;
    for (const race of batch) {
      if (wanted.length === 0 && race.rows <= left) left -= race.rows;
      else if (found < left + limit - rows.length) {
        wanted.push(race);
        found += race.rows;
      } else break;
    }
    if (wanted.length === 0) continue;
    const read = await rowsOf<R>(pool, table, selection, wanted);
    rows.push(...read.slice(left, left + limit - rows.length));
    left = 0;
    if (rows.length >= limit) break;
  }
  return { rows, total, resulted };
}

/** Batches of rows from the first on, at most `limit` in all: each is a short statement of its own, with nothing open while the caller waits. */
export async function* streamArchive<R extends object>(
  pool: Pool,
  table: ArchivedTable,
  selection: ArchiveSelection,
  limit: number,
): AsyncGenerator<readonly R[]> {
  let sent = 0;
  for await (const races of racesFrom(pool, table.what, selection, null)) {
    for (const some of inBatches(races)) {
      const rows = (await rowsOf<R>(pool, table, selection, some)).slice(0, limit - sent);
      sent += rows.length;
      yield rows;
      if (sent >= limit) return;
    }
  }
}

const ROWS_AT_ONCE = 5000;

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

/** The start of the Sydney day in which the row at `offset` is, and how many rows of it come before. */
function dayOf(days: readonly SelectedDay[], offset: number): { readonly from: string | null; readonly skip: number } {
  let skip = offset;
  for (const { day, rows } of days) {
    if (skip < rows) return { from: day, skip };
    skip -= rows;
  }
  return { from: null, skip: 0 };
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
  fromDay: string | null,
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

async function rowsOf<R extends object>(
  pool: Pool,
  { what, text }: ArchivedTable,
  s: ArchiveSelection,
  races: readonly SelectedRace[],
): Promise<readonly R[]> {
  const keys = [races.map(({ raceId }) => raceId), races.map(({ startTime }) => startTime)];
  const flags = [s.series ?? null, s.closingOnly ?? false, s.includeFlagged ?? false, s.includeScratched ?? false];
  return (await pool.query<R>({ name: `archive-${what}`, text, values: [...keys, ...flags] })).rows;
}
