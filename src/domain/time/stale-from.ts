// When a quote becomes stale if its book is not polled again (A 2.4 rule 4): pages count down to it without a new
// response.
import type { Bookmaker } from '../bookmakers';
import { liveWithinSeconds } from './cadence';
import { AHEAD_SECONDS, staleAfterSeconds } from './staleness';

/** Staleness counts whole seconds, rounded down: a quote passes a threshold one second after it. */
const past = (seconds: number): number => (seconds + 1) * 1000;

/**
 * The first instant at which a quote polled at `polledAtMs` is stale, in epoch milliseconds. Without a book, the race's
 * own tier counts. 0 if the poll comes from a clock ahead of `nowMs`: it proves no age.
 */
export function staleFromMs(polledAtMs: number, startMs: number, nowMs: number, book?: Bookmaker): number {
  if (Math.floor((nowMs - polledAtMs) / 1000) < -AHEAD_SECONDS) return 0;
  const liveFromMs = startMs - past(liveWithinSeconds(book)) + 1;
  const staleAsLiveMs = Math.max(liveFromMs, polledAtMs + past(staleAfterSeconds('live')));
  return Math.min(staleAsLiveMs, polledAtMs + past(staleAfterSeconds('card')));
}
