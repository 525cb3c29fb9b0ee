// The rows of price paths, and those that a key without access gets as a sample.
import { PRICE_PATH_COLUMNS, pricePathRow } from '../../../bulk/rows/price-paths';
import type { ArchiveReads } from '../../../store/reads/archive/archive-reads';
import type { SampleRace } from '../../../store/reads/archive/sample-race';
import { archiveRows } from './pages/archive-rows';

const SAMPLE_ROWS = 5;
/** More than any book's moves in a race. */
const ALL_ROWS = 5000;

export const PRICE_PATH_ROWS = archiveRows({
  columns: PRICE_PATH_COLUMNS,
  cells: pricePathRow,
  what: 'path',
  name: 'price-paths',
  span: 'week',
  formats: ['csv', 'parquet'],
  limits: { usual: 1000, most: 200_000 },
  read: (archive, selection, page) => archive.pricePaths(selection, page),
  stream: (archive, selection, plan) => archive.streamPricePaths(selection, plan.rows, plan),
  lines: (archive, selection, plan) => archive.streamPricePathLines(selection, plan.rows, plan),
});

/** The last five moves of one book for the winner. */
export async function winnersLastMoves({ raceId, winner, bookmaker }: SampleRace, archive: ArchiveReads) {
  const selection = { raceId, series: [bookmaker], includeScratched: true };
  const { rows } = await archive.pricePaths(selection, { limit: ALL_ROWS, offset: 0 });
  const own = rows.filter((row) => row.runner_number === winner.number && row.runner_key === winner.runnerKey);
  return PRICE_PATH_ROWS.objects(own.slice(-SAMPLE_ROWS));
}
