// Pages and streams of the archive, for all its tables: only rows of the races on the page are read, by their keys
// (D46, D48).
import type { Pool } from 'pg';
import {
  asCounted,
  asPlanned,
  type Batch,
  type BatchReader,
  partsOf,
  racesFrom,
  type SelectedRace,
  sumOf,
} from '../archived-batches';
import { type Lines, partOfLines } from '../csv/lines';
import type { ArchiveRows, ArchiveSelection } from '../selection';
import { type PageBounds, type PageMark, type PagePlan, planPage } from './page-plan';
import { selectedRows } from './selected-rows';

/** How one table is read. */
export interface ArchivedTable<R extends object, F extends object = R> {
  readonly what: ArchiveRows;
  /**
   * Its rows of the races $1 (with their starts $2) that pass $3 to $6 (series or null, closing only, flagged,
   * scratched), in order. $7 and $8 are the first and the last start: the server then plans for the few chunks between
   * them.
   */
  readonly text: string;
  /** The rows of the statement's result, if they are not the result itself. */
  readonly rows?: (found: readonly F[]) => readonly R[];
}

export interface ArchivedLines {
  readonly what: ArchiveRows;
  /** In order: texts of whole `lines`, and their number of `rows`. Parameters as above. */
  readonly text: string;
}

export interface ArchivePage<R> {
  readonly rows: readonly R[];
  /** Of the selection, before limit and offset. */
  readonly total: number;
  /** Rows of races with a result. */
  readonly resulted: number;
  /** Null: this page is the last. */
  readonly next: PageMark | null;
}

/** For a page during which a race was archived again: it is then read anew. */
const ATTEMPTS = 3;

/**
 * Ordered by start, race, runner number and bookmaker (price paths then by instant). If a race has other rows than its
 * counts, those that exist.
 */
export async function readArchivePage<R extends object, F extends object>(
  pool: Pool,
  table: ArchivedTable<R, F>,
  selection: ArchiveSelection,
  page: PageBounds,
): Promise<ArchivePage<R>> {
  const read = rowsOf(pool, table, selection);
  for (let attempt = 1; ; attempt++) {
    const plan = await planPage(pool, table.what, selection, page);
    const rows: R[] = [];
    let isAsPlanned = true;
    const check: BatchReader<never>['check'] = (races, found) => {
      isAsPlanned &&= found === sumOf(races);
    };
    for await (const part of partsOf([plan.races], { read, check }, plan.skip, plan.rows)) rows.push(...part);
    const { total, resulted, next } = plan;
    if (isAsPlanned || attempt === ATTEMPTS) return { rows, total, resulted, next };
  }
}

/** The first row, or a planned page: its races have the rows of its plan, or the stream breaks. */
export type Beginning = number | PagePlan;

/**
 * Batches of rows, any number of them: each is its own short statement, with nothing open while the caller waits.
 * Throws if a race has other rows than its counts, because a file does not show what is missing.
 */
export const streamArchive = <R extends object, F extends object>(
  pool: Pool,
  table: ArchivedTable<R, F>,
  selection: ArchiveSelection,
  limit: number,
  begin: Beginning,
): AsyncGenerator<readonly R[]> => streamed(pool, table.what, rowsOf(pool, table, selection), selection, limit, begin);

/** The same rows as lines of CSV, without a header: texts of whole lines. */
export const streamArchivedLines = (
  pool: Pool,
  table: ArchivedLines,
  selection: ArchiveSelection,
  limit: number,
  begin: Beginning,
): AsyncGenerator<readonly string[]> =>
  streamed(pool, table.what, linesOf(pool, table, selection), selection, limit, begin);

async function* streamed<T>(
  pool: Pool,
  what: ArchiveRows,
  read: (races: readonly SelectedRace[]) => Promise<Batch<T>>,
  selection: ArchiveSelection,
  limit: number,
  begin: Beginning,
): AsyncGenerator<T> {
  if (typeof begin !== 'number') {
    yield* partsOf([begin.races], { read, check: asPlanned(what) }, begin.skip, Math.min(limit, begin.rows));
    return;
  }
  const selected = await selectedRows(pool, what, selection);
  const place = await selected.placeOf(begin);
  if (place === null) return;
  const races = racesFrom(pool, what, selected.selection, place.since);
  yield* partsOf(races, { read, check: asCounted(pool, what, selection) }, place.skip, limit);
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
