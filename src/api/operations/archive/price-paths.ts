// GET /v1/racing/price-paths (B 2.3, B 4.3; D45, D46).
import { endpoint } from '../../kernel/endpoint/endpoint';
import { bookmakers } from '../../wire/parameters';
import { examplePricePath } from './examples';
import { type ArchiveServices, archiveGate } from './pages/archive-gate';
import { archiveSelectors, includeFlagged, pathFormat } from './pages/parameters';
import { PRICE_PATH_ROWS as ROWS, winnersLastMoves } from './price-path-rows';
import { PricePaths } from './price-paths-schema';

export const pricePaths = endpoint<ArchiveServices>()({
  method: 'get',
  path: '/v1/racing/price-paths',
  operationId: 'price_paths',
  tag: 'Racing Archive',
  summary: 'Every captured price of past races',
  description:
    'The permanent archive: one row per race, runner, bookmaker and captured price, changes only: a price stood until the next row of its ' +
    'series. Rows are ordered by start, race, runner number, bookmaker and instant. Without `race_id` or `date`, `from` to `to` is at most seven days. Scratched runners ' +
    'are included, marked as `scratched`. The seconds of an abandoned race count to its advertised start.',
  auth: 'key',
  ...ROWS.declared,
  gate: archiveGate('price_paths', winnersLastMoves),
  query: {
    ...archiveSelectors('seven days before `to`'),
    bookmakers,
    include_flagged: includeFlagged,
    format: pathFormat,
    ...ROWS.parameters,
  },
  ok: {
    ...ROWS.ok,
    schema: PricePaths,
    example: {
      rows_returned: 1,
      total_points: 48_210,
      limit: 1,
      offset: 0,
      archive_from: '2026-08-04T01:10:00.000Z',
      rows: [examplePricePath],
    },
  },
  handler: ROWS.handler(({ found, limit, offset, begins, rows }) => ({
    rows_returned: rows.length,
    total_points: found.total,
    limit,
    offset,
    archive_from: begins,
    rows,
  })),
});
