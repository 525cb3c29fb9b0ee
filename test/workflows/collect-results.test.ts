import { Worker } from '@temporalio/worker';
import type { RegistryRegion } from '../../src/activities/full-field/collector';
import { loadWorkflowBundle } from '../../src/workers/workflow-bundle';
import { QUEUES } from '../../src/workflows/contract';
import { openTimeSkipping, type TimeSkipping } from '../support/servers/time-skipping';

let server: TimeSkipping;
beforeAll(async () => {
  server = await openTimeSkipping();
});
afterAll(() => server.close());

const REGIONS: readonly RegistryRegion[] = [
  { source: 'racing_australia', region: 'NSW' },
  { source: 'racing_australia', region: 'VIC' },
  { source: 'topaz', region: 'NSW' },
  { source: 'topaz', region: 'QLD' },
];

test('a region that fails is tried three times and does not stop the others; a registry gets one call at a time', async () => {
  const calls = [] as string[];
  const running = new Set<string>();
  let settled = 0;
  const activities = {
    resultsRegions: async () => REGIONS,
    collectRegion: async ({ source, region }: RegistryRegion) => {
      expect(running.has(source)).toBe(false);
      running.add(source);
      calls.push(`${source} ${region}`);
      await new Promise((done) => setImmediate(done));
      running.delete(source);
      if (source === 'racing_australia' && region === 'NSW') throw new Error('away');
    },
    settleCoverage: async () => {
      settled = calls.length;
    },
  };
  await expect(runToItsEnd('collectResults', activities)).rejects.toMatchObject({
    cause: { message: 'not read: racing_australia NSW' },
  });
  const of = (source: string) => calls.filter((what) => what.startsWith(source)).map((what) => what.split(' ')[1]);
  expect(of('racing_australia')).toEqual(['NSW', 'NSW', 'NSW', 'VIC']);
  expect(of('topaz')).toEqual(['NSW', 'QLD']);
  expect(settled).toBe(6);
});

test('bulk files: a period that fails is tried three times and does not stop the others; the sweep comes last', async () => {
  const calls: string[] = [];
  await runToItsEnd('bulkFiles', {
    dueBulkPeriods: async () =>
      ['2026-11-20', '2026-11-19', '2026-10'].map((period) => ({ dataset: 'results', period })),
    buildBulkPeriod: async ({ period }: { period: string }) => {
      calls.push(period);
      if (period === '2026-11-20') throw new Error('no space left');
      return 'built';
    },
    sweepBulkFiles: async () => calls.push('sweep'),
  });
  expect(calls).toEqual(['2026-11-20', '2026-11-20', '2026-11-20', '2026-11-19', '2026-10', 'sweep']);
});

test('a registry state that fails does not stop the others, and the run has failed', async () => {
  const states: string[] = [];
  const readRegistry = async (state: string) => {
    states.push(state);
    if (state === 'VIC') throw new Error('away');
  };
  await expect(runToItsEnd('registryState', { readRegistry })).rejects.toMatchObject({
    cause: { message: 'not read: VIC' },
  });
  expect(new Set(states).size).toBeGreaterThan(5);
  expect(states.filter((state) => state === 'VIC')).toHaveLength(3);
});

test.each(['collectPremierships', 'collectHistory'])('%s: a run that read nothing has failed', async (workflow) => {
  const away = async () => {
    throw new Error('away');
  };
  await expect(runToItsEnd(workflow, { [workflow]: away })).rejects.toThrow('failed');
});

async function runToItsEnd(workflow: string, activities: object): Promise<void> {
  const { env } = server;
  const common = { connection: env.nativeConnection, namespace: env.namespace ?? 'default' };
  const workers = [
    await Worker.create({ ...common, taskQueue: QUEUES.workflows, workflowBundle: await loadWorkflowBundle() }),
    await Worker.create({ ...common, taskQueue: QUEUES.io, activities }),
  ];
  const ended = Promise.all(workers.map((worker) => worker.run()));
  try {
    await env.client.workflow.execute(workflow, { workflowId: workflow, taskQueue: QUEUES.workflows, args: [] });
  } finally {
    for (const worker of workers) worker.shutdown();
    await ended;
  }
}
