// What a book does not say, as null (D3). For books that say little, polled or pushed; never a default for something a book does say.
import type { BookRunner, FeedScratching, RaceFacts } from './feed-race';

export const NO_FACTS: RaceFacts = Object.freeze({
  raceName: null,
  distanceM: null,
  trackCondition: null,
  weather: null,
  raceClass: null,
  conditions: null,
  prizeTotal: null,
  rail: null,
  trackName: null,
  placesPaid: null,
});

/** A runner of whom number, name, scratching and prices are all that is said. */
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

/** Out, and nothing more is said of it. */
export const OUT: FeedScratching = Object.freeze({ at: null, late: null, winDeduction: null, placeDeduction: null });
