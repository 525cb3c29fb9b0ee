// Pushes of sports are written one at a time, the books in turn. What waits is limited: one push of each book, and of
// all books so many selections. A push beyond that is refused before anything of it is written, so that its book
// repeats it; the one that waits is at most as old as the pace of pushes.
import { SPORT_BOOKS } from '../../../domain/bookmakers';
import { ExpectedRefusal } from '../../../errors';
import { createFairTurns } from '../../kernel/work/fair-turns';

/** `selections`: what the push keeps in memory while it waits. Throws `unavailable` if there is no room. */
type PushQueue = <T>(bookmakerKey: string, selections: number, work: () => Promise<T>) => Promise<T>;

/** Eight of the largest pushes, some 80 MB; what a book offers usually is a third of one. */
export const MOST_SELECTIONS_OPEN = 480_000;
/** As often as a book may push. */
const RETRY_SECONDS = 10;

const FULL = 'Too many pushes wait for the database, and nothing of this one was written. Send it again.';
const full = () => new ExpectedRefusal('unavailable', FULL, { retry_after_seconds: RETRY_SECONDS });

export function createPushQueue(): PushQueue {
  const turns = createFairTurns({ most: 1, mostOfOne: 1 }, { most: SPORT_BOOKS.length, mostOfOne: 1, refusal: full });
  let open = 0;
  return async (bookmakerKey, selections, work) => {
    if (open > 0 && open + selections > MOST_SELECTIONS_OPEN) throw full();
    open += selections;
    try {
      return await turns(bookmakerKey, work);
    } finally {
      open -= selections;
    }
  };
}
