// The signals of one race's poller: one at a time and never awaited, because prices must not wait for Temporal.
import type { Unseen } from '../../store/polls/unseen';
import type { ActivityDeps } from '../deps';
import { signalUnseen } from './signal-unseen';

/** Race time: by then the workflow has written its control row. */
const AGAIN_AFTER_MS = 10_000;

export function createUnseenSignals(deps: ActivityDeps, raceId: string) {
  let running = false;
  let sent = '';
  let sentAtMs = Number.NEGATIVE_INFINITY;
  return {
    /** Repeats what was signalled and is still unseen, after a while. */
    signal(unseen: Unseen | null): void {
      const facts = JSON.stringify(unseen);
      const isRecent = facts === sent && deps.now() - sentAtMs < AGAIN_AFTER_MS;
      if (unseen === null || running || isRecent) return;
      running = true;
      void signalUnseen(deps, raceId, unseen).then((ok) => {
        running = false;
        sent = ok ? facts : '';
        sentAtMs = deps.now();
      });
    },
  };
}
