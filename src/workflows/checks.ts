// Checks of our own service, each started by a Schedule: betslip links once a day (A 2.4 rule 6), uptime once a minute,
// served prices every ten minutes (A 4.13), credits every hour.
import { proxyActivities, workflowInfo } from '@temporalio/workflow';
import type { Activities } from '../activities/index';
import { type AuditedSport, auditRunId, LONGEST_RUN_MS } from '../domain/quality/audit';
import { QUEUES } from './contract';

const { checkBetslipLinks: check } = proxyActivities<Pick<Activities, 'checkBetslipLinks'>>({
  taskQueue: QUEUES.io,
  startToCloseTimeout: '3m',
  retry: { initialInterval: '1m', maximumAttempts: 3 },
});

export async function checkBetslipLinks(): Promise<void> {
  await check.executeWithOptions({ summary: 'a few live links of every book with a route' }, []);
}

const { probeUptime } = proxyActivities<Pick<Activities, 'probeUptime'>>({
  taskQueue: QUEUES.io,
  startToCloseTimeout: '20s',
  retry: { maximumAttempts: 2 },
});

/** A measurement that could not be taken is not made up for. */
export async function measureUptime(): Promise<void> {
  await probeUptime();
}

const { auditPrices } = proxyActivities<Pick<Activities, 'auditPrices'>>({
  taskQueue: QUEUES.io,
  startToCloseTimeout: '7m',
  scheduleToCloseTimeout: LONGEST_RUN_MS,
  heartbeatTimeout: '1m',
  retry: { initialInterval: '5s', maximumAttempts: 3 },
});

/** An order that came through the API names one sport. */
export async function auditQuality(sports: readonly AuditedSport[]): Promise<void> {
  const { runId: workflowRunId } = workflowInfo();
  const audit = (sportKey: AuditedSport) =>
    auditPrices.executeWithOptions({ summary: sportKey }, [{ runId: auditRunId(workflowRunId, sportKey), sportKey }]);
  const ends = await Promise.allSettled(sports.map(audit));
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
}

const { auditCredits: auditChanged } = proxyActivities<Pick<Activities, 'auditCredits'>>({
  taskQueue: QUEUES.io,
  startToCloseTimeout: '40m',
  scheduleToCloseTimeout: '50m',
  heartbeatTimeout: '2m',
  retry: { initialInterval: '1m', maximumInterval: '10m' },
});

export async function auditCredits(): Promise<void> {
  await auditChanged.executeWithOptions({ summary: 'balances that have changed, against the ledger' }, []);
}
