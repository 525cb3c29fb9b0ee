// Example of the scan, for the OpenAPI document. A test validates it against its schema.
import type { Static } from '@sinclair/typebox';
import { exampleIntelligence } from './intelligence-example';
import type { IntelligenceScan } from './intelligence-scan-schema';

const { consensus, signal_rule, attribution_floor_seconds } = exampleIntelligence.method;
const firmer = exampleIntelligence.runners[0]!;

export const exampleIntelligenceScan: Static<typeof IntelligenceScan> = {
  as_of: '2026-11-21T02:59:20.000Z',
  window_minutes: 60,
  races_scanned: 11,
  filters: {
    window: '60m',
    min_move_pct: 7,
    min_books: 3,
    direction: 'firming',
    signal: null,
    country: ['AU'],
    categories: null,
    limit: 50,
  },
  method: { consensus, signal_rule, attribution_floor_seconds },
  results: [
    {
      race: {
        race_id: '0d5a1f9e-6f4c-5b6e-9a53-3d9e4f6a7b10',
        venue: 'Flemington',
        race_number: 7,
        category: 'horse',
        country: 'AU',
        start_time: '2026-11-21T03:00:00.000Z',
        secs_to_jump: 40,
      },
      move_pct: -24.41,
      ...firmer,
    },
  ],
  cached: false,
};
