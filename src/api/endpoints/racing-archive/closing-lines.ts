// GET /v1/racing/closing-lines (B 2.1, B 4.1; D45, D46).
import { Type } from '@sinclair/typebox';
import { CLOSING_LINE_COLUMNS, closingLineRow } from '../../../bulk/rows/closing-lines';
import { ARCHIVE_CREDITS } from '../../../plans/cost';
import { rowObjects } from '../../../row-files/json';
import { archiveGate } from '../../archive-gate';
import { archiveRules, archiveSelection } from '../../archive-query';
import { endpoint } from '../../endpoint';
import { cellsOf, ROW_TYPES, rowsReply } from '../../http/response/rows';
import { ClosingLines } from '../../schemas/archive/closing-lines';
import { exampleClosingLine } from '../../schemas/archive/examples';
import { archiveFormat, archivePage, archiveSelectors, includeFlagged } from '../../schemas/archive/parameters';
import { bookmakers } from '../../schemas/parameters';

const asObject = rowObjects(CLOSING_LINE_COLUMNS);
const SAMPLE_ROWS = 5;

export const closingLines = endpoint({
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
  cost: {
    text: `${ARCHIVE_CREDITS.json} credits as JSON, ${ARCHIVE_CREDITS.csv} as CSV`,
    credits: ({ query }) => ARCHIVE_CREDITS[query.format],
  },
  gate: archiveGate(
    'archive',
    async ({ raceId }, archive) => {
      const { rows } = await archive.closingLines({ raceId, closingOnly: true }, { limit: SAMPLE_ROWS, offset: 0 });
      return rows.map(closingLineRow).map(asObject);
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
    types: [ROW_TYPES.csv],
  },
  async handler({ query, rights, nowMs, services: { reads } }) {
    const { archive } = reads;
    const { format, limit, offset } = query;
    const selection = archiveSelection(query, rights, nowMs);
    if (format !== 'json') {
      const batches = () => cellsOf(archive.streamClosingLines(selection, limit, offset), closingLineRow);
      return rowsReply(format, { columns: CLOSING_LINE_COLUMNS, batches, name: 'closing-lines' });
    }
    const [page, archive_from] = await Promise.all([
      archive.closingLines(selection, { limit, offset }),
      archive.beginsAt('line'),
    ]);
    return {
      body: {
        rows_returned: page.rows.length,
        total_rows: page.total,
        limit,
        offset,
        archive_from,
        window_days: rights.archiveDays,
        resulted_rows: page.resulted,
        rows: page.rows.map(closingLineRow).map(asObject),
      },
    };
  },
});
