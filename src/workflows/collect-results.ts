// Reads what the registries publish about meetings that have run, every two hours by a Schedule: registries in
// parallel, the regions of each one after another. A region that fails is left for the next run and does not stop the
// others. Then the coverage of every field is brought up to date, whether the race's own workflow still runs or not. A
// run that left a region unread has failed.
import { ApplicationFailure, isCancellation, log, patched, proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../activities/index';
import { QUEUES } from './contract';

/** A document a second: a region has some dozens. A failed document rests for a minute, so a retry waits longer. */
const { collectRegion } = proxyActivities<Pick<Activities, 'collectRegion'>>({
  taskQueue: QUEUES.io,
  startToCloseTimeout: '30m',
  heartbeatTimeout: '6m',
  retry: { initialInterval: '70s', backoffCoefficient: 1, maximumAttempts: 3 },
});

const { resultsRegions, settleCoverage } = proxyActivities<Pick<Activities, 'resultsRegions' | 'settleCoverage'>>({
  taskQueue: QUEUES.io,
  startToCloseTimeout: '30m',
  heartbeatTimeout: '6m',
  retry: { initialInterval: '10s', maximumAttempts: 5 },
});

type Region = Awaited<ReturnType<typeof resultsRegions>>[number];

export async function collectResults(): Promise<void> {
  const regions = await resultsRegions();
  const sources = [...new Set(regions.map(({ source }) => source))];
  const unread: string[] = [];
  await Promise.all(
    sources.map((source) =>
      collectAll(
        regions.filter((region) => region.source === source),
        unread,
      ),
    ),
  );
  await settleCoverage.executeWithOptions({ summary: 'missed passes, fields past their horizon' }, []);
  if (unread.length > 0 && patched('unread-fails'))
    throw ApplicationFailure.retryable(`not read: ${unread.join(', ')}`, 'RegionsUnread');
}

async function collectAll(regions: readonly Region[], unread: string[]): Promise<void> {
  for (const region of regions) {
    const summary = `${region.source} ${region.region}: fields that are still missing`;
    try {
      await collectRegion.executeWithOptions({ summary }, [region]);
    } catch (error) {
      if (isCancellation(error)) throw error;
      log.warn('a region of a registry could not be read', { ...region, error });
      unread.push(`${region.source} ${region.region}`);
    }
  }
}
