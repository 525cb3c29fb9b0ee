// Builds every configured feed as collection uses it: behind its gate, with metrics, and in bulk where a book returns
// many races in one call.
import type { Feed, FeedEndpoint } from '../feed';
import { gathered } from '../gather';
import { observedFeed } from '../observed-feed';
import { createFeeds } from '../registry';
import type { Rate } from './bucket';
import type { BudgetSource } from './budget';
import { type BookGate, createGate } from './gate';

export interface GatedFeeds {
  readonly feeds: ReadonlyMap<string, Feed>;
  readonly gates: ReadonlyMap<string, BookGate>;
}

/** `now`: epoch milliseconds in race time. */
export function createGatedFeeds(
  endpoints: Readonly<Record<string, FeedEndpoint>>,
  rates: Readonly<Record<string, Rate>>,
  source: BudgetSource,
  now: () => number,
): GatedFeeds {
  const gates = new Map(Object.keys(endpoints).map((key) => [key, createGate(key, rates[key]!, source)]));
  const gatedEndpoints = Object.fromEntries(
    Object.entries(endpoints).map(([key, endpoint]) => [key, { ...endpoint, gate: gates.get(key)! }]),
  );
  const feeds = [...createFeeds(gatedEndpoints, now)].map(([key, feed]): [string, Feed] => [
    key,
    gathered(observedFeed(feed), now),
  ]);
  return { feeds: new Map(feeds), gates };
}
