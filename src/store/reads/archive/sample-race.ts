// The race of the sample rows for callers who may not read the archive: the newest one with a final result, no suspect,
// and prices of its winner, within the last archived fortnight.
import type { Pool } from 'pg';

export interface SampleRace {
  readonly raceId: string;
  readonly winner: { readonly number: number; readonly runnerKey: string };
  /** The book with the most captured prices of the winner, among those that customers may see. */
  readonly bookmaker: string;
}

interface Row {
  readonly raceId: string;
  readonly number: number;
  readonly runnerKey: string;
  readonly bookmaker: string;
}

const SAMPLE = {
  name: 'archive-sample',
  text: `SELECT r.race_id AS "raceId", w.number, w.runner_key AS "runnerKey", p.bookmaker
    FROM archived_races r
    JOIN LATERAL (SELECT runner, number, runner_key FROM archived_runners u
                   WHERE u.race_id = r.race_id AND u.finish_position = 1 AND NOT u.name_fragment_suspect AND NOT u.scratched
                   ORDER BY runner LIMIT 1) w ON true
    JOIN LATERAL (SELECT bookmaker_key AS bookmaker FROM archived_price_paths a
                   WHERE a.start_time = r.start_time AND a.race_id = r.race_id AND a.runner = w.runner
                   GROUP BY bookmaker_key ORDER BY count(*) DESC, bookmaker_key LIMIT 1) p ON true
   WHERE r.start_time >= (SELECT max(start_time) FROM archived_races) - interval '14 days' AND r.result_status = 'final' AND r.outcome = 'closed' AND NOT r.venue_split_suspect
   ORDER BY r.start_time DESC, r.race_id LIMIT 1`,
};

export async function readSampleRace(pool: Pool): Promise<SampleRace | null> {
  const [row] = (await pool.query<Row>(SAMPLE)).rows;
  if (!row) return null;
  const { raceId, number, runnerKey, bookmaker } = row;
  return { raceId, winner: { number, runnerKey }, bookmaker };
}
