// Reports the queues that no process of the deployment serves, in the log when a worker has started and as a gauge from
// then on: their work waits without an error.
import { metrics, type ObservableResult } from '@opentelemetry/api';
import type { Client } from '@temporalio/client';
import type { WorkerRole } from '../config';
import type { Log } from '../log';
import { type PolledQueue, readQueues } from '../temporal-queues';
import { QUEUES } from '../workflows/contract';

/**
 * Of the roles that this process does not have, those whose queue no process that gets its work has polled within the
 * server's last five minutes. A worker of another build than the promoted one polls without getting work; a build that
 * has a share needs workers of its own.
 */
export async function unservedQueues(client: Client, own: readonly WorkerRole[]): Promise<string[]> {
  const others = (Object.keys(QUEUES) as WorkerRole[]).filter((role) => !own.includes(role));
  const queues = await readQueues(
    client,
    others.map((role) => QUEUES[role]),
  );
  return queues.filter((queue) => !isServed(queue)).map(({ name }) => name);
}

const isServed = ({ builds, promoted, ramping }: PolledQueue): boolean =>
  builds.has(promoted) && (ramping === null || builds.has(ramping));

/** A start that finds none unserved logs nothing. Processes start together, so this is a hint and no failure. */
export async function reportUnserved(client: Client, own: readonly WorkerRole[], log: Log): Promise<void> {
  try {
    for (const queue of await unservedQueues(client, own))
      log.warn(
        { queue },
        'no worker serves this queue, or none whose build is promoted: its work waits for one whose WORKER_ROLES include it',
      );
  } catch (err) {
    log.warn({ err }, 'the queues of other workers could not be checked');
  }
}

const gauge = metrics.getMeter('racing-odds/collection').createObservableGauge('racing.queue.unserved', {
  description: 'Whether no worker has polled this queue within five minutes, 1 or 0',
});

/**
 * Reads every queue periodically, `everyMs` of wall time apart and never twice at once. While Temporal does not answer
 * the gauge is missing.
 */
export function watchQueues(client: Client, everyMs: number): () => void {
  let unserved: readonly string[] | null = null;
  let reading = false;
  const read = async () => {
    if (reading) return;
    reading = true;
    unserved = await unservedQueues(client, []).catch(() => null);
    reading = false;
  };
  const observe = (result: ObservableResult) => {
    if (unserved === null) return;
    for (const queue of Object.values(QUEUES)) result.observe(unserved.includes(queue) ? 1 : 0, { queue });
  };
  void read();
  const timer = setInterval(read, everyMs).unref();
  gauge.addCallback(observe);
  return () => {
    clearInterval(timer);
    gauge.removeCallback(observe);
  };
}
