// Closing lines as rows (B 2.1): the columns of `GET /v1/racing/closing-lines` and of its files. Prices as captured;
// computed figures rounded as everywhere at the edge.
import { halfUp } from '../../domain/half-up';
import { horseRef } from '../../domain/race/runner';
import type { Column, Row } from '../../row-files/columns';
import type { ClosingLineRow } from '../../store/reads/archive/closing-lines';
import { ARCHIVED_COLUMNS, archivedCells, column, nullable } from './columns';

const price = (name: string, description: string): Column => nullable(column(name, 'number', description));

export const CLOSING_LINE_COLUMNS: readonly Column[] = [
  ...ARCHIVED_COLUMNS,
  column('bookmaker_key', 'text', 'Bookmaker.'),
  column(
    'open_win_price',
    'number',
    'Win price when the hour before the advertised start began; the first captured one if `open_is_baseline` is false.',
  ),
  column('open_secs_to_jump', 'integer', 'Whole seconds from its capture to the jump.'),
  column('close_win_price', 'number', 'Last win price up to the jump. A closing line only if `is_closing_line`.'),
  price('close_lay_price', 'Always null.'),
  column(
    'close_secs_to_jump',
    'integer',
    'Whole seconds from its last observation to the jump; 0: it stood at the jump.',
  ),
  column('points_observed', 'integer', 'Win prices captured up to the jump.'),
  column('venue_id', 'text', 'Canonical venue.'),
  column('venue_site', 'text', 'Physical site of the venue.'),
  nullable(column('runner_ref', 'text', 'The registry’s reference of the runner; null on harness rows.')),
  nullable(column('horse_ref', 'text', 'Persistent identity of a thoroughbred.')),
  nullable(column('finish_position', 'integer', 'Null does not mean that the runner lost: it may be unknown.')),
  nullable(column('result_status', 'text', '`interim`, `final` or `abandoned`; null: the race has no result.')),
  column('is_closing_line', 'boolean', 'Whether the price was last observed within 300 s of the jump.'),
  column('open_is_baseline', 'boolean', 'Whether a price stood when the hour began. False: the book joined later.'),
  column('venue_split_suspect', 'boolean', 'Whether one race may have been stored as two.'),
  column('name_fragment_suspect', 'boolean', 'Whether the book’s name may be another runner’s.'),
  column(
    'scratched',
    'boolean',
    'Whether the result has it scratched. False may mean unknown in harness and New Zealand.',
  ),
  price('open_place_price', 'Place price at the capture of `open_win_price`.'),
  price('close_place_price', 'Place price at the last captured change of the win price.'),
  nullable(column('scratched_at', 'instant', 'When it was scratched (UTC).')),
  price('open_top2_price', 'Top 2 price at the capture of `open_win_price`.'),
  price('open_top3_price', 'Top 3 price at the capture of `open_win_price`.'),
  price('open_top4_price', 'Top 4 price at the capture of `open_win_price`.'),
  price('close_top2_price', 'Top 2 price at the last captured change of the win price.'),
  price('close_top3_price', 'Top 3 price at the last captured change of the win price.'),
  price('close_top4_price', 'Top 4 price at the last captured change of the win price.'),
  price('consensus_close_prob', 'Margin-free probability at the close, the same on every row of the runner.'),
  price('consensus_close_price', 'The price of that probability.'),
  column('books_in_consensus_close', 'integer', 'Books that it rests on.'),
  price('consensus_open_price', 'Margin-free price at the 60-minute open; null with fewer than two books.'),
  column('books_in_consensus_open', 'integer', 'Books that it rests on.'),
  column(
    'close_found_by',
    'text',
    '`poll`: a later poll still saw the price; `tick`: only its capture; `none`: not within 300 s.',
  ),
  column('close_age_s', 'integer', 'Whole seconds from the capture of the closing price to the jump.'),
];

const rounded = (value: number | null, scale: number): number | null => (value === null ? null : halfUp(value, scale));
const PRICE = 100;
const PROBABILITY = 1e12;

export const closingLineRow = (row: ClosingLineRow): Row => [
  ...archivedCells(row),
  row.bookmaker_key,
  row.open_win_price,
  row.open_secs_to_jump,
  row.close_win_price,
  null,
  row.close_secs_to_jump,
  row.points_observed,
  row.venue_id,
  row.venue_site,
  row.runner_ref,
  horseRef(row.runner_name, row.category),
  row.finish_position,
  row.result_status,
  row.is_closing_line,
  row.open_is_baseline,
  row.venue_split_suspect,
  row.name_fragment_suspect,
  row.scratched,
  row.open_place_price,
  row.close_place_price,
  row.scratched_at,
  row.open_top2_price,
  row.open_top3_price,
  row.open_top4_price,
  row.close_top2_price,
  row.close_top3_price,
  row.close_top4_price,
  rounded(row.consensus_close_prob, PROBABILITY),
  rounded(row.consensus_close_price, PRICE),
  row.books_in_consensus_close,
  rounded(row.consensus_open_price, PRICE),
  row.books_in_consensus_open,
  row.close_found_by,
  row.close_age_s,
];
