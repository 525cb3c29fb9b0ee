// The races that a list of bets names, in one statement: runners, market close and outcome of each.
import type { Pool } from 'pg';
import type { Day, Instant } from '../../../domain/race/race';
import type { ResultRunner } from '../../../domain/results/result';
import { HEAD_COLUMNS, type RaceHead } from '../races/race-window';
import { type RunnerRow, type RunnerTuple, runnerOf, runnersColumn } from '../races/runners';
import { HAS_RESULTS_FEED, type ResultDeduction, type ResultPlacing } from './results';

/** A `RaceQuery` for many races. */
export interface BetRacesQuery {
  readonly raceIds: readonly string[];
  /** `venue` in any spelling of the feeds, in any case; `day` is the meeting's (AET). */
  readonly named: readonly { readonly venue: string; readonly day: Day; readonly raceNumber: number }[];
}

interface BetRaceOutcome {
  readonly status: 'interim' | 'final' | 'abandoned';
  readonly placings: readonly ResultPlacing[];
  readonly runners: readonly ResultRunner[] | null;
  readonly deductions: readonly ResultDeduction[];
}

export interface BetRace extends RaceHead {
  readonly meeting_date: Day;
  readonly jumped_at: Instant | null;
  /** For a race whose ticks are gone: the jump to which its archive counts. */
  readonly archived_jump_at: Instant | null;
  readonly runners: readonly RunnerRow[];
  /** Every spelling of its venue that a feed has used. */
  readonly spellings: readonly string[];
  /** Null while the race has no result, and always in Hong Kong (A 1). */
  readonly outcome: BetRaceOutcome | null;
}

const BET_RACES = {
  name: 'bet-races',
  text: `SELECT ${HEAD_COLUMNS}, r.meeting_date, r.jumped_at,
      CASE WHEN a.ticks_dropped_at IS NOT NULL THEN a.jump_at END AS archived_jump_at, ${runnersColumn()} AS runners,
      ARRAY(SELECT DISTINCT s.spelling FROM venue_spellings s WHERE s.venue_id = r.venue_id) AS spellings,
      CASE WHEN x.status IS NOT NULL AND ${HAS_RESULTS_FEED} THEN json_build_object('status', x.status, 'placings', x.placings,
        'runners', x.runners, 'deductions', x.deductions) END AS outcome
    FROM races r LEFT JOIN race_results x USING (race_id) LEFT JOIN archived_races a USING (race_id)
    WHERE r.race_id = ANY ($1::uuid[])
      OR (r.meeting_date = ANY ($3::date[]) AND EXISTS (
        SELECT FROM unnest($2::text[], $3::date[], $4::smallint[]) AS q (venue, day, number)
         WHERE q.day = r.meeting_date AND q.number = r.race_number AND (lower(q.venue) = lower(r.venue)
           OR EXISTS (SELECT FROM venue_spellings s WHERE s.venue_id = r.venue_id AND lower(s.spelling) = lower(q.venue)))))
    ORDER BY r.start_time, r.race_id`,
};

/** Each race once, by start. */
export async function readBetRaces(pool: Pool, { raceIds, named }: BetRacesQuery): Promise<readonly BetRace[]> {
  const names = [named.map(({ venue }) => venue), named.map(({ day }) => day), named.map((one) => one.raceNumber)];
  const { rows } = await pool.query<Omit<BetRace, 'runners'> & { runners: RunnerTuple[] | null }>({
    ...BET_RACES,
    values: [raceIds, ...names],
  });
  return rows.map((row) => ({ ...row, runners: (row.runners ?? []).map(runnerOf) }));
}
