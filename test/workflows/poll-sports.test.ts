// The run of the feed of sports on skipped time: it sleeps as long as a round requests, survives an unavailable
// database, and ends if there is no feed.
import { Worker } from '@temporalio/worker';
import { loadWorkflowBundle } from '../../src/workers/workflow-bundle';
import { QUEUES } from '../../src/workflows/contract';
import { openTimeSkipping, type TimeSkipping } from '../support/servers/time-skipping';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

let server: TimeSkipping;
beforeAll(async () => {
  server = await openTimeSkipping();
});
afterAll(() => server.close());

test('rounds follow the waits, a failed round is repeated, and without a feed the run ends', async () => {
  const { env } = server;
  const common = { connection: env.nativeConnection, namespace: env.namespace ?? 'default' };
  const waits = [15 * MINUTE, 2 * MINUTE, 30_000, 6 * HOUR, null];
  const at: number[] = [];
  let failures = 3;
  const pollSports = async () => {
    if (at.length === 2 && failures-- > 0) throw new Error('the database is away');
    at.push(await env.currentTimeMs());
    return { waitMs: waits[at.length - 1] };
  };
  const workers = [
    await Worker.create({ ...common, taskQueue: QUEUES.workflows, workflowBundle: await loadWorkflowBundle() }),
    await Worker.create({ ...common, taskQueue: QUEUES.io, activities: { pollSports } }),
  ];
  const ended = Promise.all(workers.map((worker) => worker.run()));
  try {
    const run = { workflowId: 'sports-feed', taskQueue: QUEUES.workflows, args: [] };
    await env.client.workflow.execute('pollSports', run);
  } finally {
    for (const worker of workers) worker.shutdown();
    await ended;
  }
  const between = at.slice(1).map((ms, i) => ms - at[i]!);
  expect(between).toHaveLength(4);
  for (const [i, ms] of between.entries()) expect(ms).toBeGreaterThanOrEqual(waits[i]!);
  expect(failures).toBe(-1);
  // A round that failed is repeated within a minute, not after the next wait.
  expect(between[1]).toBeLessThan(2 * MINUTE + 3 * MINUTE);
}, 600_000);
