// The production workers inside the test's process, with an activity lab: its database, its namespace, its books.
import { NativeConnection } from '@temporalio/worker';
import { createActivities } from '../../src/activities';
import { WORKER_ROLES } from '../../src/config';
import { createWorkers } from '../../src/workers/create-workers';
import type { ActivityLab } from '../activities/lab';
import { installQuietRuntime } from '../support/servers/quiet-runtime';

const SLOTS = { live: 200, io: 100, backfill: 5, webhooks: 50, webhookRetries: 20, cachedWorkflows: 2000 };

/** Returns a function that stops them; calling it twice is safe, and nothing keeps running after it. */
export async function runWorkers(lab: ActivityLab): Promise<() => Promise<void>> {
  installQuietRuntime();
  const { address, namespace } = lab.temporal;
  const connection = await NativeConnection.connect({ address });
  const activities = createActivities(lab.deps);
  const workers = [
    ...(await createWorkers({ connection, namespace, roles: WORKER_ROLES, slots: SLOTS, activities })).values(),
  ];
  const running = Promise.all(workers.map((worker) => worker.run()));
  const stop = async () => {
    for (const worker of workers) worker.shutdown();
    await running;
    await connection.close();
  };
  let stopped: Promise<void> | undefined;
  return () => (stopped ??= stop());
}
