// Tracks which request the only thread works for: the hooks of the runtime report each switch between callbacks and
// promises. It costs a third of a microsecond per switch. Work that belongs to no request, such as reading a database
// connection, is counted for none.
import { AsyncLocalStorage, createHook, executionAsyncResource } from 'node:async_hooks';
import { isPromise } from 'node:util/types';
import { createProcessorClock, type ProcessorClock } from './processor-clock';

/** Of one request, milliseconds of processor time. */
export class Work {
  ms = 0;
  /** The longest time in which the thread served nothing else. */
  longestTurnMs = 0;
  private turn = 0;
  private turnMs = 0;

  /** `turn`: of the thread; it serves nothing else within one. */
  add(ms: number, turn: number): void {
    this.turnMs = turn === this.turn ? this.turnMs + ms : ms;
    this.turn = turn;
    this.ms += ms;
    this.longestTurnMs = Math.max(this.longestTurnMs, this.turnMs);
  }
}

export interface WorkMeter {
  /** Counts what `run` does, and everything that it starts, for this request. */
  measure<T>(work: Work, run: () => T): T;
  close(): void;
}

/** One per process, because its hooks see everything. */
export function createWorkMeter(clock: ProcessorClock = createProcessorClock()): WorkMeter {
  const current = new AsyncLocalStorage<Work>();
  const before: (Work | undefined)[] = [];
  let owner: Work | undefined;
  let sinceMs = clock();
  let turn = 1;
  const switchTo = (next: Work | undefined): void => {
    const nowMs = clock();
    owner?.add(nowMs - sinceMs, turn);
    sinceMs = nowMs;
    owner = next;
  };
  const hook = createHook({
    before: () => {
      before.push(owner);
      switchTo(current.getStore());
      // All promises run before the next callback.
      if (!isPromise(executionAsyncResource())) turn += 1;
    },
    after: () => switchTo(before.pop()),
  }).enable();
  return {
    measure: (work, run) =>
      current.run(work, () => {
        const outer = owner;
        switchTo(work);
        try {
          return run();
        } finally {
          switchTo(outer);
        }
      }),
    close: () => void hook.disable(),
  };
}
