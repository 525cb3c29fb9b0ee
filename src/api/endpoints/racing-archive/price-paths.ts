// GET /v1/racing/price-paths (B 2.3, B 4.3; D45, D46).
import { PRICE_PATH_COLUMNS, pricePathRow } from '../../../bulk/rows/price-paths';
import { ARCHIVE_CREDITS } from '../../../plans/cost';
import { rowObjects } from '../../../row-files/json';
import type { ArchiveReads } from '../../../store/reads/archive/archive-reads';
import type { SampleRace } from '../../../store/reads/archive/sample-race';
import { archiveGate } from '../../archive-gate';
import { archiveRules, archiveSelection } from '../../archive-query';
import { endpoint } from '../../endpoint';
import { cellsOf, ROW_TYPES, rowsReply } from '../../http/response/rows';
import { examplePricePath } from '../../schemas/archive/examples';
import { archiveFormat, archivePage, archiveSelectors, includeFlagged } from '../../schemas/archive/parameters';
import { PricePaths } from '../../schemas/archive/price-paths';
import { bookmakers } from '../../schemas/parameters';

const asObject = rowObjects(PRICE_PATH_COLUMNS);
const SAMPLE_ROWS = 5;
/** More than a book ever moved in a race. */
const ALL_ROWS = 5000;

export const pricePaths = endpoint({
  method: 'get',
  path: '/v1/racing/price-paths',
  operationId: 'price_paths',
  tag: 'Racing Archive',
  summary: 'Every captured price of past races',
  description:
    'The permanent archive: one row per race, runner, bookmaker and captured price, changes only: a price stood until the next row of its ' +
    'series. Rows are ordered by start, race, runner number, bookmaker and instant. Without `race_id` or `date`, `from` to `to` is at most seven days.',
  auth: 'key',
  cost: {
    text: `${ARCHIVE_CREDITS.json} credits as JSON, ${ARCHIVE_CREDITS.csv} as CSV or Parquet`,
    credits: ({ query }) => ARCHIVE_CREDITS[query.format],
  },
  gate: archiveGate('price_paths', winnersLastMoves),
  query: {
    ...archiveSelectors('seven days before `to`'),
    bookmakers,
    include_flagged: includeFlagged,
    format: archiveFormat('parquet'),
    ...archivePage(1000, 200_000),
  },
  exclusive: [
    ['date', 'from'],
    ['date', 'to'],
  ],
  rules: (query, context) => archiveRules(query, context, 'week'),
  streamed: ({ format }) => format !== 'json',
  ok: {
    description: 'The rows of the selection from `offset` on.',
    schema: PricePaths,
    example: {
      rows_returned: 1,
      total_points: 48_210,
      limit: 1,
      offset: 0,
      archive_from: '2026-08-04T01:10:00.000Z',
      rows: [examplePricePath],
    },
    types: [ROW_TYPES.csv, ROW_TYPES.parquet],
  },
  async handler({ query, rights, nowMs, services: { reads } }) {
    const { archive } = reads;
    const { format, limit, offset } = query;
    const selection = archiveSelection(query, rights, nowMs, 'week');
    if (format !== 'json') {
      const batches = () => cellsOf(archive.streamPricePaths(selection, limit, offset), pricePathRow);
      return rowsReply(format, { columns: PRICE_PATH_COLUMNS, batches, name: 'price-paths' });
    }
    const [page, archive_from] = await Promise.all([
      archive.pricePaths(selection, { limit, offset }),
      archive.beginsAt('path'),
    ]);
    const rows = page.rows.map(pricePathRow).map(asObject);
    return { body: { rows_returned: rows.length, total_points: page.total, limit, offset, archive_from, rows } };
  },
});

/** The last five moves of one book for the winner. */
async function winnersLastMoves({ raceId, winner, bookmaker }: SampleRace, archive: ArchiveReads) {
  const selection = { raceId, series: [bookmaker], includeScratched: true };
  const { rows } = await archive.pricePaths(selection, { limit: ALL_ROWS, offset: 0 });
  const own = rows.filter((row) => row.runner_number === winner.number && row.runner_key === winner.runnerKey);
  return own.slice(-SAMPLE_ROWS).map(pricePathRow).map(asObject);
}
