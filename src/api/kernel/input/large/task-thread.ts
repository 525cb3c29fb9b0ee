// One thread that starts with its first task, ends after an idle time, and never keeps the process alive. Not a pool
// from a package: those with a thread that comes and goes forget the queue of a dead thread, and end the process if one
// cannot start (seen 2026-11-28: piscina 5.3.2).
import { once } from 'node:events';
import type { Transferable, Worker } from 'node:worker_threads';

export interface ThreadTimes {
  readonly idleMs: number;
  /** A task that takes longer ends with its thread. */
  readonly longestMs: number;
}

export interface TaskThread<Task, Reply> {
  /** One task at a time. Rejects if the thread dies, cannot start or takes too long; the next task has a new one. */
  run(task: Task, transfer: readonly Transferable[]): Promise<Reply>;
}

/** `start`: starts a thread that answers each message with one. */
export function createTaskThread<Task, Reply>(start: () => Worker, times: ThreadTimes): TaskThread<Task, Reply> {
  let thread: Worker | null = null;
  let idle: NodeJS.Timeout | undefined;
  const end = (): void => {
    void thread?.terminate();
    thread = null;
  };
  const begin = (): Worker => {
    const own = start();
    const ended = (): void => {
      if (thread === own) thread = null;
    };
    // Also between two tasks: an error without a listener ends the process.
    return own.on('error', ended).on('exit', ended);
  };
  return {
    async run(task, transfer) {
      clearTimeout(idle);
      const over = new AbortController();
      const late = setTimeout(() => over.abort(new Error('the thread took too long')), times.longestMs).unref();
      try {
        thread ??= begin();
        thread.postMessage(task, transfer);
        const { signal } = over;
        const died = once(thread, 'exit', { signal }).then(() => Promise.reject(new Error('the thread ended')));
        const replied = once(thread, 'message', { signal });
        // A message listener refs it again.
        thread.unref();
        const [reply] = await Promise.race([replied, died]);
        idle = setTimeout(end, times.idleMs).unref();
        return reply;
      } catch (error) {
        end();
        throw error;
      } finally {
        clearTimeout(late);
        over.abort();
      }
    },
  };
}
