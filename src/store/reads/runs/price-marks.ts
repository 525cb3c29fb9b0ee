// The books' consensus on runners of archived races at fixed marks before the start (B 2.2), for the price line of a
// run.
import type { Pool } from 'pg';

export interface RunOfRace {
  readonly race_id: string;
  readonly number: number;
  readonly runner_key: string;
}

export interface RunPrices {
  readonly raceId: string;
  readonly number: number;
  /**
   * Prices at 60, 30, 15, 10, 5 and 2 minutes before the advertised start and at the jump; null if there was no
   * consensus.
   */
  readonly consensus: readonly (number | null)[];
}

const PRICES = {
  name: 'runs-price-marks',
  text: `SELECT r.race_id AS "raceId", u.number, ARRAY[t.consensus_t60, t.consensus_t30, t.consensus_t15, t.consensus_t10, t.consensus_t5,
      t.consensus_t2, t.consensus_close] AS consensus
    FROM unnest($1::uuid[], $2::smallint[], $3::text[]) AS q (race_id, number, runner_key)
    JOIN archived_races r USING (race_id)
    JOIN archived_runners u ON u.race_id = q.race_id AND u.number = q.number AND u.runner_key = q.runner_key AND NOT u.name_fragment_suspect
    JOIN archived_summaries t ON t.start_time = r.start_time AND t.race_id = q.race_id AND t.runner = u.runner`,
};

export async function readRunPrices(pool: Pool, runs: readonly RunOfRace[]): Promise<readonly RunPrices[]> {
  if (runs.length === 0) return [];
  const values = [
    runs.map(({ race_id }) => race_id),
    runs.map(({ number }) => number),
    runs.map(({ runner_key }) => runner_key),
  ];
  return (await pool.query<RunPrices>({ ...PRICES, values })).rows;
}
