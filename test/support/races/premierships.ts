// Premiership tables as they are in the store.
import type { Pool } from 'pg';
import {
  PREMIERSHIP_SCOPES,
  PREMIERSHIP_STATES,
  type PremiershipPage,
  type PremiershipRow,
} from '../../../src/domain/registry/premiership';

const premiershipRow = (over: Partial<PremiershipRow> = {}): PremiershipRow => ({
  rank: 1,
  name: 'A Rider',
  code: '30417',
  firsts: 12.5,
  seconds: 9,
  thirds: 8,
  fourths: 7,
  fifths: 6,
  prizeMoney: 410_500,
  strikeRate: 19.4,
  starts: 64,
  ...over,
});

export const premiershipPage = (...rows: Partial<PremiershipRow>[]): PremiershipPage => ({
  periodFrom: '2026-08-01',
  periodTo: '2026-11-20',
  rows: rows.map((row, i) => premiershipRow({ rank: i + 1, ...row })),
});

/** Every table of the seasons 2025 and 2026, each with its leader, so that a search by name finds no table missing. */
export async function addPremierships(pool: Pool, at: string): Promise<void> {
  await pool.query(
    `INSERT INTO premiership_tables (role, state, scope, season_start_year, tried_at, scraped_at, period_from, period_to)
     SELECT role, state, scope, season, $1, $1, make_date(season, 8, 1), '2026-11-20'
       FROM unnest($2::text[]) state, unnest($3::text[]) scope, unnest('{jockey,trainer}'::text[]) role,
            unnest('{2025,2026}'::int[]) season`,
    [at, PREMIERSHIP_STATES, PREMIERSHIP_SCOPES],
  );
  await pool.query(
    `INSERT INTO premiership_rows (role, state, scope, season_start_year, rank, name, code, firsts, starts)
     SELECT role, state, scope, season_start_year, 1, 'Leading ' || role, '30417', 12.5, 64 FROM premiership_tables`,
  );
}
