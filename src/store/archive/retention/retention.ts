// Which days of ticks may be deleted, and their deletion (D48): only a UTC day on which every race is verified, by
// number and checksum, in the archive or among the kept ticks. The database verifies and drops in one transaction;
// nothing here can drop unverified ticks.
import type { Pool } from 'pg';
import type { Day, Instant } from '../../../domain/race/race';
import { inTransaction } from '../../pg/transaction';
import { type PackingStore, packing } from './packing';
import { unlessBusy, withPatience } from './patience';

interface Unarchived {
  readonly raceId: string;
  readonly why: 'no_archive' | 'other_facts' | 'gap';
  readonly ticks: number;
}

/** A market of the exchange. */
interface UnarchivedMarket extends Omit<Unarchived, 'raceId' | 'why'> {
  readonly marketId: string;
  /** `not_in_archive`: the archive never contains such a market. */
  readonly why: Unarchived['why'] | 'not_in_archive';
  /** Null: its race is not known. */
  readonly raceId: string | null;
}

export interface RetentionStore extends PackingStore {
  /** UTC days with ticks that ended before this, oldest first. */
  daysBefore(before: Instant): Promise<readonly Day[]>;
  /** The races of a day that are not verified. */
  unarchived(day: Day): Promise<readonly Unarchived[]>;
  /** Copies the ticks and breaks of a race on a day to the tables that keep them. */
  keep(raceId: string, day: Day): Promise<void>;
  /** The exchange's markets of a day that are not verified. */
  unarchivedMarkets(day: Day): Promise<readonly UnarchivedMarket[]>;
  /**
   * Copies the ticks of a market since a day to the table that keeps them: a lay price stands until the next one, which
   * may be a day later.
   */
  keepMarket(marketId: string, day: Day): Promise<void>;
  /** Drops the day if all of it is verified. `busy`: its tables were in use, nothing was dropped. */
  drop(day: Day, at: Instant): Promise<'dropped' | 'unverified' | 'busy'>;
}

const DAYS = `
  SELECT DISTINCT to_char(range_start AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day
    FROM timescaledb_information.chunks
   WHERE hypertable_schema = 'public' AND hypertable_name IN ('price_ticks', 'exchange_ticks') AND range_end <= $1 ORDER BY 1`;

const UNARCHIVED = `
  SELECT race_id AS "raceId", why, ticks FROM unarchived_ticks($1::date::timestamptz, ($1::date + 1)::timestamptz) ORDER BY race_id`;

const UNARCHIVED_MARKETS = `
  SELECT market_id AS "marketId", race_id AS "raceId", why, ticks
    FROM unarchived_exchange_ticks($1::date::timestamptz, ($1::date + 1)::timestamptz) ORDER BY market_id`;

const keep = (to: string, from: string, at: string): string => `
  INSERT INTO ${to} SELECT * FROM ${from} WHERE race_id = $1 AND ${at} >= $2::date::timestamptz AND ${at} < ($2::date + 1)::timestamptz
  ON CONFLICT DO NOTHING`;

const KEEP_MARKET = `
  INSERT INTO kept_exchange_ticks SELECT * FROM exchange_ticks WHERE market_id = $1 AND at >= $2::date::timestamptz ON CONFLICT DO NOTHING`;

export function createRetentionStore(pool: Pool): RetentionStore {
  return {
    ...packing(pool),
    daysBefore: async (before) => (await pool.query<{ day: Day }>(DAYS, [before])).rows.map(({ day }) => day),
    unarchived: (day) => withPatience<Unarchived>(pool, UNARCHIVED, [day]),
    keep: (raceId, day) =>
      inTransaction(pool, async (client) => {
        await client.query(keep('kept_ticks', 'price_ticks', 'captured_at'), [raceId, day]);
        await client.query(keep('kept_breaks', 'price_breaks', 'at'), [raceId, day]);
        await client.query(keep('kept_gaps', 'poll_gaps', 'at'), [raceId, day]);
      }),
    unarchivedMarkets: (day) => withPatience<UnarchivedMarket>(pool, UNARCHIVED_MARKETS, [day]),
    async keepMarket(marketId, day) {
      await pool.query(KEEP_MARKET, [marketId, day]);
    },
    async drop(day, at) {
      const text = 'SELECT drop_archived_ticks($1, $2) AS left';
      const rows = await unlessBusy(withPatience<{ left: number }>(pool, text, [day, at]));
      if (rows === 'busy') return 'busy';
      return rows[0]!.left === 0 ? 'dropped' : 'unverified';
    },
  };
}
