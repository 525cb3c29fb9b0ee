// Checks of our own service, each started by a Schedule: betslip links once a day (A 2.4 rule 6), uptime once a minute.
import { proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../activities/index';
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
