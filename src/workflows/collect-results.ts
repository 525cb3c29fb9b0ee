// What the registries publish of meetings that have run, every two hours by a Schedule: registry beside registry, each region by region so that
// it is asked one thing at a time. A region that cannot be read is left for the next run and keeps no other from being read. Then the coverage
// of every field is brought up to date, whatever became of the race's own workflow.
import { isCancellation, log, proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../activities/index';
import { QUEUES } from './contract';

/** A document a second: a region has some dozens. What failed rests for a minute. */
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
  await Promise.all(sources.map((source) => collectAll(regions.filter((region) => region.source === source))));
  await settleCoverage.executeWithOptions({ summary: 'passes that were missed, fields that are given up' }, []);
}

async function collectAll(regions: readonly Region[]): Promise<void> {
  for (const region of regions) {
    const summary = `${region.source} ${region.region}: what races still want`;
    try {
      await collectRegion.executeWithOptions({ summary }, [region]);
    } catch (error) {
      if (isCancellation(error)) throw error;
      log.warn('a region of a registry could not be read', { ...region, error });
    }
  }
}
