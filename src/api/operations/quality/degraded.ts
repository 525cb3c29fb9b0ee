// Why the state of the data is degraded, as the summary and the public page report it.
import { AUDITED_SPORTS, LONGEST_RUN_MS } from '../../../domain/quality/audit';
import type { AuditRow } from '../../../store/reads/quality/audits';
import type { QualitySummary } from './summary-schema';

type Reason = QualitySummary['degraded_because'][number];

/**
 * More than one in this many: single books lag on single races, and each race briefly has card prices when it turns
 * live (D21).
 */
const STALE_OF = 100;
/** For matches: a book that stops pushing leaves its prices until the matches start. */
const STALE_SPORTS_OF = 10;
/** Race time. Runs begin every ten minutes. */
const RUNS_APART_MS = 15 * 60_000;

/** A book's markets with a price. */
export interface BookMarkets {
  readonly bookmaker: string;
  readonly stale: number;
  readonly markets: number;
}

export interface QualityState {
  readonly connectors: readonly {
    readonly connector: string;
    readonly status: string;
    readonly last_poll: string | null;
  }[];
  readonly markets: QualitySummary['recent_market_quality'];
  readonly books: readonly BookMarkets[];
  /** Of matches. */
  readonly sports: QualitySummary['sport_market_quality'];
  /** The newest of each sport that has ended or failed. */
  readonly audits: readonly AuditRow[];
}

/** What each reason is about. */
export interface DegradedDetails {
  readonly connectors_failed: readonly string[];
  readonly connectors_silent: readonly string[];
  /** Most stale first; books without a stale market are left out. */
  readonly stale_markets: readonly BookMarkets[];
  readonly sports_without_audit: readonly string[];
}

export interface Degraded {
  readonly because: readonly Reason[];
  readonly details: DegradedDetails;
}

export function degradedOf(
  { connectors, markets, books, sports, audits }: QualityState,
  nowMs: number,
  clockSpeed: number,
): Degraded {
  const isRecent = ({ started_at }: AuditRow): boolean =>
    nowMs - Date.parse(started_at) <= RUNS_APART_MS + LONGEST_RUN_MS * clockSpeed;
  const recent = new Set(audits.filter(isRecent).map(({ sport_key }) => sport_key));
  const failing = connectors.filter(({ status }) => status === 'error');
  const keys = (rows: typeof failing): string[] => rows.map(({ connector }) => connector);
  const details: DegradedDetails = {
    connectors_failed: keys(failing.filter(({ last_poll }) => last_poll !== null)),
    connectors_silent: keys(failing.filter(({ last_poll }) => last_poll === null)),
    stale_markets: books.filter(({ stale }) => stale > 0).sort((a, b) => b.stale - a.stale),
    sports_without_audit: AUDITED_SPORTS.filter((sport) => !recent.has(sport)),
  };
  const found: Readonly<Record<Reason, boolean>> = {
    connector_failed: failing.length > 0,
    market_stale: markets.stale * STALE_OF > markets.ok + markets.warn + markets.stale,
    sport_market_stale: sports.stale * STALE_SPORTS_OF > sports.ok + sports.warn + sports.stale,
    audit_differs: audits.some(({ status }) => status === 'differs'),
    audit_cross_check: audits.some(({ cross_checks }) => cross_checks !== null && cross_checks > 0),
    audit_failed: audits.some(({ status }) => status === 'failed'),
    audit_missing: details.sports_without_audit.length > 0,
  };
  return { because: (Object.keys(found) as Reason[]).filter((reason) => found[reason]), details };
}
