// Presents audits and their findings. Computed figures are rounded here only.
import type { Static } from '@sinclair/typebox';
import { type AuditedSport, LONGEST_RUN_MS } from '../../../domain/quality/audit';
import type { AuditRow, FindingRow } from '../../../store/reads/quality/audits';
import { roundPct, roundPrice } from '../../wire/rounded';
import type { AuditFinding, AuditRun, OrderedRun } from './audit-schema';

/**
 * A run that began before this and has not ended has failed. The limit is wall time, the run's instants are race time.
 */
export const failedBefore = (nowMs: number, clockSpeed: number): string =>
  new Date(nowMs - LONGEST_RUN_MS * clockSpeed).toISOString();

export function presentAudit({ run_id, ...row }: AuditRow): Static<typeof AuditRun> {
  return {
    id: run_id,
    ...row,
    sport_key: row.sport_key as AuditedSport,
    market_type: row.market_type as 'win' | 'h2h',
  };
}

export function presentOrderedAudit(row: AuditRow): Static<typeof OrderedRun> {
  const { id, ...rest } = presentAudit(row);
  return { run_id: id, ...rest };
}

export const presentFinding = (row: FindingRow): Static<typeof AuditFinding> => ({
  bookmaker_key: row.bookmaker_key,
  event_key: [...row.event_key],
  race_id: row.race_id,
  event_id: row.event_id,
  market: row.market,
  status: row.status,
  delta: roundPrice(row.delta),
  message: row.message,
  api: row.api.map(({ selection, price, consensus, deviationPct }) => ({
    selection,
    price,
    consensus: roundPrice(consensus),
    dev_pct: roundPct(deviationPct),
  })),
  source: row.source,
});
