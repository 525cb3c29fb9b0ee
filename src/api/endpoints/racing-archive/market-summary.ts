// GET /v1/racing/market-summary (B 2.2, B 4.2; D45, D46).
import { Type } from '@sinclair/typebox';
import type { Signal } from '../../../domain/market/intelligence/signal';
import { ARCHIVE_CREDITS } from '../../../plans/cost';
import { rowObjects } from '../../../row-files/json';
import { archiveGate } from '../../archive-gate';
import { archiveRules, archiveSelection } from '../../archive-query';
import { endpoint } from '../../endpoint';
import { cellsOf, ROW_TYPES, rowsReply } from '../../http/response/rows';
import { marketSummaryRow } from '../../present/archive/market-summary';
import { exampleMarketSummary } from '../../schemas/archive/examples';
import { MARKET_SUMMARY_COLUMNS, MarketSummaries } from '../../schemas/archive/market-summary';
import { archiveFormat, archivePage, archiveSelectors } from '../../schemas/archive/parameters';
import { Signal as SignalChoice } from '../../schemas/market/intelligence';
import { choice } from '../../schemas/parameters';

const asObject = rowObjects(MARKET_SUMMARY_COLUMNS);
const SAMPLE_ROWS = 5;

export const marketSummary = endpoint({
  method: 'get',
  path: '/v1/racing/market-summary',
  operationId: 'market_summary',
  tag: 'Racing Archive',
  summary: 'How the market moved, per past race and runner',
  description:
    'The permanent form of `intelligence`: one row per race and runner with the consensus at the marks and at the close, the moves, the first mover ' +
    'and the best closing price. Scratched runners have no row. Rows are ordered by start, race and runner number; rows of races or runners that ' +
    'may be contaminated are left out.',
  auth: 'key',
  cost: {
    text: `${ARCHIVE_CREDITS.json} credits as JSON, ${ARCHIVE_CREDITS.csv} as CSV`,
    credits: ({ query }) => ARCHIVE_CREDITS[query.format],
  },
  gate: archiveGate(
    'archive',
    async ({ raceId }, archive) => {
      const selection = { raceId, includeScratched: true };
      const { rows } = await archive.marketSummary(selection, { limit: SAMPLE_ROWS, offset: 0 });
      return rows.map(marketSummaryRow).map(asObject);
    },
    'market summary',
  ),
  query: {
    ...archiveSelectors('the first race with a summary'),
    signal: Type.Optional(
      Type.Unsafe<Signal[]>({
        type: 'array',
        items: choice(SignalChoice, { 'x-fold': 'lower' }),
        minItems: 1,
        description: 'Only these signals, comma-separated. Default: all.',
      }),
    ),
    format: archiveFormat('csv'),
    ...archivePage(500, 50_000),
  },
  exclusive: [
    ['date', 'from'],
    ['date', 'to'],
  ],
  rules: (query, context) => archiveRules(query, context),
  streamed: ({ format }) => format !== 'json',
  ok: {
    description: 'The rows of the selection from `offset` on.',
    schema: MarketSummaries,
    example: {
      rows_returned: 1,
      total_rows: 1204,
      limit: 1,
      offset: 0,
      summary_from: '2026-08-04T01:10:00.000Z',
      window_days: null,
      rows: [exampleMarketSummary],
    },
    types: [ROW_TYPES.csv],
  },
  async handler({ query, rights, nowMs, services: { reads } }) {
    const { archive } = reads;
    const { format, limit, offset } = query;
    const selection = archiveSelection(query, rights, nowMs);
    if (format !== 'json') {
      const batches = () => cellsOf(archive.streamMarketSummary(selection, limit, offset), marketSummaryRow);
      return rowsReply(format, { columns: MARKET_SUMMARY_COLUMNS, batches, name: 'market-summary' });
    }
    const [page, summary_from] = await Promise.all([
      archive.marketSummary(selection, { limit, offset }),
      archive.beginsAt('summary'),
    ]);
    return {
      body: {
        rows_returned: page.rows.length,
        total_rows: page.total,
        limit,
        offset,
        summary_from,
        window_days: rights.archiveDays,
        rows: page.rows.map(marketSummaryRow).map(asObject),
      },
    };
  },
});
