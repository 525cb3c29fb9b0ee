// The stored premiership tables of one role and season (B 2.8), narrowed to a state, a scope or a name. Limited by the
// size of a season: 45 tables of 20 rows.
import type { Pool } from 'pg';
import type { Day, Instant } from '../../domain/race/race';
import {
  PREMIERSHIP_SCOPES,
  PREMIERSHIP_STATES,
  type PremiershipRole,
  type PremiershipScope,
  type PremiershipState,
} from '../../domain/registry/premiership';

export interface PremiershipsQuery {
  readonly role: PremiershipRole;
  readonly seasonStartYear: number;
  /** Null: all. */
  readonly state: PremiershipState | null;
  readonly scope: PremiershipScope | null;
  /** Any part of a person's name, case-insensitive; null: all rows. */
  readonly name: string | null;
}

interface StandingRow {
  readonly rank: number;
  readonly name: string;
  readonly code: string | null;
  readonly firsts: number | null;
  readonly seconds: number | null;
  readonly thirds: number | null;
  readonly fourths: number | null;
  readonly fifths: number | null;
  readonly prize_money: number | null;
  readonly strike_rate: number | null;
  readonly starts: number | null;
}

export interface StoredPremiership {
  readonly state: PremiershipState;
  readonly scope: PremiershipScope;
  /** Null: never read. */
  readonly scraped_at: Instant | null;
  /** The registry's page has no such table. */
  readonly absent: boolean;
  readonly period_from: Day | null;
  readonly period_to: Day | null;
  /** By rank; with a name only the rows that match. */
  readonly rows: readonly StandingRow[];
}

// `strpos` and not `LIKE`: a name has no wildcards.
const PREMIERSHIPS = {
  name: 'premierships',
  text: `
  SELECT t.state, t.scope, t.scraped_at, t.absent, t.period_from, t.period_to,
    COALESCE((SELECT json_agg(json_build_object('rank', r.rank, 'name', r.name, 'code', r.code, 'firsts', r.firsts, 'seconds', r.seconds,
                'thirds', r.thirds, 'fourths', r.fourths, 'fifths', r.fifths, 'prize_money', r.prize_money,
                'strike_rate', r.strike_rate, 'starts', r.starts) ORDER BY r.rank)
       FROM premiership_rows r
      WHERE r.role = t.role AND r.state = t.state AND r.scope = t.scope AND r.season_start_year = t.season_start_year
        AND ($5::text IS NULL OR strpos(lower(r.name), lower($5)) > 0)), '[]') AS rows
    FROM premiership_tables t
   WHERE t.role = $1 AND t.season_start_year = $2 AND ($3::text IS NULL OR t.state = $3) AND ($4::text IS NULL OR t.scope = $4)
   ORDER BY array_position($6::text[], t.state), array_position($7::text[], t.scope)`,
};

/** Tables in the order of states and scopes; a table that was never tried has no row here. */
export async function readPremierships(pool: Pool, query: PremiershipsQuery): Promise<readonly StoredPremiership[]> {
  const { role, seasonStartYear, state, scope, name } = query;
  const values = [role, seasonStartYear, state, scope, name, PREMIERSHIP_STATES, PREMIERSHIP_SCOPES];
  const { rows } = await pool.query<StoredPremiership>({ ...PREMIERSHIPS, values });
  return rows;
}
