// One check of the books' betslip links, once a day by a Schedule (A 2.4 rule 6).
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
