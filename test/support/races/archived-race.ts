// A race that ran and is archived, by the real stores: polled at chosen instants, resulted if a test wants it, and then
// archived as the workflow would do.
import type { Pool } from 'pg';
import type { ListedRace } from '../../../src/domain/race/feed-race';
import { createArchiveStore } from '../../../src/store/archive/archive';
import { polledRace, type TimedQuotes } from './polled-race';

interface PastRace extends Partial<ListedRace> {
  readonly startTime: string;
  /** The numbers of its placings, from first to last. Default: no result. */
  readonly placed?: readonly number[];
}

/** Returns its id. */
export async function archivedRace(
  pool: Pool,
  { placed, ...listed }: PastRace,
  books: Readonly<Record<string, readonly TimedQuotes[]>>,
): Promise<string> {
  const { startTime } = listed;
  const { raceId } = await polledRace(pool, listed, books);
  await pool.query(
    `UPDATE races SET left_board_at = start_time + interval '11 min', jumped_at = start_time WHERE race_id = $1`,
    [raceId],
  );
  if (placed) {
    const placings = JSON.stringify(placed.map((number, i) => ({ position: i + 1, number })));
    await pool.query(
      `INSERT INTO race_results (race_id, status, placings, placings_key, placings_since, field_status, updated_at)
       VALUES ($1, 'final', $2, 'placed', $3, 'pending', $3)`,
      [raceId, placings, startTime],
    );
  }
  await createArchiveStore(pool).archive(raceId, startTime);
  return raceId;
}

/** Marks runners of an archived race, and recounts it. */
export async function markRunners(pool: Pool, raceId: string, change: string): Promise<void> {
  await pool.query('SELECT add_archived_day($1, -1)', [raceId]);
  await pool.query(`UPDATE archived_runners SET ${change} WHERE race_id = $1`, [raceId]);
  await pool.query('SELECT count_archived_race($1)', [raceId]);
}
