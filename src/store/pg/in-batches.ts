// Runs many small database requests together: those that arrive while a batch is running go with the next one. A quiet
// service waits for nothing, or for the time that its caller allows; a busy one needs fewer round trips and commits. A
// silent connection never blocks a lane.
import DataLoader from 'dataloader';
import { NoReplyError } from './unreachable';

export interface Batching<Q = unknown> {
  /** Batches that run at once. */
  readonly lanes: number;
  readonly most: number;
  /** How long the first request of a batch waits for others, wall time. */
  readonly waitMs?: number;
  /** A request that waits for no others; those that wait go with it. */
  readonly isUrgent?: (request: Q) => boolean;
  /** A batch that begins with such a request goes before all others. */
  readonly goesFirst?: (request: Q) => boolean;
  /** Minimum time between the starts of two batches, wall time. */
  readonly everyMs?: number;
  /** After this long without a reply a batch fails and its lane is free again, wall time. */
  readonly replyWithinMs?: number;
}

/** Well before a poller's heartbeat is overdue. */
const REPLY_WITHIN_MS = 8000;

/** `run` resolves to one result per request, in order, an `Error` for a request that failed; or it rejects for all. */
export function inBatches<Q, A>(
  run: (requests: readonly Q[]) => Promise<readonly (A | Error)[]>,
  { lanes, most, waitMs = 0, isUrgent, goesFirst, everyMs = 0, replyWithinMs = REPLY_WITHIN_MS }: Batching<Q>,
): (request: Q) => Promise<A> {
  let running = 0;
  /** Several, because a full batch is followed by another before it is dispatched. */
  const ready: Ready[] = [];
  let isFirst = false;
  let beganMs = -Infinity;
  const next = (): void => {
    const at = ready.findIndex(({ isDue }) => isDue);
    if (running === lanes || at < 0) return;
    const nowMs = performance.now();
    const restMs = beganMs + everyMs - nowMs;
    if (restMs > 0) {
      setTimeout(next, restMs);
      return;
    }
    beganMs = nowMs;
    ready.splice(at, 1)[0]!.dispatch();
  };
  const hurry = (): void => {
    for (const batch of ready) batch.isDue = true;
    for (let i = ready.length; i > 0; i--) next();
  };
  const loader = new DataLoader<Q, A>(
    async (requests) => {
      running += 1;
      try {
        return await repliedWithin(replyWithinMs, run(requests));
      } finally {
        running -= 1;
        next();
      }
    },
    {
      cache: false,
      maxBatchSize: most,
      batchScheduleFn: (dispatch) => {
        const batch = { dispatch, isDue: false, isFirst };
        const due = (): void => {
          batch.isDue = true;
          next();
        };
        ready.splice(isFirst ? ready.findLastIndex((each) => each.isFirst) + 1 : ready.length, 0, batch);
        if (waitMs > 0 || everyMs > 0) setTimeout(due, waitMs);
        else setImmediate(due);
      },
    },
  );
  return (request) => {
    isFirst = goesFirst?.(request) ?? false;
    const answer = loader.load(request);
    if (isUrgent?.(request)) setImmediate(hurry);
    return answer;
  };
}

async function repliedWithin<T>(ms: number, reply: Promise<T>): Promise<T> {
  let overdue: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    overdue = setTimeout(() => reject(new NoReplyError(`the database did not reply within ${ms} ms`)), ms);
  });
  try {
    return await Promise.race([reply, late]);
  } finally {
    clearTimeout(overdue);
  }
}

interface Ready {
  readonly dispatch: () => void;
  /** It has waited long enough for others. */
  isDue: boolean;
  readonly isFirst: boolean;
}
