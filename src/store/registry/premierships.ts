// Stores the registry's premiership tables (B 2.8). One reading replaces one table as a whole; a late reading never
// replaces a newer one.
import type { Pool } from 'pg';
import type { Instant } from '../../domain/race/race';
import type { PremiershipPage, PremiershipTable } from '../../domain/registry/premiership';
import type { PremiershipReading } from '../../domain/registry/premierships-due';

export interface PremiershipStore {
  /** False if the stored table is as new. */
  save(table: PremiershipTable, page: PremiershipPage, at: Instant): Promise<boolean>;
  /** An attempt without a table; `absent`: the page came and has none. */
  noteTried(table: PremiershipTable, at: Instant, absent: boolean): Promise<void>;
  /** Every table of these seasons that was ever tried. */
  readings(seasonStartYears: readonly number[]): Promise<readonly PremiershipReading[]>;
}

export function createPremiershipStore(pool: Pool): PremiershipStore {
  return {
    save: (table, page, at) => save(pool, table, page, at),
    noteTried: (table, at, absent) => noteTried(pool, table, at, absent),
    readings: (seasonStartYears) => readings(pool, seasonStartYears),
  };
}

const keyOf = ({ role, state, scope, seasonStartYear }: PremiershipTable) => [role, state, scope, seasonStartYear];

const SAVE = `
  WITH newer AS (
    INSERT INTO premiership_tables AS stored (role, state, scope, season_start_year, tried_at, scraped_at, period_from, period_to)
    VALUES ($1, $2, $3, $4, $5, $5, $6, $7)
        ON CONFLICT (season_start_year, role, state, scope) DO UPDATE
       SET tried_at = GREATEST(stored.tried_at, EXCLUDED.tried_at), scraped_at = EXCLUDED.scraped_at, absent = false,
           period_from = EXCLUDED.period_from, period_to = EXCLUDED.period_to
     WHERE stored.scraped_at IS NULL OR stored.scraped_at < EXCLUDED.scraped_at
    RETURNING role
  ), printed AS (
    SELECT p.* FROM newer, jsonb_to_recordset($8) AS p (rank smallint, name text, code text, firsts float8, seconds float8,
           thirds float8, fourths float8, fifths float8, "prizeMoney" float8, "strikeRate" float8, starts integer)
  ), gone AS (
    DELETE FROM premiership_rows r USING newer
     WHERE r.role = $1 AND r.state = $2 AND r.scope = $3 AND r.season_start_year = $4
       AND NOT EXISTS (SELECT FROM printed p WHERE p.rank = r.rank)
  ), written AS (
    INSERT INTO premiership_rows (role, state, scope, season_start_year, rank, name, code, firsts, seconds, thirds, fourths, fifths,
           prize_money, strike_rate, starts)
    SELECT $1, $2, $3, $4, rank, name, code, firsts, seconds, thirds, fourths, fifths, "prizeMoney", "strikeRate", starts
      FROM printed
        ON CONFLICT (season_start_year, role, state, scope, rank) DO UPDATE
       SET name = EXCLUDED.name, code = EXCLUDED.code, firsts = EXCLUDED.firsts, seconds = EXCLUDED.seconds,
           thirds = EXCLUDED.thirds, fourths = EXCLUDED.fourths, fifths = EXCLUDED.fifths,
           prize_money = EXCLUDED.prize_money, strike_rate = EXCLUDED.strike_rate, starts = EXCLUDED.starts
  )
  SELECT FROM newer`;

async function save(pool: Pool, table: PremiershipTable, page: PremiershipPage, at: Instant): Promise<boolean> {
  const values = [...keyOf(table), at, page.periodFrom, page.periodTo, JSON.stringify(page.rows)];
  const { rowCount } = await pool.query(SAVE, values);
  return rowCount === 1;
}

const NOTE_TRIED = `
  INSERT INTO premiership_tables AS stored (role, state, scope, season_start_year, tried_at, absent)
  VALUES ($1, $2, $3, $4, $5, $6)
      ON CONFLICT (season_start_year, role, state, scope) DO UPDATE
     SET tried_at = EXCLUDED.tried_at, absent = EXCLUDED.absent
   WHERE stored.tried_at < EXCLUDED.tried_at`;

async function noteTried(pool: Pool, table: PremiershipTable, at: Instant, absent: boolean): Promise<void> {
  await pool.query(NOTE_TRIED, [...keyOf(table), at, absent]);
}

async function readings(pool: Pool, seasonStartYears: readonly number[]): Promise<readonly PremiershipReading[]> {
  const { rows } = await pool.query<PremiershipReading>(
    `SELECT role, state, scope, season_start_year AS "seasonStartYear", tried_at AS "triedAt", scraped_at AS "scrapedAt", absent
       FROM premiership_tables WHERE season_start_year = ANY ($1)`,
    [seasonStartYears],
  );
  return rows;
}
