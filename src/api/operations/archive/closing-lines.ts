// GET /v1/racing/closing-lines (B 2.1, B 4.1; D45, D46).
import { Type } from '@sinclair/typebox';
import { CLOSING_LINE_COLUMNS, closingLineRow } from '../../../bulk/rows/closing-lines';
import { endpoint } from '../../kernel/endpoint/endpoint';
import { bookmakers } from '../../wire/parameters';
import { ClosingLines } from './closing-lines-schema';
import { exampleClosingLine } from './examples';
import { type ArchiveServices, archiveGate } from './pages/archive-gate';
import { archiveRows } from './pages/archive-rows';
import { archiveFormat, archiveSelectors, includeFlagged } from './pages/parameters';

const SAMPLE_ROWS = 5;

const ROWS = archiveRows({
  columns: CLOSING_LINE_COLUMNS,
  cells: closingLineRow,
  what: 'line',
  name: 'closing-lines',
  span: 'any',
  formats: ['csv', 'parquet'],
  limits: { usual: 500, most: 50_000 },
  read: (archive, selection, page) => archive.closingLines(selection, page),
  stream: (archive, selection, plan) => archive.streamClosingLines(selection, plan.rows, plan),
});

export const closingLines = endpoint<ArchiveServices>()({
  method: 'get',
  path: '/v1/racing/closing-lines',
  operationId: 'closing_lines',
  tag: 'Racing Archive',
  summary: 'First and last prices of past races',
  description:
    'The permanent archive: one row per race, runner and bookmaker with its first and last price before the jump, the result and the market’s ' +
    'consensus. Rows are ordered by start, race, runner number and bookmaker. By default only genuine closing lines (last observed within 300 s ' +
    'of the jump), without rows that may be contaminated and without scratched runners.',
  auth: 'key',
  ...ROWS.declared,
  gate: archiveGate(
    'archive',
    async ({ raceId }, archive) => {
      const { rows } = await archive.closingLines({ raceId, closingOnly: true }, { limit: SAMPLE_ROWS, offset: 0 });
      return ROWS.objects(rows);
    },
    'closing lines',
  ),
  query: {
    ...archiveSelectors('the first race of the archive'),
    bookmakers,
    closing_only: Type.Boolean({
      default: true,
      description: 'Only genuine closing lines. Send `false` for last-seen prices too.',
    }),
    resulted_only: Type.Boolean({ default: false, description: 'Only races that have a result.' }),
    include_flagged: includeFlagged,
    include_scratched: Type.Boolean({
      default: false,
      description: 'Whether to include runners that the result has as scratched.',
    }),
    format: archiveFormat,
    ...ROWS.parameters,
  },
  ok: {
    ...ROWS.ok,
    schema: ClosingLines,
    example: {
      rows_returned: 1,
      total_rows: 1204,
      limit: 1,
      offset: 0,
      archive_from: '2026-08-04T01:10:00.000Z',
      window_days: null,
      resulted_rows: 1190,
      rows: [exampleClosingLine],
    },
  },
  handler: ROWS.handler(({ found, limit, offset, begins, windowDays, rows }) => ({
    rows_returned: rows.length,
    total_rows: found.total,
    limit,
    offset,
    archive_from: begins,
    window_days: windowDays,
    resulted_rows: found.resulted,
    rows,
  })),
});
