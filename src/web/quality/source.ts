// The external data of the page of data quality: the summary as its operation serves it to customers, and the newest
// audit of each sport.
import type { Instant } from '../../domain/race/race';

interface Audit {
  readonly id: string;
  readonly sport_key: string;
  readonly status: string;
  readonly api_rows: number | null;
  readonly exact_matches: number | null;
  readonly diff_rows: number | null;
  readonly missing_api: number | null;
  readonly missing_source: number | null;
  readonly outliers: number | null;
  readonly cross_checks: number | null;
  readonly books_checked: number | null;
  readonly races_checked: number | null;
  readonly started_at: Instant;
  readonly finished_at: Instant | null;
}

interface Connector {
  readonly connector: string;
  readonly last_ok: Instant | null;
  readonly records_written: number;
  readonly message: string | null;
}

export interface DataQuality {
  readonly as_of: Instant;
  readonly status: 'ok' | 'degraded';
  readonly degraded_because: readonly string[];
  /** What the reasons are about, by key. */
  readonly degraded_details: {
    readonly connectors_failed: readonly string[];
    readonly connectors_silent: readonly string[];
    /** For bookmakers that have one. */
    readonly stale_markets: readonly { readonly bookmaker: string; readonly stale: number; readonly markets: number }[];
    readonly sports_without_audit: readonly string[];
  };
  readonly canonical_events: number;
  readonly source_mappings: number;
  readonly recent_market_quality: { readonly ok: number; readonly warn: number; readonly stale: number };
  readonly sport_market_quality: { readonly ok: number; readonly warn: number; readonly stale: number };
  readonly connectors: readonly Connector[];
  readonly audits: readonly Audit[];
}

export interface QualitySource {
  read(nowMs: number): Promise<DataQuality>;
}
