// Market-summary rows (B 2.2), columns in the contract's order; `series` of the selection are signals. Values are
// unrounded.
import type { Pool } from 'pg';
import type { Signal } from '../../../domain/market/intelligence/signal';
import type { Instant } from '../../../domain/race/race';
import { type ArchivedRow, ofRaces } from './closing-lines';
import {
  type ArchivedTable,
  type ArchivePage,
  type Beginning,
  readArchivePage,
  streamArchive,
} from './pages/archived-page';
import type { PageBounds } from './pages/page-plan';
import type { ArchiveSelection } from './selection';

export interface MarketSummaryRow extends ArchivedRow {
  readonly consensus_t60: number | null;
  readonly consensus_t30: number | null;
  readonly consensus_t15: number | null;
  readonly consensus_t10: number | null;
  readonly consensus_t5: number | null;
  readonly consensus_t2: number | null;
  readonly consensus_close: number | null;
  readonly close_source: 'archive' | 'ticks' | null;
  readonly books_t60: number | null;
  readonly books_t15: number | null;
  readonly books_close: number;
  readonly consensus_high: number | null;
  readonly consensus_high_at: Instant | null;
  readonly consensus_low: number | null;
  readonly consensus_low_at: Instant | null;
  readonly move_from_t60_pct: number | null;
  readonly move_from_t15_pct: number | null;
  readonly move_t5_close_pct: number | null;
  readonly ticks_total: number;
  readonly ticks_last_5m: number;
  readonly books_with_history: number;
  readonly books_firming: number;
  readonly books_drifting: number;
  readonly books_unchanged: number;
  readonly first_mover_bookmaker: string | null;
  readonly first_mover_at: Instant | null;
  readonly first_mover_lead_s: number | null;
  readonly follower_median_lag_s: number | null;
  readonly signal: Signal;
  readonly best_close_price: number | null;
  readonly best_close_bookmaker: string | null;
  readonly best_vs_consensus_pct: number | null;
  readonly finish_position: number | null;
  readonly result_status: 'interim' | 'final' | 'abandoned' | null;
}

const MARKET_SUMMARIES: ArchivedTable<MarketSummaryRow> = {
  what: 'summary',
  text: `SELECT r.race_id, u.runner_key, r.venue, r.race_number, r.category, r.country, r.start_time, r.meeting_date AS meeting_date_aet,
      COALESCE(u.name, u.runner_key) AS runner_name, u.number AS runner_number, u.runner_ref,
      t.consensus_t60, t.consensus_t30, t.consensus_t15, t.consensus_t10, t.consensus_t5, t.consensus_t2, t.consensus_close, t.close_source,
      t.books_t60, t.books_t15, t.books_close, t.consensus_high, t.consensus_high_at, t.consensus_low, t.consensus_low_at,
      t.move_from_t60_pct, t.move_from_t15_pct, t.move_t5_close_pct, t.ticks_total, t.ticks_last_5m, t.books_with_history, t.books_firming,
      t.books_drifting, t.books_unchanged, t.first_mover_bookmaker, t.first_mover_at, t.first_mover_lead_s, t.follower_median_lag_s, t.signal,
      t.best_close_price, t.best_close_bookmaker, t.best_vs_consensus_pct, r.venue_id, r.venue_site, u.finish_position, r.result_status
    FROM ${ofRaces('archived_summaries')} AND ($3::text[] IS NULL OR t.signal = ANY ($3)) AND NOT $4
    ORDER BY t.start_time, t.race_id, t.runner`,
};

/** Ordered by start, race and runner number. */
export const readMarketSummary = (
  pool: Pool,
  selection: ArchiveSelection,
  page: PageBounds,
): Promise<ArchivePage<MarketSummaryRow>> => readArchivePage(pool, MARKET_SUMMARIES, selection, page);

export const streamMarketSummary = (
  pool: Pool,
  selection: ArchiveSelection,
  limit: number,
  begin: Beginning,
): AsyncGenerator<readonly MarketSummaryRow[]> => streamArchive(pool, MARKET_SUMMARIES, selection, limit, begin);
