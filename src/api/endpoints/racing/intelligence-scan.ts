// GET /v1/racing/intelligence/scan (A 4.6, D9).
import { Type } from '@sinclair/typebox';
import { SIGNALS, type Signal } from '../../../domain/market/intelligence/signal';
import { planGate } from '../../access/plan-gate';
import { endpoint, flat } from '../../endpoint';
import { IntelligenceScan, SCAN_WINDOWS } from '../../schemas/market/intelligence-scan';
import { exampleIntelligenceScan } from '../../schemas/market/intelligence-scan-example';
import { categories, category, country } from '../../schemas/parameters';
import { DIRECTIONS, oneOf } from '../../schemas/vocabulary';

export const intelligenceScan = endpoint({
  method: 'get',
  path: '/v1/racing/intelligence/scan',
  operationId: 'intelligence_scan',
  tag: 'Racing',
  summary: 'Runners that moved, over every race inside the capture window',
  description:
    'Analyses every race inside 60 minutes of its advertised start as the single-race endpoint does, and returns the runners that clear the ' +
    'filters, largest move first. A race that has jumped is not scanned. Callers with the same filters share one answer for 15 seconds.',
  auth: 'key',
  cost: flat(5),
  gate: planGate('scan'),
  query: {
    window: oneOf(SCAN_WINDOWS, {
      default: '60m',
      description:
        'Which move is judged: `60m` is `move_from_t60_pct`, `15m` `move_from_t15_pct`, `5m` `move_last_5m_pct`.',
    }),
    min_move_pct: Type.Number({
      default: 7,
      minimum: 1,
      maximum: 90,
      description: 'Least move of the consensus price, either way, in percent, as it is shown.',
    }),
    min_books: Type.Integer({
      default: 3,
      minimum: 1,
      maximum: 20,
      description: 'Least books with two or more captured prices on the runner.',
    }),
    direction: Type.Optional(oneOf(DIRECTIONS, { description: 'Only moves this way. Default: both.' })),
    signal: Type.Optional(
      Type.Unsafe<Signal[]>({
        type: 'array',
        items: { type: 'string', enum: SIGNALS, 'x-fold': 'lower' },
        minItems: 1,
        description: 'Only these signals, comma-separated. Default: all.',
      }),
    ),
    country,
    categories,
    category,
    limit: Type.Integer({ default: 50, minimum: 1, maximum: 200, description: 'At most this many runners.' }),
  },
  ok: { description: 'The scan.', schema: IntelligenceScan, example: exampleIntelligenceScan },
  async handler({ query, audience, nowMs, services }) {
    const filters = {
      window: query.window,
      minMovePct: query.min_move_pct,
      minBooks: query.min_books,
      direction: query.direction ?? null,
      signals: query.signal ?? null,
      countries: query.country ?? null,
      categories: query.categories ?? null,
      limit: query.limit,
    };
    const { scan, cached } = await services.scanner.scan(filters, audience, nowMs);
    return { body: { ...scan, cached }, forOneOnly: !cached };
  },
});
