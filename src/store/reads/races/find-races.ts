// Finds the races that match a query for one race: by id, or by venue, meeting day and number, which two races may
// share. Also a short list of races by their ids.
import type { Pool } from 'pg';
import type { Day, Instant } from '../../../domain/race/race';
import { type BoardRace, type BookTuple, bookOf, booksColumn } from './board';
import { HEAD_COLUMNS, type RaceHead } from './race-window';
import { type RunnerTuple, runnerOf, runnersColumn } from './runners';
import { nearestVenue, venueMatches } from './venue-match';

export type RaceQuery =
  | { readonly raceId: string }
  /** `venue` in any spelling of the feeds, in any case; `day` is the meeting's (AET). */
  | { readonly venue: string; readonly day: Day; readonly raceNumber: number };

export interface LiveRace extends BoardRace {
  readonly jumped_at: Instant | null;
  readonly left_board_at: Instant | null;
}

export type StoredLiveRace = RaceHead &
  Pick<LiveRace, 'jumped_at' | 'left_board_at'> & { runners: RunnerTuple[] | null; books: BookTuple[] | null };

/** With the books $1. */
export const RACES_WITH_BOOKS = `SELECT ${HEAD_COLUMNS}, r.jumped_at, r.left_board_at, ${runnersColumn()} AS runners,
    ${booksColumn('b.race_id = r.race_id AND b.bookmaker_key = ANY ($1) AND b.polled_at IS NOT NULL')} AS books
  FROM races r`;

const BY_ID = { name: 'race-by-id', text: `${RACES_WITH_BOOKS} WHERE r.race_id = $2` };

const BY_NUMBER = {
  name: 'race-by-number',
  text: `${RACES_WITH_BOOKS} WHERE r.meeting_date = $3 AND r.race_number = $4 AND ${venueMatches('ARRAY[$2]')}
    ORDER BY r.start_time, r.race_id`,
};

const BY_IDS = { name: 'races-by-ids', text: `${RACES_WITH_BOOKS} WHERE r.race_id = ANY ($2)` };

/** Of these few races, in any state and unordered. */
export async function racesOfIds(
  pool: Pool,
  raceIds: readonly string[],
  bookmakers: readonly string[],
): Promise<readonly LiveRace[]> {
  if (raceIds.length === 0) return [];
  return (await pool.query<StoredLiveRace>({ ...BY_IDS, values: [bookmakers, raceIds] })).rows.map(liveRaceOf);
}

/** In any state, with these books' quotes; empty if there is no such race. */
export async function findRaces(
  pool: Pool,
  query: RaceQuery,
  bookmakers: readonly string[],
): Promise<readonly LiveRace[]> {
  const statement =
    'raceId' in query
      ? { ...BY_ID, values: [bookmakers, query.raceId] }
      : { ...BY_NUMBER, values: [bookmakers, query.venue, query.day, query.raceNumber] };
  const { rows } = await pool.query<StoredLiveRace>(statement);
  const found = 'raceId' in query ? rows : nearestVenue(rows, query.venue);
  return found.map(liveRaceOf);
}

export const liveRaceOf = (row: StoredLiveRace): LiveRace => ({
  ...row,
  startMs: Date.parse(row.start_time),
  runners: (row.runners ?? []).map(runnerOf),
  books: (row.books ?? []).map(bookOf),
});
