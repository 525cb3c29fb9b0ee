// Example of the connectors' response, for the OpenAPI document. A test validates it against its schema.
import type { Static } from '@sinclair/typebox';
import type { ConnectorList } from './connectors-schema';

export const exampleConnectors: Static<typeof ConnectorList> = {
  now: '2026-11-21T03:00:00.000Z',
  stale_after_s: 180,
  coverage_stale_after_s: 21600,
  counted_from: '2026-11-20T00:00:00.000Z',
  any_stale: false,
  any_degraded: true,
  rate_limits: 'enforced',
  not_covering: [],
  connectors: [
    {
      connector: 'ladbrokes_au',
      last_ok_age_s: 2,
      last_poll_age_s: 0,
      last_change_age_s: 4,
      polling: true,
      stale: false,
      degraded: true,
      degraded_because: ['last_poll_failed'],
      polls: 90210,
      records_written: 48210,
      last_msg: 'timeout: no answer in 5000 ms',
      failures: { timeout: 3 },
      dropped: { not_primary_market: 12 },
      refused: { ambiguous_race: 1 },
      breaker: { state: 'closed', since: '2026-11-21T00:00:00.000Z', workers: 2, workers_open: 0, refused: 0 },
      budget: { per_second: 20, source: 'shared', refused: 0 },
      ages: { live_races: 38, p50_s: 11, p90_s: 19, p99_s: 22 },
      sports: [],
      sports_not_covering: [],
    },
  ],
};
