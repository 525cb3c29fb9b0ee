// Work that continues for as long as a process: again at once while there is more, otherwise after a wait that a ring
// ends early. A failure is logged and retried.
import { setTimeout as delay } from 'node:timers/promises';
import type { Log } from '../log';

export interface LoopSetup {
  /** Resolves to whether there may be more at once. */
  readonly work: () => Promise<boolean>;
  /** Wall. */
  readonly idleMs: number;
  /** Wall time, minimum between two passes. Default: none. */
  readonly spacingMs?: number;
  readonly log: Pick<Log, 'warn'>;
  /** What a failure means, for the log. */
  readonly failed: string;
}

export interface Loop {
  /** There is something new. A ring during a pass is not lost. */
  ring(): void;
  /** Resolves when the current pass has ended. */
  close(): Promise<void>;
}

/** Wall, after a failure. */
const AWAY_MS = 1000;

export function startLoop({ work, idleMs, spacingMs = 0, log, failed }: LoopSetup): Loop {
  let stopped = false;
  let rung = false;
  let wake = (): void => undefined;
  const idle = (): Promise<void> =>
    new Promise((resolve) => {
      if (rung || stopped) return resolve();
      const timer = setTimeout(resolve, idleMs);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  const run = async (): Promise<void> => {
    while (!stopped) {
      try {
        rung = false;
        if (!(await work())) await idle();
        if (spacingMs > 0) await delay(spacingMs);
      } catch (err) {
        log.warn({ err }, failed);
        await delay(AWAY_MS);
      }
    }
  };
  const running = run();
  return {
    ring: () => {
      rung = true;
      wake();
    },
    close: () => {
      stopped = true;
      wake();
      return running;
    },
  };
}
