// Nulls for what a book does not report (D3). For books that report little, polled or pushed; never a default for a
// reported value.
import type { BookRunner, FeedScratching } from './feed-race';
import { factsOf, type RaceFacts } from './race-facts';

export const NO_FACTS: RaceFacts = Object.freeze(factsOf(() => null));

/** For a runner with only number, name, scratching and prices. */
export const NO_DETAILS = Object.freeze({
  barrier: null,
  jockey: null,
  trainer: null,
  weightKg: null,
  form: null,
  runnerRef: null,
  emergency: null,
  toteWin: null,
}) satisfies Partial<BookRunner>;

/** Scratched, without details. */
export const OUT: FeedScratching = Object.freeze({ at: null, late: null, winDeduction: null, placeDeduction: null });
