// Runs the workers of a process as one: when one of them ends, for whatever reason, the others drain and the process
// ends.
import type { Worker } from '@temporalio/worker';

export type Running = Pick<Worker, 'run' | 'shutdown' | 'getState'>;

/** Resolves when all have drained after `stop`; rejects with the first failure, but only when all have ended. */
export async function runTogether(workers: ReadonlyMap<string, Running>, stop: AbortSignal): Promise<void> {
  const drain = () => {
    for (const worker of workers.values()) if (worker.getState() === 'RUNNING') worker.shutdown();
  };
  let failure: Error | null = null;
  const ended = [...workers].map(async ([role, worker]) => {
    try {
      await worker.run();
      if (!stop.aborted) failure ??= new Error(`the ${role} worker stopped by itself`);
    } catch (error) {
      failure ??= new Error(`the ${role} worker failed: ${(error as Error).message}`, { cause: error });
    }
    drain();
  });
  stop.addEventListener('abort', drain, { once: true });
  if (stop.aborted) drain();
  await Promise.all(ended);
  stop.removeEventListener('abort', drain);
  if (failure) throw failure;
}
