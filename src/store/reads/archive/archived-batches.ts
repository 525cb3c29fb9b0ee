// Where the rows of a page are, race by race: the counts lead to the first of its races, however far into the archive, and to those after it. Reads
// them a batch of races at a time, each in a short statement of its own (D46, D48).
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
  startOf,
} from './selection';

export interface SelectedRace {
  readonly raceId: string;
  readonly startTime: Instant;
  readonly rows: number;
}

/** All rows of some races, in order. */
export interface Batch<T> {
  readonly rows: number;
  /** At most so many of them, after the first `skip`. */
  part(skip: number, most: number): T;
}

/** Of one kind of rows, how a batch of races is read. */
export interface Reading<T> {
  readonly what: ArchiveRows;
  read(races: readonly SelectedRace[]): Promise<Batch<T>>;
  /** Throws where a race has other rows than its counts. */
  readonly checked: boolean;
}

/** Where rows begin: after so many of those from the start of a Sydney day on, or of all. */
export interface Place {
  readonly from: Day | null;
  readonly skip: number;
}

export const FIRST: Place = { from: null, skip: 0 };

/** At most `limit` rows from there on. */
export async function* partsFrom<T>(
  pool: Pool,
  { what, read, checked }: Reading<T>,
  selection: ArchiveSelection,
  place: Place,
  limit: number,
): AsyncGenerator<T> {
  let { skip } = place;
  let left = limit;
  for await (const races of racesFrom(pool, what, selection, place.from)) {
    const first = races.findIndex(({ rows }) => {
      if (skip < rows) return true;
      skip -= rows;
      return false;
    });
    const wanted = first < 0 ? [] : races.slice(first);
    for (const some of inBatches(wanted)) {
      const needed = upTo(some, skip + left);
      const batch = await read(needed);
      if (checked) await checkCount(pool, what, selection, needed, batch.rows);
      const part = batch.part(skip, left);
      left -= Math.max(0, Math.min(batch.rows - skip, left));
      skip = 0;
      yield part;
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
export function placeOf(days: readonly SelectedDay[], offset: number): Place | null {
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
