// Market summaries as rows (B 2.2): the columns of `GET /v1/racing/market-summary` and of its files. Rounds; never
// computes.
import { halfUp } from '../../domain/half-up';
import { SIGNALS } from '../../domain/market/intelligence/signal';
import { horseRef } from '../../domain/race/runner';
import type { Cell, Column, Row } from '../../row-files/columns';
import type { MarketSummaryRow } from '../../store/reads/archive/market-summary';
import { column, nullable } from './columns';

/** Minutes before the advertised start. */
const MARKS = [60, 30, 15, 10, 5, 2] as const;

const number = (name: string, description: string): Column => nullable(column(name, 'number', description));
const books = (name: string, description: string): Column => nullable(column(name, 'integer', description));

export const MARKET_SUMMARY_COLUMNS: readonly Column[] = [
  column('race_id', 'text', 'Permanent id of the race.'),
  column('runner_key', 'text', 'Folded name: lowercase letters and digits.'),
  column('venue', 'text', 'Venue as first reported.'),
  column('race_number', 'integer', 'Number on the card.'),
  column('category', 'text', '`horse`, `greyhound` or `harness`.'),
  nullable(column('country', 'text', 'Two letters; null if unknown.')),
  column('start_time', 'instant', 'Advertised start (UTC).'),
  column('meeting_date_aet', 'day', 'Sydney day of the meeting.'),
  column('runner_name', 'text', 'Name on the card; its key where the card does not have it.'),
  column('runner_number', 'integer', 'Saddlecloth or rug number.'),
  nullable(column('runner_ref', 'text', 'The registry’s reference of the runner; null on harness rows.')),
  ...MARKS.map((mark) =>
    number(
      `consensus_t${mark}`,
      `Consensus price ${mark} minutes before the advertised start; null if there was none.`,
    ),
  ),
  number('consensus_close', 'Consensus price at the close.'),
  nullable(
    column(
      'close_source',
      'text',
      '`archive`: the consensus of closing lines; `ticks`: the prices that stood at the jump.',
    ),
  ),
  books('books_t60', 'Books in `consensus_t60`.'),
  books('books_t15', 'Books in `consensus_t15`.'),
  column('books_close', 'integer', 'Books in `consensus_close`.'),
  number('consensus_high', 'Longest consensus price of the window.'),
  nullable(column('consensus_high_at', 'instant', 'When it was reached (UTC).')),
  number('consensus_low', 'Shortest consensus price of the window.'),
  nullable(column('consensus_low_at', 'instant', 'When it was reached (UTC).')),
  number('move_from_t60_pct', '`consensus_close` against `consensus_t60`, in percent; negative: it shortened.'),
  number('move_from_t15_pct', 'The same against `consensus_t15`.'),
  number('move_t5_close_pct', 'The same against `consensus_t5`.'),
  column('ticks_total', 'integer', 'Win prices captured up to the jump.'),
  column('ticks_last_5m', 'integer', 'Of these, in the last five minutes.'),
  column('books_with_history', 'integer', 'Books with two or more captured prices.'),
  column('books_firming', 'integer', 'Of these, those that shortened.'),
  column('books_drifting', 'integer', 'Those that lengthened.'),
  column('books_unchanged', 'integer', 'Those that ended where they began.'),
  nullable(column('first_mover_bookmaker', 'text', 'The book that moved first; null if none is attributed.')),
  nullable(column('first_mover_at', 'instant', 'When it had moved (UTC).')),
  number('first_mover_lead_s', 'Its lead over the second book, in seconds.'),
  number('follower_median_lag_s', 'Median lag of the books that followed, in seconds.'),
  column(
    'signal',
    'text',
    `What the market did, as in \`intelligence\`: ${SIGNALS.map((one) => `\`${one}\``).join(', ')}.`,
  ),
  number('best_close_price', 'Longest genuine close of a compared book.'),
  nullable(column('best_close_bookmaker', 'text', 'The book that had it.')),
  number('best_vs_consensus_pct', 'It against `consensus_close`, in percent.'),
  column('venue_id', 'text', 'Canonical venue.'),
  column('venue_site', 'text', 'Physical site of the venue.'),
  nullable(column('horse_ref', 'text', 'Persistent identity of a thoroughbred.')),
  nullable(column('finish_position', 'integer', 'Null does not mean that the runner lost: it may be unknown.')),
  nullable(column('result_status', 'text', '`interim`, `final` or `abandoned`; null: the race has no result.')),
];

/** Halves away from 0, as everywhere at the edge. */
const toCent = (value: number | null): number | null =>
  value === null ? null : value < 0 ? 0 - halfUp(-value, 100) : halfUp(value, 100);

/** Down: no lead is shown longer than it was. */
const toTenths = (seconds: number): number => Math.floor(seconds * 10) / 10;

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
  ...MARKS.map((mark) => toCent(row[`consensus_t${mark}`])),
  toCent(row.consensus_close),
  row.close_source,
  row.books_t60,
  row.books_t15,
  row.books_close,
  toCent(row.consensus_high),
  row.consensus_high_at,
  toCent(row.consensus_low),
  row.consensus_low_at,
];

const moveCells = (row: MarketSummaryRow): Cell[] => [
  toCent(row.move_from_t60_pct),
  toCent(row.move_from_t15_pct),
  toCent(row.move_t5_close_pct),
  row.ticks_total,
  row.ticks_last_5m,
  row.books_with_history,
  row.books_firming,
  row.books_drifting,
  row.books_unchanged,
  row.first_mover_bookmaker,
  row.first_mover_at,
  row.first_mover_lead_s && toTenths(row.first_mover_lead_s),
  row.follower_median_lag_s && toTenths(row.follower_median_lag_s),
  row.signal,
  row.best_close_price,
  row.best_close_bookmaker,
  toCent(row.best_vs_consensus_pct),
];
