// Locates the rows of a page, race by race, from the start that the counts give. Reads them a batch of races at a time,
// each in its own short statement (D46, D48).
import type { ClientBase, Pool, QueryResult } from 'pg';
import type { Instant } from '../../../domain/race/race';
import { type ArchiveRows, type ArchiveSelection, FLAGS, flagValues, RACES, raceValues } from './selection';

export interface SelectedRace {
  readonly raceId: string;
  readonly startTime: Instant;
  readonly rows: number;
}

/** All rows of some races, in order. */
export interface Batch<T> {
  readonly rows: number;
  /** At most this many of them, after the first `skip`. */
  part(skip: number, most: number): T;
}

/** How a batch of races is read. */
export interface BatchReader<T> {
  read(races: readonly SelectedRace[]): Promise<Batch<T>>;
  /** Throws if these races have other rows than expected. */
  check?(races: readonly SelectedRace[], found: number): void | Promise<void>;
}

/** At most `limit` rows of these races, in order, after the first `skipped`. */
export async function* partsOf<T>(
  selected: AsyncIterable<readonly SelectedRace[]> | Iterable<readonly SelectedRace[]>,
  { read, check }: BatchReader<T>,
  skipped: number,
  limit: number,
): AsyncGenerator<T> {
  let skip = skipped;
  let left = limit;
  for await (const races of selected) {
    const first = races.findIndex(({ rows }) => {
      if (skip < rows) return true;
      skip -= rows;
      return false;
    });
    const wanted = first < 0 ? [] : races.slice(first);
    for (const some of inBatches(wanted)) {
      const needed = upTo(some, skip + left);
      const batch = await read(needed);
      await check?.(needed, batch.rows);
      const part = batch.part(skip, left);
      left -= Math.max(0, Math.min(batch.rows - skip, left));
      skip = 0;
      yield part;
      if (left <= 0) return;
    }
  }
}

/**
 * Few enough that a batch is garbage before the next collection: with 5000 rows every collection kept one, and a file
 * of 200,000 grew the heap by 100 MB.
 */
const ROWS_AT_ONCE = 1000;

/** Races together while their rows are few; a larger one goes alone. */
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

/** The first races, as far as this many rows need them. */
function upTo(races: readonly SelectedRace[], rows: number): readonly SelectedRace[] {
  let before = 0;
  return races.filter((race) => {
    const isNeeded = before < rows;
    before += race.rows;
    return isNeeded;
  });
}

/** Enough for most pages; a caller that needs more takes twice as many each time. */
const [RACES_FIRST, RACES_MOST] = [40, 400];

/**
 * $14 the first start; $15 and $16 the race after which to go on, or null. Race by race in order, so that it
 * ends with the last one needed: a join counts every race from there on before the first is known.
 */
const selected = (most: number) => `
  SELECT r.race_id AS "raceId", r.start_time AS "startTime", q.rows
    FROM archived_races r CROSS JOIN LATERAL (
      SELECT sum(c.n)::integer AS rows FROM archived_counts c WHERE c.race_id = r.race_id AND ${FLAGS}) q
   WHERE q.rows > 0 AND ${RACES}
     AND r.start_time >= $14
     AND ($15::timestamptz IS NULL OR (r.start_time, r.race_id) > ($15, $16::uuid))
   ORDER BY r.start_time, r.race_id LIMIT ${most}`;

export async function* racesFrom(
  client: Pick<ClientBase, 'query'>,
  what: ArchiveRows,
  s: ArchiveSelection,
  since: Instant,
): AsyncGenerator<readonly SelectedRace[]> {
  const flags = flagValues(what, s);
  let after: SelectedRace | null = null;
  for (let most = RACES_FIRST; ; most = Math.min(2 * most, RACES_MOST)) {
    // Without a name, so planned each time for its own filters: a plan for any reads every race from the first on.
    const text = selected(most);
    const values: unknown[] = [...flags, ...raceValues(s), since, after?.startTime ?? null, after?.raceId ?? null];
    const { rows }: QueryResult<SelectedRace> = await client.query<SelectedRace>({ text, values });
    if (rows.length > 0) yield rows;
    if (rows.length < most) return;
    after = rows.at(-1)!;
  }
}

export const sumOf = (races: readonly SelectedRace[]): number => races.reduce((sum, { rows }) => sum + rows, 0);

const COUNTED = `
  SELECT COALESCE(sum(c.n), 0)::integer AS rows FROM archived_races r JOIN archived_counts c USING (race_id)
   WHERE ${FLAGS} AND ${RACES} AND r.race_id = ANY ($14::uuid[])`;

/** A race may have been archived again since its rows were counted. */
export const asCounted =
  (pool: Pool, what: ArchiveRows, s: ArchiveSelection) =>
  async (races: readonly SelectedRace[], found: number): Promise<void> => {
    if (found === sumOf(races)) return;
    const values = [...flagValues(what, s), ...raceValues(s), races.map(({ raceId }) => raceId)];
    const { rows } = await pool.query<{ rows: number }>({ name: 'archive-counted', text: COUNTED, values });
    const counted = rows[0]!.rows;
    if (counted !== found) throw otherRows(what, races, found, counted);
  };

/**
 * For a planned page: after a race that was archived again with other rows, the next page would repeat or skip some.
 */
export const asPlanned =
  (what: ArchiveRows) =>
  (races: readonly SelectedRace[], found: number): void => {
    const planned = sumOf(races);
    if (planned !== found) throw otherRows(what, races, found, planned);
  };

const otherRows = (what: ArchiveRows, races: readonly SelectedRace[], found: number, counted: number): Error =>
  new Error(`${found} rows of the archive (${what}) instead of ${counted}, from race ${races[0]!.raceId} on`);
