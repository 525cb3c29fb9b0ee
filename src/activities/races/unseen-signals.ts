// The signals of one race's poller: one at a time, and not awaited while it polls, because prices must not wait for
// Temporal.
import type { Unseen } from '../../store/polls/unseen';
import type { ActivityDeps } from '../deps';
import { signalUnseen } from './signal-unseen';

/** Race time: by then the workflow has written its control row. */
const AGAIN_AFTER_MS = 10_000;

export function createUnseenSignals(deps: ActivityDeps, raceId: string) {
  let running: Promise<void> | null = null;
  let sent = '';
  let sentAtMs = Number.NEGATIVE_INFINITY;
  return {
    /** Repeats signals that are still unseen after a while. */
    signal(unseen: Unseen | null): void {
      const facts = JSON.stringify(unseen);
      const isRecent = facts === sent && deps.now() - sentAtMs < AGAIN_AFTER_MS;
      if (unseen === null || running || isRecent) return;
      running = signalUnseen(deps, raceId, unseen).then((ok) => {
        running = null;
        sent = ok ? facts : '';
        sentAtMs = deps.now();
      });
    },
    /** Before the poller ends: the meaning of its end depends on the start that the workflow has. */
    async settled(): Promise<void> {
      await running;
    },
  };
}
