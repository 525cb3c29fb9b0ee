// The races of a day that have left the board, as stored: in batches by start, each its own statement.
import type { Pool } from 'pg';
import type { Day } from '../../../domain/race/race';
import { type LiveRace, liveRaceOf, RACES_WITH_BOOKS, type StoredLiveRace } from './find-races';

export interface DayRacesQuery {
  /** Of the meeting (AET). */
  readonly day: Day;
  /** The only books whose quotes are read. */
  readonly bookmakers: readonly string[];
}

const AT_ONCE = 20;

const RACES = {
  name: 'day-races',
  text: `${RACES_WITH_BOOKS}
    WHERE r.meeting_date = $2 AND r.left_board_at IS NOT NULL AND ($3::timestamptz IS NULL OR (r.start_time, r.race_id) > ($3, $4::uuid))
    ORDER BY r.start_time, r.race_id LIMIT ${AT_ONCE}`,
};

export async function* readDayRaces(
  pool: Pool,
  { day, bookmakers }: DayRacesQuery,
): AsyncGenerator<readonly LiveRace[]> {
  let after: LiveRace | null = null;
  for (;;) {
    const values: unknown[] = [bookmakers, day, after?.start_time ?? null, after?.race_id ?? null];
    const races = (await pool.query<StoredLiveRace>({ ...RACES, values })).rows.map(liveRaceOf);
    if (races.length > 0) yield races;
    if (races.length < AT_ONCE) return;
    after = races.at(-1)!;
  }
}
