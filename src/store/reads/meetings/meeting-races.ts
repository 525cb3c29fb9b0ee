// The races of a day's meetings, or of one race's meeting, for their pages: what decides the state of each, and its
// winner. One statement each.
import type { Pool, QueryConfig } from 'pg';
import type { BoardFacts } from '../../../domain/race/board-state';
import type { Day, Instant } from '../../../domain/race/race';
import { addDays } from '../../../domain/time/aet';
import { domesticColumns } from '../races/international';
import type { RaceName } from '../races/race-window';
import { HAS_RESULTS_FEED } from '../results/results';

export interface MeetingRaceRow extends RaceName, BoardFacts {
  readonly meeting_date: Day;
  readonly venue_id: string;
  /** Of a venue with two meetings of a code on a day, which one. */
  readonly card: number;
  readonly track_condition: string | null;
  readonly track_condition_changed_at: Instant | null;
  readonly weather: string | null;
  readonly result_status: 'interim' | 'final' | 'abandoned' | null;
  /** The first place; dead heats have several. */
  readonly winners: readonly { readonly number: number; readonly name: string | null }[];
}

/** The first and last day with a race; null without any. */
export interface MeetingSpan {
  readonly first: Day | null;
  readonly last: Day | null;
}

/** More than a day or a meeting has. */
const MOST_OF_DAY = 2000;
const MOST_OF_MEETING = 40;
/** A venue that races every day has more in its days. */
const MOST_OF_VENUE = 300;
const DAYS_BACK = 60;
const DAYS_AHEAD = 7;

const RACES = `SELECT r.race_id, r.meeting_date, r.venue, r.venue_id, r.card, r.race_number, r.category, r.country, r.start_time, r.status,
      ${domesticColumns('track_condition', 'track_condition_changed_at', 'weather')},
      r.market_status, r.market_closed_at, r.market_state_source, r.jumped_at, r.left_board_at,
      CASE WHEN ${HAS_RESULTS_FEED} THEN x.status END AS result_status,
      CASE WHEN ${HAS_RESULTS_FEED} THEN COALESCE(
        (SELECT json_agg(json_build_object('number', (p->>'number')::integer, 'name', p->>'name') ORDER BY (p->>'number')::integer)
           FROM jsonb_array_elements(x.placings) p WHERE (p->>'position')::integer = 1), '[]') ELSE '[]' END AS winners
    FROM races r LEFT JOIN race_results x USING (race_id)`;

const OF_DAY = {
  name: 'meeting-races-of-day',
  text: `${RACES} WHERE r.meeting_date = $1 ORDER BY r.start_time, r.race_id LIMIT ${MOST_OF_DAY}`,
};

const OF_RACE = {
  name: 'meeting-races-of-race',
  text: `${RACES}
    WHERE (r.meeting_date, r.category, r.venue_id, r.card) =
      (SELECT m.meeting_date, m.category, m.venue_id, m.card FROM races m WHERE m.race_id = $1)
    ORDER BY r.race_number LIMIT ${MOST_OF_MEETING}`,
};

const OF_VENUE = {
  name: 'meeting-races-of-venue',
  text: `${RACES}
    WHERE r.venue_id = $1 AND r.meeting_date BETWEEN $2::date AND $3::date
      AND r.start_time >= $2::date - interval '2 days' AND r.start_time < $3::date + interval '3 days'
    ORDER BY r.meeting_date DESC, r.start_time DESC, r.race_id LIMIT ${MOST_OF_VENUE + 1}`,
};

const SPAN = {
  name: 'meeting-span',
  text: 'SELECT min(meeting_date) AS first, max(meeting_date) AS last FROM races',
};

const readRaces = async (pool: Pool, statement: QueryConfig): Promise<readonly MeetingRaceRow[]> =>
  (await pool.query<MeetingRaceRow>(statement)).rows;

/** By start. */
export const readMeetingRaces = (pool: Pool, day: Day): Promise<readonly MeetingRaceRow[]> =>
  readRaces(pool, { ...OF_DAY, values: [day] });

/** By number; empty if there is no such race. */
export const readMeetingOf = (pool: Pool, raceId: string): Promise<readonly MeetingRaceRow[]> =>
  readRaces(pool, { ...OF_RACE, values: [raceId] });

/** Whole days, newest first, from the next week back through 60 days, or fewer if these have too many races. */
export async function readMeetingsOfVenue(pool: Pool, venueId: string, today: Day): Promise<readonly MeetingRaceRow[]> {
  const days = [addDays(today, -DAYS_BACK), addDays(today, DAYS_AHEAD)];
  const races = await readRaces(pool, { ...OF_VENUE, values: [venueId, ...days] });
  const cutDay = races[MOST_OF_VENUE]?.meeting_date;
  return cutDay === undefined ? races : races.filter(({ meeting_date: day }) => day > cutDay);
}

export const readMeetingSpan = async (pool: Pool): Promise<MeetingSpan> =>
  (await pool.query<MeetingSpan>(SPAN)).rows[0]!;
