// Pushes of sports are written one at a time, the books in turn. What waits is limited: one push of each book, its
// newest by observation, and of all books so many selections. Of two pushes of a book the one that is not newer is
// refused, whichever came first, and its sender is not to send it again: without an instant of its own it would then be
// the newest. A push that finds no room is to be sent again. Of a refused push nothing is written. A push whose client
// is gone leaves the queue, or never enters it.
import type { Instant } from '../../../domain/race/race';
import { ExpectedRefusal } from '../../../errors';
import { createFairTurns } from '../../kernel/work/fair-turns';

interface QueuedPush {
  readonly bookmakerKey: string;
  readonly observedAt: Instant;
  /** That it keeps in memory while it waits. */
  readonly selections: number;
  /** Aborted with the reason to give up. */
  readonly gone: AbortSignal;
}

/** Throws a `PushRefused`, or the reason of the signal. */
type PushQueue = <T>(push: QueuedPush, work: () => Promise<T>) => Promise<T>;

/** Eight of the largest pushes, some 80 MB; what a book offers usually is a third of one. */
export const MOST_SELECTIONS_OPEN = 480_000;
/** As often as a book may push. */
const RETRY_SECONDS = 10;

const FULL = 'Too many pushes wait for the database, and nothing of this one was written. Send it again.';
const OVERTAKEN =
  'A push of this bookmaker that is as new or newer waits in place of this one, of which nothing was written.';

export class PushRefused extends ExpectedRefusal {}

const full = () => new PushRefused('unavailable', FULL, { retry_after_seconds: RETRY_SECONDS });
/** As for a replaced stream: the same request never succeeds later. */
const overtaken = () => new PushRefused('conflict', OVERTAKEN);

interface Waiting {
  readonly selections: number;
  readonly observedMs: number;
  readonly gone: AbortSignal;
  readonly refuse: AbortController;
}

export function createPushQueue(): PushQueue {
  const turns = createFairTurns({ most: 1, mostOfOne: 1 });
  const waiting = new Map<string, Waiting>();
  let open = 0;
  return async ({ bookmakerKey, observedAt, selections, gone }, work) => {
    gone.throwIfAborted();
    const observedMs = Date.parse(observedAt);
    const before = waiting.get(bookmakerKey);
    if (before && !before.gone.aborted && observedMs <= before.observedMs) throw overtaken();
    const others = open - (before?.selections ?? 0);
    if (others > 0 && others + selections > MOST_SELECTIONS_OPEN) throw full();
    const own = { selections, observedMs, gone, refuse: new AbortController() };
    const begin = (): void => {
      if (waiting.get(bookmakerKey) === own) waiting.delete(bookmakerKey);
    };
    open += selections;
    waiting.set(bookmakerKey, own);
    try {
      const done = turns(
        bookmakerKey,
        () => {
          begin();
          return work();
        },
        AbortSignal.any([gone, own.refuse.signal]),
      );
      // Only when the newer one waits, so that the book keeps its turn.
      before?.refuse.abort(overtaken());
      return await done;
    } finally {
      begin();
      open -= selections;
    }
  };
}
