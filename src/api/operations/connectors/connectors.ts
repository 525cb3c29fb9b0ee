// GET /v1/health/connectors (A 4.13; shapes 3.8).

import { Type } from '@sinclair/typebox';
import { bookmaker, EXPECTED_BOOKS } from '../../../domain/bookmakers';
import { REGISTRY_CONNECTORS } from '../../../domain/registry/connectors';
import { LIVE_TIER_SECONDS } from '../../../domain/time/cadence';
import type { RaceClock } from '../../../domain/time/clock';
import type { Reads } from '../../../store/reads/reads';
import { endpoint, flat } from '../../kernel/endpoint/endpoint';
import { connectorVisible } from '../../kernel/endpoint/visibility';
import type { LimitState } from '../../kernel/limits/rate-limit';
import { exampleConnectors } from './connectors-example';
import { ConnectorList } from './connectors-schema';
import { presentConnectorStatus } from './present-connectors';

const DAY_MS = 86_400_000;
/** Workers report every ten seconds of race time, but at most once per second of wall time. */
const SILENT_MS = 120_000;
const SILENT_WALL_MS = 5000;

/**
 * Every book and registry in service, with the seconds before the start within which a race is live at the book (D21).
 */
const EXPECTED = [
  ...EXPECTED_BOOKS.map((connector) => {
    const minutes = bookmaker(connector)!.liveInsideMinutes ?? Number.POSITIVE_INFINITY;
    return { connector, liveSeconds: Math.min(LIVE_TIER_SECONDS, minutes * 60) };
  }),
  ...REGISTRY_CONNECTORS.map((connector) => ({ connector, liveSeconds: 0 })),
];

const seconds = (usual: number, most: number, description: string) =>
  Type.Number({ default: usual, minimum: 1, maximum: most, description });

export const connectors = endpoint<{ clock: RaceClock; rateLimits: () => LimitState; reads: Reads }>()({
  method: 'get',
  path: '/v1/health/connectors',
  operationId: 'connectors',
  tag: 'Health',
  summary: 'Freshness and failures of each connector',
  description:
    'For each connector: how long ago it last responded, was last polled and last reported a change; failed polls, dropped rows ' +
    'and refused races, counted by reason; the state of its circuit breaker and rate budget; and the ages of its quotes on the ' +
    'races that are live now. Use it to find out why a price is missing. A bookmaker or registry that has never been polled is ' +
    'listed with nulls. `rate_limits` reports whether requests per minute are limited now.',
  auth: 'key',
  cost: flat(1),
  query: {
    stale_after_s: seconds(
      180,
      86_400,
      'Seconds without a successful response after which a connector is stale. Registries are read every two hours and become stale ' +
        'after three hours at the earliest.',
    ),
    coverage_stale_after_s: seconds(
      21_600,
      604_800,
      'Seconds without a newer market after which a sport is not covered.',
    ),
    include_sports: Type.Boolean({ default: true, description: 'Whether to list the sports of each connector.' }),
  },
  ok: { description: 'The connectors, ordered by name.', schema: ConnectorList, example: exampleConnectors },
  async handler({ query, audience, nowMs, services }) {
    const now = new Date(nowMs).toISOString();
    const countedFrom = new Date(nowMs - DAY_MS).toISOString().slice(0, 10);
    const silentMs = Math.max(SILENT_MS, SILENT_WALL_MS * services.clock.speed);
    const silentSince = new Date(nowMs - silentMs).toISOString();
    const rateLimits = services.rateLimits();
    const [rows, sports] = await Promise.all([
      services.reads.connectorStatus({ now, expected: EXPECTED, countedFrom, silentSince }),
      query.include_sports ? services.reads.sportCoverage(now) : null,
    ]);
    const view = {
      nowMs,
      staleAfterSeconds: query.stale_after_s,
      sports,
      coverageStaleAfterSeconds: query.coverage_stale_after_s,
    };
    const shown = rows
      .filter((row) => connectorVisible(audience, row.connector))
      .map((row) => presentConnectorStatus(row, view));
    return {
      body: {
        now,
        stale_after_s: query.stale_after_s,
        coverage_stale_after_s: query.coverage_stale_after_s,
        counted_from: `${countedFrom}T00:00:00.000Z`,
        any_stale: shown.some((one) => one.stale),
        any_degraded: shown.some((one) => one.degraded),
        ...(rateLimits && { rate_limits: rateLimits }),
        not_covering: shown.flatMap(({ connector, sports_not_covering: gone }) => (gone?.length ? [connector] : [])),
        connectors: shown,
      },
    };
  },
});
