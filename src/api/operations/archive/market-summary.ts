// GET /v1/racing/market-summary (B 2.2, B 4.2; D45, D46).
import { Type } from '@sinclair/typebox';
import { MARKET_SUMMARY_COLUMNS, marketSummaryRow } from '../../../bulk/rows/market-summary';
import type { Signal } from '../../../domain/market/intelligence/signal';
import { endpoint } from '../../kernel/endpoint/endpoint';
import { choice } from '../../wire/parameters';
import { Signal as SignalChoice } from '../intelligence/intelligence-schema';
import { exampleMarketSummary } from './examples';
import { MarketSummaries } from './market-summary-schema';
import { type ArchiveServices, archiveGate } from './pages/archive-gate';
import { archiveRows } from './pages/archive-rows';
import { archiveFormat, archiveSelectors } from './pages/parameters';

const SAMPLE_ROWS = 5;

const ROWS = archiveRows({
  columns: MARKET_SUMMARY_COLUMNS,
  cells: marketSummaryRow,
  what: 'summary',
  name: 'market-summary',
  span: 'any',
  formats: ['csv', 'parquet'],
  limits: { usual: 500, most: 50_000 },
  read: (archive, selection, page) => archive.marketSummary(selection, page),
  stream: (archive, selection, plan) => archive.streamMarketSummary(selection, plan.rows, plan),
});

export const marketSummary = endpoint<ArchiveServices>()({
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
  ...ROWS.declared,
  gate: archiveGate(
    'archive',
    async ({ raceId }, archive) => {
      const selection = { raceId, includeScratched: true };
      const { rows } = await archive.marketSummary(selection, { limit: SAMPLE_ROWS, offset: 0 });
      return ROWS.objects(rows);
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
    format: archiveFormat,
    ...ROWS.parameters,
  },
  ok: {
    ...ROWS.ok,
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
  },
  handler: ROWS.handler(({ found, limit, offset, begins, windowDays, rows }) => ({
    rows_returned: rows.length,
    total_rows: found.total,
    limit,
    offset,
    summary_from: begins,
    window_days: windowDays,
    rows,
  })),
});
