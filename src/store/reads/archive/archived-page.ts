// Pages and streams of the archive, for all its tables alike: only rows of the races on the page are read, by their keys (D46, D48).
import type { Pool } from 'pg';
import { type Batch, FIRST, partsFrom, placeOf, type SelectedRace } from './archived-batches';
import { type Lines, partOfLines } from './csv/lines';
import { type ArchiveRows, type ArchiveSelection, selectedDays } from './selection';

/** How one table is read. */
export interface ArchivedTable<R extends object, F extends object = R> {
  readonly what: ArchiveRows;
  /**
   * Its rows of the races $1 (with their starts $2) that pass $3 to $6 (series or null, closing only, flagged, scratched), in order. $7 and $8 are the
   * first and the last start: the server then plans for the few chunks between them.
   */
  readonly text: string;
  /** The rows of what the statement finds, where that is not the rows themselves. */
  readonly rows?: (found: readonly F[]) => readonly R[];
}

export interface ArchivedLines {
  readonly what: ArchiveRows;
  /** In order: texts of whole `lines`, and how many `rows` they are. Parameters as above. */
  readonly text: string;
}

export interface ArchivePage<R> {
  readonly rows: readonly R[];
  /** Of the selection, before limit and offset. */
  readonly total: number;
  /** Rows of races with a result. */
  readonly resulted: number;
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
  const read = rowsOf(pool, table, selection);
  const parts = partsFrom(pool, { what: table.what, read, checked: false }, selection, place, limit);
  for await (const part of parts) rows.push(...part);
  return { rows, total, resulted };
}

/**
 * Batches of the rows of a page, however long: each is a short statement of its own, with nothing open while the caller waits. Throws where a race
 * has other rows than its counts: a file has no total that would show what is missing.
 */
export const streamArchive = <R extends object, F extends object>(
  pool: Pool,
  table: ArchivedTable<R, F>,
  selection: ArchiveSelection,
  limit: number,
  offset: number,
): AsyncGenerator<readonly R[]> => streamed(pool, table.what, rowsOf(pool, table, selection), selection, limit, offset);

/** The same rows as lines of CSV, without a header: texts of whole lines. */
export const streamArchivedLines = (
  pool: Pool,
  table: ArchivedLines,
  selection: ArchiveSelection,
  limit: number,
  offset: number,
): AsyncGenerator<readonly string[]> =>
  streamed(pool, table.what, linesOf(pool, table, selection), selection, limit, offset);

async function* streamed<T>(
  pool: Pool,
  what: ArchiveRows,
  read: (races: readonly SelectedRace[]) => Promise<Batch<T>>,
  selection: ArchiveSelection,
  limit: number,
  offset: number,
): AsyncGenerator<T> {
  const place = offset === 0 ? FIRST : placeOf(await selectedDays(pool, what, selection), offset);
  if (place !== null) yield* partsFrom(pool, { what, read, checked: true }, selection, place, limit);
}

const rowsOf =
  <R extends object, F extends object>(pool: Pool, { what, text, rows }: ArchivedTable<R, F>, s: ArchiveSelection) =>
  async (races: readonly SelectedRace[]): Promise<Batch<readonly R[]>> => {
    const { rows: found } = await pool.query<F>({ name: `archive-${what}`, text, values: valuesOf(races, s) });
    const all = rows ? rows(found) : (found as readonly object[] as readonly R[]);
    return { rows: all.length, part: (skip, most) => all.slice(skip, skip + most) };
  };

const linesOf =
  (pool: Pool, { what, text }: ArchivedLines, s: ArchiveSelection) =>
  async (races: readonly SelectedRace[]): Promise<Batch<readonly string[]>> => {
    const { rows: found } = await pool.query<Lines>({
      name: `archive-${what}-lines`,
      text,
      values: valuesOf(races, s),
    });
    return {
      rows: found.reduce((sum, { rows }) => sum + rows, 0),
      part: (skip, most) => partOfLines(found, skip, most),
    };
  };

/** $1 to $8 of every statement that reads rows of races. */
function valuesOf(races: readonly SelectedRace[], s: ArchiveSelection): unknown[] {
  const starts = races.map(({ startTime }) => startTime);
  const flags = [s.series ?? null, s.closingOnly ?? false, s.includeFlagged ?? false, s.includeScratched ?? false];
  return [races.map(({ raceId }) => raceId), starts, ...flags, starts[0], starts.at(-1)];
}
