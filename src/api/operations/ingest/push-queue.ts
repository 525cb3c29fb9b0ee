// Pushes of sports are written one at a time, the books in turn. What waits is limited: one push of each book, its
// newest, and of all books so many selections. A push that finds no room, or whose place a newer one of its book takes,
// is refused before anything of it is written. A push whose client is gone leaves the queue.
import { ExpectedRefusal } from '../../../errors';
import { createFairTurns } from '../../kernel/work/fair-turns';

interface QueuedPush {
  readonly bookmakerKey: string;
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
const OVERTAKEN = 'A newer push of this bookmaker took the place of this one, which waited. Nothing of it was written.';

export class PushRefused extends ExpectedRefusal {
  constructor(detail: string) {
    super('unavailable', detail, { retry_after_seconds: RETRY_SECONDS });
  }
}

export function createPushQueue(): PushQueue {
  const turns = createFairTurns({ most: 1, mostOfOne: 1 });
  const waiting = new Map<string, { readonly selections: number; readonly refuse: AbortController }>();
  let open = 0;
  return async ({ bookmakerKey, selections, gone }, work) => {
    const before = waiting.get(bookmakerKey);
    const others = open - (before?.selections ?? 0);
    if (others > 0 && others + selections > MOST_SELECTIONS_OPEN) throw new PushRefused(FULL);
    const own = { selections, refuse: new AbortController() };
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
      before?.refuse.abort(new PushRefused(OVERTAKEN));
      return await done;
    } finally {
      begin();
      open -= selections;
    }
  };
}
