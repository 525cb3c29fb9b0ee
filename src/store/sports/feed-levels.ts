// How far each sport of a metered feed is read, and what the feed has cost: levels, so that a new process continues
// where another ended.
import type { Pool } from 'pg';
import type { Instant } from '../../domain/race/race';
import type { CreditReport, SourceSport } from '../../domain/sports/feed-plan';

export interface FeedSportLevel extends SourceSport {
  readonly listedAt: Instant;
  /** The next of its upcoming matches. Null: none is known. */
  readonly nextStart: Instant | null;
  /** When that was last read. */
  readonly startsAt: Instant | null;
  readonly polledAt: Instant | null;
  /** The last call for prices, whatever its outcome. */
  readonly triedAt: Instant | null;
}

interface CreditOrder {
  readonly source: string;
  /** Its first day (UTC). */
  readonly month: string;
  readonly credits: number;
}

interface FeedCredits {
  readonly spent: number;
  readonly used: number | null;
  readonly remaining: number | null;
}

export interface FeedLevelStore {
  /** By the source's key. */
  sports(source: string): Promise<readonly FeedSportLevel[]>;
  /** The source's current list; a sport missing from it is no longer polled. */
  saveSports(source: string, sports: readonly SourceSport[], at: Instant): Promise<void>;
  saveStart(source: string, sourceKey: string, nextStart: Instant | null, at: Instant): Promise<void>;
  /** Before the call. */
  saveTry(source: string, sourceKey: string, at: Instant): Promise<void>;
  /**
   * Before the call. False: the month would have cost more than `limit`, or the account has too little left; nothing
   * was taken.
   */
  take(order: CreditOrder, limit: number): Promise<boolean>;
  /**
   * After the call. The reservation is corrected by the actual cost; without a report it stays. `credits` 0: for a free
   * call.
   */
  settle(order: CreditOrder, report: CreditReport, at: Instant): Promise<void>;
  /** Null: nothing was spent in that month. */
  credits(source: string, month: string): Promise<FeedCredits | null>;
}

const SPORTS = `
  SELECT source_key AS "sourceKey", sport_key AS "sportKey", listed_at AS "listedAt", next_start AS "nextStart", starts_at AS "startsAt",
         polled_at AS "polledAt", tried_at AS "triedAt"
    FROM feed_sports WHERE source = $1 ORDER BY source_key`;

const SAVE_SPORTS = `
  WITH n AS (SELECT * FROM jsonb_to_recordset($2) AS n ("sourceKey" text, "sportKey" text)),
  gone AS (DELETE FROM feed_sports WHERE source = $1 AND source_key NOT IN (SELECT "sourceKey" FROM n))
  INSERT INTO feed_sports (source, source_key, sport_key, listed_at) SELECT $1, "sourceKey", "sportKey", $3 FROM n
  ON CONFLICT (source, source_key) DO UPDATE SET sport_key = EXCLUDED.sport_key, listed_at = EXCLUDED.listed_at`;

const SAVE_START = 'UPDATE feed_sports SET next_start = $3, starts_at = $4 WHERE source = $1 AND source_key = $2';
const SAVE_TRY = 'UPDATE feed_sports SET tried_at = $3 WHERE source = $1 AND source_key = $2';

// `remaining` until the next report: less the reservations in between.
const TAKE = `
  INSERT INTO feed_credits AS stored (source, month, spent) SELECT $1, $2::date, $3::integer WHERE $3 <= $4::integer
  ON CONFLICT (source, month) DO UPDATE
     SET spent = stored.spent + EXCLUDED.spent, remaining = stored.remaining - EXCLUDED.spent
   WHERE stored.spent + EXCLUDED.spent <= $4 AND (stored.remaining IS NULL OR stored.remaining >= EXCLUDED.spent)`;

const SETTLE = `
  INSERT INTO feed_credits AS stored (source, month, spent, used, remaining, reported_at)
  VALUES ($1, $2, GREATEST(0, coalesce($4::integer - $3, 0)), $5, $6, $7)
  ON CONFLICT (source, month) DO UPDATE
     SET spent = GREATEST(0, stored.spent + coalesce($4::integer - $3, 0)),
         used = CASE WHEN $7 >= coalesce(stored.reported_at, $7) THEN coalesce($5, stored.used) ELSE stored.used END,
         remaining = CASE WHEN $7 >= coalesce(stored.reported_at, $7) THEN coalesce($6, stored.remaining) ELSE stored.remaining END,
         reported_at = GREATEST(stored.reported_at, $7)`;

const CREDITS = 'SELECT spent, used, remaining FROM feed_credits WHERE source = $1 AND month = $2';

export function createFeedLevelStore(pool: Pool): FeedLevelStore {
  return {
    async sports(source) {
      return (await pool.query<FeedSportLevel>(SPORTS, [source])).rows;
    },
    async saveSports(source, sports, at) {
      await pool.query(SAVE_SPORTS, [source, JSON.stringify(sports), at]);
    },
    async saveStart(source, sourceKey, nextStart, at) {
      await pool.query(SAVE_START, [source, sourceKey, nextStart, at]);
    },
    async saveTry(source, sourceKey, at) {
      await pool.query(SAVE_TRY, [source, sourceKey, at]);
    },
    async take({ source, month, credits }, limit) {
      return (await pool.query(TAKE, [source, month, credits, limit])).rowCount === 1;
    },
    async settle({ source, month, credits }, { last, used, remaining }, at) {
      await pool.query(SETTLE, [source, month, credits, last, used, remaining, at]);
    },
    async credits(source, month) {
      return (await pool.query<FeedCredits>(CREDITS, [source, month])).rows[0] ?? null;
    },
  };
}
