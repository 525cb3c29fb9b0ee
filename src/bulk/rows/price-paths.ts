// Captured prices as rows (B 2.3): the columns of `GET /v1/racing/price-paths` and of its files.
import { horseRef } from '../../domain/race/runner';
import type { Column, Row } from '../../row-files/columns';
import type { PricePathRow } from '../../store/reads/archive/price-paths';
import { ARCHIVED_COLUMNS, archivedCells, column, nullable } from './columns';

export const PRICE_PATH_COLUMNS: readonly Column[] = [
  ...ARCHIVED_COLUMNS,
  column('bookmaker_key', 'text', 'Bookmaker.'),
  column('captured_at', 'instant', 'When the price was captured (UTC). It stood until the next row of the series.'),
  column(
    'secs_to_jump',
    'integer',
    'Whole seconds to the jump. Negative: seen late, after the jump; it counts in no close and no consensus.',
  ),
  column('win_price', 'number', 'Win price.'),
  nullable(column('lay_price', 'number', 'Always null.')),
  column('venue_id', 'text', 'Canonical venue.'),
  column('venue_site', 'text', 'Physical site of the venue.'),
  nullable(column('runner_ref', 'text', 'The registry’s reference of the runner; null on harness rows.')),
  nullable(column('horse_ref', 'text', 'Persistent identity of a thoroughbred.')),
  column(
    'scratched',
    'boolean',
    'Whether the result has it scratched. False may mean unknown in harness and New Zealand.',
  ),
  nullable(column('place_price', 'number', 'Place price at this change of the win price.')),
  nullable(column('top2_price', 'number', 'Top 2 price at this change of the win price.')),
  nullable(column('top3_price', 'number', 'Top 3 price at this change of the win price.')),
  nullable(column('top4_price', 'number', 'Top 4 price at this change of the win price.')),
];

export const pricePathRow = (row: PricePathRow): Row => [
  ...archivedCells(row),
  row.bookmaker_key,
  row.captured_at,
  row.secs_to_jump,
  row.win_price,
  null,
  row.venue_id,
  row.venue_site,
  row.runner_ref,
  horseRef(row.runner_name, row.category),
  row.scratched,
  row.place_price,
  row.top2_price,
  row.top3_price,
  row.top4_price,
];
