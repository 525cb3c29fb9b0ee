// The activity whose success is the success of a Schedule's run. Of a run that reads many lists or regions it is one of them: that some fail has
// alerts of its own (docs/runbook.md).
import type { Activities } from '../../activities';

interface LastStep {
  readonly workflow: string;
  readonly activity: keyof Activities;
}

const step = (workflow: string, activity: keyof Activities): LastStep => ({ workflow, activity });

export const LAST_STEPS: Readonly<Record<string, LastStep>> = {
  'archive-past': step('archivePast', 'archivePast'),
  'audit-quality': step('auditQuality', 'auditPrices'),
  'backfill-sweep': step('backfillSweep', 'sweepBackfills'),
  'bulk-files': step('bulkFiles', 'sweepBulkFiles'),
  'check-betslip-links': step('checkBetslipLinks', 'checkBetslipLinks'),
  'close-credits': step('closeCredits', 'closeCredits'),
  'collect-results': step('collectResults', 'collectRegion'),
  'fill-runs': step('fillRuns', 'fillRuns'),
  'meeting-discovery': step('discoverMeetings', 'readList'),
  premierships: step('collectPremierships', 'collectPremierships'),
  'race-sweep': step('sweepRaces', 'startRaces'),
  'registry-gates': step('sweepGates', 'startGates'),
  'registry-join': step('registryJoin', 'joinRegistry'),
  'registry-state': step('registryState', 'readRegistry'),
  'run-history': step('collectHistory', 'collectHistory'),
  'sports-feed': step('pollSports', 'pollSports'),
  'uptime-probe': step('measureUptime', 'probeUptime'),
  'webhook-sweep': step('webhookSweep', 'sweepWebhooks'),
};

const keyOf = (workflow: string, activity: string): string => `${workflow} ${activity}`;
const SCHEDULES = new Map(
  Object.entries(LAST_STEPS).map(([scheduleId, { workflow, activity }]) => [keyOf(workflow, activity), scheduleId]),
);

/** Null: the success of this activity is not that of a Schedule. */
export const scheduleOf = (workflow: string, activity: string): string | null =>
  SCHEDULES.get(keyOf(workflow, activity)) ?? null;
