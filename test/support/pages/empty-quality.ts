// A page of data quality without data: a test sets the figures that it is about.
import type { DataQuality } from '../../../src/web/quality/source';

export const emptyQuality = (over: Partial<DataQuality> = {}): DataQuality => ({
  as_of: '2026-11-21T02:00:00.000Z',
  status: 'ok',
  degraded_because: [],
  degraded_details: { connectors_failed: [], connectors_silent: [], stale_markets: [], sports_without_audit: [] },
  canonical_events: 0,
  source_mappings: 0,
  recent_market_quality: { ok: 0, warn: 0, stale: 0 },
  sport_market_quality: { ok: 0, warn: 0, stale: 0 },
  connectors: [],
  audits: [],
  ...over,
});
