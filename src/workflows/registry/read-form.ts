// Reads one horse's form page for the customers who wait for it: one run at a time for each code, shared by all of
// them. No page enters here.
import { proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../../activities/index';
import { type FormRead, QUEUES } from '../contract';

/** It waits for its turn at the registry, behind pages of results and acceptances only. */
const { readHorseForm } = proxyActivities<Pick<Activities, 'readHorseForm'>>({
  taskQueue: QUEUES.forms,
  startToCloseTimeout: '2m',
  retry: { initialInterval: '1s', maximumAttempts: 3 },
});

export async function readForm(code: string): Promise<FormRead> {
  return readHorseForm(code);
}
