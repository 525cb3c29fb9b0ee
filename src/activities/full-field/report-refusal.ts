// Logs a refused race of a registry's document and counts it in the connector's health.
import { RESULTS_CONNECTOR } from '../../domain/registry/connectors';
import type { StoredMeeting } from '../../store/registry/published-results';
import { type CollectDeps, instantNow } from '../deps';

/** Call it once each time a race becomes refused for a reason, not at every reading. */
export async function reportRefusal(
  deps: CollectDeps,
  { source, key, venue, day }: StoredMeeting,
  raceNumber: number,
  reason: string,
): Promise<void> {
  deps.log.warn({ source, key, venue, day, raceNumber, reason }, 'a published race was refused');
  const counts = [{ kind: 'refused', reason, count: 1 }] as const;
  const nothingSent = { ok: true, status: 'ok', message: null, recordsWritten: 0, sent: false };
  await deps.stores.health.recordPolls([
    { connector: RESULTS_CONNECTOR[source], at: instantNow(deps), ...nothingSent, counts },
  ]);
}
