// Stores a feed's reply about one sport, and counts what it left out.
import type { FeedReply } from '../../feeds/feed';
import type { FeedOdds } from '../../feeds/sports-feed';
import type { SportFeedVerdict } from '../../store/sports/feed-reply';
import { instantNow, type SportsDeps } from '../deps';
import { healthOf } from '../polling/poll-book';

interface SportOfSource {
  readonly source: string;
  readonly sourceKey: string;
  readonly sportKey: string;
}

type Odds = Extract<FeedReply<FeedOdds>, { readonly kind: 'ok' }>;

/** No fixture is dated further ahead. */
const AHEAD_MS = 365 * 24 * 3_600_000;

export async function saveOdds(deps: SportsDeps, of: SportOfSource, reply: Odds): Promise<void> {
  const atMs = Date.parse(reply.observedAt);
  const isToCome = (start: string): boolean => Date.parse(start) > atMs && Date.parse(start) - atMs <= AHEAD_MS;
  // Matches in play are listed too: their last prices are kept.
  const toCome = [...reply.value.books].map(
    ([book, matches]) => [book, matches.filter(({ commenceTime }) => isToCome(commenceTime))] as const,
  );
  const { observedAt } = reply;
  const verdict = await deps.stores.sportFeed.save({ ...of, observedAt, books: new Map(toCome) }, instantNow(deps));
  const poll = healthOf({ bookmakerKey: of.source }, reply, verdict.changed);
  await deps.stores.health.recordPolls([{ ...poll, counts: [...poll.counts, ...refusals(verdict)] }]);
}

function refusals({ refused, pushed }: SportFeedVerdict) {
  const reasons = [...refused.map(({ reason }) => `sports_${reason}`), ...pushed.map(() => 'sports_pushed')];
  return reasons.map((reason) => ({ kind: 'refused' as const, reason, count: 1 }));
}
