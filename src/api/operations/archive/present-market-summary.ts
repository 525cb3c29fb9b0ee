// Market summaries as rows (B 2.2). Rounds; never computes.
import { horseRef } from '../../../domain/race/runner';
import type { Cell, Row } from '../../../row-files/columns';
import type { MarketSummaryRow } from '../../../store/reads/archive/market-summary';
import { roundPct, roundPrice, roundSeconds } from '../../wire/rounded';
import { MARKS } from './market-summary-schema';

/** In the order of its columns. */
export const marketSummaryRow = (row: MarketSummaryRow): Row => [
  row.race_id,
  row.runner_key,
  row.venue,
  row.race_number,
  row.category,
  row.country,
  row.start_time,
  row.meeting_date_aet,
  row.runner_name,
  row.runner_number,
  row.runner_ref,
  ...consensusCells(row),
  ...moveCells(row),
  row.venue_id,
  row.venue_site,
  horseRef(row.runner_name, row.category),
  row.finish_position,
  row.result_status,
];

const consensusCells = (row: MarketSummaryRow): Cell[] => [
  ...MARKS.map((mark) => roundPrice(row[`consensus_t${mark}`])),
  roundPrice(row.consensus_close),
  row.close_source,
  row.books_t60,
  row.books_t15,
  row.books_close,
  roundPrice(row.consensus_high),
  row.consensus_high_at,
  roundPrice(row.consensus_low),
  row.consensus_low_at,
];

const moveCells = (row: MarketSummaryRow): Cell[] => [
  roundPct(row.move_from_t60_pct),
  roundPct(row.move_from_t15_pct),
  roundPct(row.move_t5_close_pct),
  row.ticks_total,
  row.ticks_last_5m,
  row.books_with_history,
  row.books_firming,
  row.books_drifting,
  row.books_unchanged,
  row.first_mover_bookmaker,
  row.first_mover_at,
  row.first_mover_lead_s && roundSeconds(row.first_mover_lead_s),
  row.follower_median_lag_s && roundSeconds(row.follower_median_lag_s),
  row.signal,
  row.best_close_price,
  row.best_close_bookmaker,
  roundPct(row.best_vs_consensus_pct),
];
