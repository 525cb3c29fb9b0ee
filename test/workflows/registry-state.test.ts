import { Worker } from '@temporalio/worker';
import { REGISTRY_STATES } from '../../src/domain/registry/registry';
import { loadWorkflowBundle } from '../../src/workers/workflow-bundle';
import { QUEUES } from '../../src/workflows/contract';
import type { registryState } from '../../src/workflows/registry-state';
import { openTimeSkipping, type TimeSkipping } from '../support/servers/time-skipping';

let server: TimeSkipping;
beforeAll(async () => {
  server = await openTimeSkipping();
});
afterAll(() => server.close());

test('a state that fails is tried three times and does not stop the others, one after another', async () => {
  const calls: string[] = [];
  let running = 0;
  const readRegistry = async (state: string) => {
    calls.push(state);
    expect(++running).toBe(1);
    await new Promise((done) => setImmediate(done));
    running -= 1;
    if (state === 'VIC') throw new Error('away');
  };
  const { env } = server;
  const common = { connection: env.nativeConnection, namespace: env.namespace ?? 'default' };
  const workers = [
    await Worker.create({ ...common, taskQueue: QUEUES.workflows, workflowBundle: await loadWorkflowBundle() }),
    await Worker.create({ ...common, taskQueue: QUEUES.io, activities: { readRegistry } }),
  ];
  const ended = Promise.all(workers.map((worker) => worker.run()));
  await env.client.workflow.execute<typeof registryState>('registryState', {
    workflowId: 'registry-state',
    taskQueue: QUEUES.workflows,
  });
  for (const worker of workers) worker.shutdown();
  await ended;
  expect(calls).toEqual(REGISTRY_STATES.flatMap((state) => (state === 'VIC' ? [state, state, state] : [state])));
});
