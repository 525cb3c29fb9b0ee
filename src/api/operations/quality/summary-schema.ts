// The state of the data in one view (A 4.13, shapes 3.8).
import { type Static, Type } from '@sinclair/typebox';
import { age, aged, count, instant, named, nullable, oneOf, text } from '../../wire/vocabulary';
import { exampleRun, LatestAudit } from './audit-schema';

const DEGRADED_BECAUSE = [
  'connector_failed',
  'market_stale',
  'sport_market_stale',
  'audit_differs',
  'audit_cross_check',
  'audit_failed',
  'audit_missing',
] as const;

const MarketQuality = named(
  'MarketQuality',
  Type.Object(
    {
      ok: count('Fresh markets: up to three quarters of the threshold.'),
      warn: count('Markets past three quarters of the threshold, and not stale.'),
      stale: count('Markets past the threshold.'),
    },
    {
      description:
        'Number of bookmaker markets on open races that start within the next 24 hours, or that are late by up to an hour, by the age of their ' +
        'prices. The threshold is that of `stale` in every operation: 2 minutes in the refresh tier `live`, 30 minutes in `card`.',
    },
  ),
);

const SportMarketQuality = named(
  'SportMarketQuality',
  Type.Object(
    {
      ok: count('Fresh: up to three quarters of the threshold.'),
      warn: count('Past three quarters of the threshold, and not stale.'),
      stale: count('Past the threshold.'),
    },
    {
      description:
        'Number of priced bookmaker markets of matches that have not started, by the age of their prices. The threshold is 30 minutes, that of `stale` in ' +
        'every operation of sports.',
    },
  ),
);

const LastResponse = named(
  'ConnectorLastResponse',
  Type.Object({
    connector: text(),
    last_ok: nullable(instant('Last successful poll (UTC); null if there was none.')),
    age_seconds: nullable(age('Seconds since then.')),
    records_written: count('Number of records written since collection began; for a book, price changes.'),
    message: nullable(text('What went wrong in the last poll; null if nothing did.')),
  }),
);

export const QualitySummary = named(
  'DataQualitySummary',
  Type.Object({
    as_of: aged(instant('When the figures were read (UTC).')),
    status: oneOf(['ok', 'degraded'], { description: '`degraded` if `degraded_because` has a reason.' }),
    degraded_because: Type.Array(oneOf(DEGRADED_BECAUSE), {
      description:
        '`connector_failed`: the last poll of a connector failed, or it was never polled. `market_stale`: more than 1 % of the markets in ' +
        '`recent_market_quality` are `stale`. `sport_market_stale`: more than 10 % of those in `sport_market_quality` are `stale`. `audit_differs`, ' +
        '`audit_failed`: the newest audit of a sport has this status. `audit_cross_check`: it has `cross_checks`. `audit_missing`: of a sport, no audit that began in the last 30 minutes has a result.',
    }),
    canonical_events: count(
      'Number of races on the live board, and of matches that have not started, that at least one bookmaker lists. Each is one event, however many list it.',
    ),
    source_mappings: count('Number of bookmakers’ own listings that are mapped to these events.'),
    recent_market_quality: MarketQuality,
    sport_market_quality: SportMarketQuality,
    connectors: Type.Array(LastResponse, { description: 'Those of `GET /v1/health`, ordered by name.' }),
    latest_audit: nullable(LatestAudit),
  }),
);

export type QualitySummary = Static<typeof QualitySummary>;

const { id, sport_key, status, api_rows, source_rows, exact_matches, diff_rows, max_delta, finished_at } = exampleRun;

export const exampleSummary: QualitySummary = {
  as_of: '2026-11-21T03:00:48.000Z',
  status: 'degraded',
  degraded_because: ['audit_differs'],
  canonical_events: 214,
  source_mappings: 2710,
  recent_market_quality: { ok: 2655, warn: 31, stale: 0 },
  sport_market_quality: { ok: 1180, warn: 64, stale: 12 },
  connectors: [
    {
      connector: 'ladbrokes_au',
      last_ok: '2026-11-21T03:00:44.120Z',
      age_seconds: 4,
      records_written: 48_210,
      message: null,
    },
  ],
  latest_audit: { id, sport_key, status, api_rows, source_rows, exact_matches, diff_rows, max_delta, finished_at },
};
