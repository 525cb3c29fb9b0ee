// Why the state of the data is degraded, as the summary and the public page give it.
import { LONGEST_RUN_MS } from '../../../domain/quality/audit';
import { RACING_SPORTS } from '../../../domain/race/sport';
import type { AuditRow } from '../../../store/reads/quality/audits';
import type { QualitySummary } from '../../schemas/data-quality/summary';

type Reason = QualitySummary['degraded_because'][number];

/** More than one in so many: single books lag on single races, and each race has card prices for a moment when it turns live (D21). */
const STALE_OF = 100;
/** Race time. Runs begin every ten minutes. */
const RUNS_APART_MS = 15 * 60_000;

export interface QualityState {
  readonly connectors: readonly { readonly status: string }[];
  readonly markets: QualitySummary['recent_market_quality'];
  /** The newest of each sport that has ended or failed. */
  readonly audits: readonly AuditRow[];
}

export function degradedBecause(
  { connectors, markets, audits }: QualityState,
  nowMs: number,
  clockSpeed: number,
): readonly Reason[] {
  const isRecent = ({ started_at }: AuditRow): boolean =>
    nowMs - Date.parse(started_at) <= RUNS_APART_MS + LONGEST_RUN_MS * clockSpeed;
  const recent = new Set(audits.filter(isRecent).map(({ sport_key }) => sport_key));
  const found: Readonly<Record<Reason, boolean>> = {
    connector_failed: connectors.some(({ status }) => status === 'error'),
    market_stale: markets.stale * STALE_OF > markets.ok + markets.warn + markets.stale,
    audit_differs: audits.some(({ status }) => status === 'differs'),
    audit_failed: audits.some(({ status }) => status === 'failed'),
    audit_missing: RACING_SPORTS.some((sport) => !recent.has(sport)),
  };
  return (Object.keys(found) as Reason[]).filter((reason) => found[reason]);
}
