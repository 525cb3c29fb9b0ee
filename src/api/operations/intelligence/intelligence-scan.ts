// GET /v1/racing/intelligence/scan (A 4.6, D9).

import { Type } from '@sinclair/typebox';
import type { Signal } from '../../../domain/market/intelligence/signal';
import { endpoint, flat } from '../../kernel/endpoint/endpoint';
import { planGate } from '../../kernel/endpoint/plan-gate';
import { categories, category, choice, countryAlone } from '../../wire/parameters';
import { Direction } from '../../wire/vocabulary';
import { exampleIntelligenceScan } from './intelligence-scan-example';
import { IntelligenceScan, ScanWindow } from './intelligence-scan-schema';
import { Signal as SignalChoice } from './intelligence-schema';
import type { IntelligenceScanner } from './scanner';

export const intelligenceScan = endpoint<{ scanner: IntelligenceScanner }>()({
  method: 'get',
  path: '/v1/racing/intelligence/scan',
  operationId: 'intelligence_scan',
  tag: 'Racing',
  summary: 'Scan every race in the capture window for moving runners',
  description:
    'Analyses every race within 60 minutes of its advertised start, as `GET /v1/racing/intelligence` does for one race, and ' +
    'returns the runners that pass the filters, largest move first. Races that have jumped are not scanned. Requests with the ' +
    'same filters share one response for 15 seconds.',
  auth: 'key',
  cost: flat(5),
  gate: planGate('scan'),
  query: {
    window: choice(ScanWindow, {
      default: '60m',
      description:
        'Which move to filter and sort by: `60m` is `move_from_t60_pct`, `15m` is `move_from_t15_pct`, `5m` is `move_last_5m_pct`.',
    }),
    min_move_pct: Type.Number({
      default: 7,
      minimum: 1,
      maximum: 90,
      description:
        'Minimum move of the consensus price in either direction, in percent, compared after rounding to the displayed figure.',
    }),
    min_books: Type.Integer({
      default: 3,
      minimum: 1,
      maximum: 20,
      description: 'Minimum number of books with two or more captured prices on the runner.',
    }),
    direction: Type.Optional(choice(Direction, { description: 'Only moves in this direction. Default: both.' })),
    signal: Type.Optional(
      Type.Unsafe<Signal[]>({
        type: 'array',
        items: choice(SignalChoice, { 'x-fold': 'lower' }),
        minItems: 1,
        description: 'Only these signals, comma-separated. Default: all.',
      }),
    ),
    country: countryAlone,
    categories,
    category,
    limit: Type.Integer({ default: 50, minimum: 1, maximum: 200, description: 'Maximum number of runners to return.' }),
  },
  ok: {
    description: 'The runners that pass the filters, and how the figures are computed.',
    schema: IntelligenceScan,
    example: exampleIntelligenceScan,
  },
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
