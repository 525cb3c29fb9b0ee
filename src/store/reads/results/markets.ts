// The exotic dividends of one race's result, with the result's stage (A 4.13).
import type { Pool } from 'pg';
import type { Instant } from '../../../domain/race/race';
import { HAS_RESULTS_FEED } from './results';

interface ExoticDividendRow {
  readonly code: 'QN' | 'EX' | 'TF' | 'FF';
  readonly type: 'Quinella' | 'Exacta' | 'Trifecta' | 'First Four';
  readonly product: string;
  readonly selection: string;
  readonly amount: number;
}

export interface RaceExotics {
  readonly status: 'interim' | 'final' | 'abandoned';
  readonly status_note: string | null;
  readonly protest: boolean;
  readonly resulted_at: Instant | null;
  readonly finalised_at: Instant | null;
  readonly exotics: readonly ExoticDividendRow[];
}

const EXOTICS = {
  name: 'race-exotics',
  text: `SELECT x.status, x.status_note, x.protest, x.resulted_at, x.finalised_at, COALESCE(x.dividends->'exotics', '[]') AS exotics
    FROM race_results x JOIN races r USING (race_id) WHERE race_id = $1 AND ${HAS_RESULTS_FEED}`,
};

/** Null while the race has no result, and always in Hong Kong (A 1). */
export async function readRaceExotics(pool: Pool, raceId: string): Promise<RaceExotics | null> {
  const { rows } = await pool.query<RaceExotics>({ ...EXOTICS, values: [raceId] });
  return rows[0] ?? null;
}
