// Polls the sports feed in rounds, and sleeps until the next match or list is due (ADR 0023). Which sports are due is a
// level in the database: the next tick of the Schedule follows a run that ends, and nothing is lost. Without a feed the
// first round ends the run.
import { proxyActivities, sleep } from '@temporalio/workflow';
import type { Activities } from '../../activities/index';
import { QUEUES } from '../contract';

const { pollSports: round } = proxyActivities<Pick<Activities, 'pollSports'>>({
  taskQueue: QUEUES.io,
  startToCloseTimeout: '10m',
  heartbeatTimeout: '1m',
  retry: { initialInterval: '5s', backoffCoefficient: 2, maximumInterval: '1m' },
});

/** About eleven events each: a run stays far below the limit of a history. */
const ROUNDS = 120;

export async function pollSports(): Promise<void> {
  for (let done = 0; done < ROUNDS; done++) {
    const { waitMs } = await round();
    if (waitMs === null) return;
    await sleep(waitMs);
  }
}
