// The books that are polled. A configured book without a connector fails at start-up.

import { createBetfairFeed } from './betfair/fetch';
import { createBlackStreamFeed } from './blackstream/fetch';
import { BLUEBET_DIALECTS } from './bluebet/dialects';
import { createBlueBetFeed } from './bluebet/fetch';
import { createDabbleFeed } from './dabble/fetch';
import { createEntainFeed, ENTAIN_BRANDS } from './entain/fetch';
import type { Feed, FeedEndpoint } from './feed';
import { createPalmerbetFeed } from './palmerbet/fetch';
import { createPlayUpFeed } from './playup/fetch';
import { createPointsBetFeed } from './pointsbet/fetch';
import { createSportsbetFeed } from './sportsbet/fetch';
import { createTabFeed } from './tab/fetch';
import { createTabTouchFeed } from './tabtouch/fetch';
import { createUnibetFeed } from './unibet/fetch';

type CreateFeed = (endpoint: FeedEndpoint, now: () => number) => Feed;

const CONNECTORS: ReadonlyMap<string, CreateFeed> = new Map<string, CreateFeed>([
  ...ENTAIN_BRANDS.map((brand): [string, CreateFeed] => [
    brand.bookmakerKey,
    (endpoint, now) => createEntainFeed(brand, endpoint, now),
  ]),
  ['betfair_ex_au', createBetfairFeed],
  ['dabble_au', createDabbleFeed],
  ['palmerbet', createPalmerbetFeed],
  ['playup', createPlayUpFeed],
  ['pointsbetau', createPointsBetFeed],
  ['sportsbet', createSportsbetFeed],
  ['betdeluxe', createBlackStreamFeed],
  ...BLUEBET_DIALECTS.map((dialect): [string, CreateFeed] => [
    dialect.bookmakerKey,
    (endpoint, now) => createBlueBetFeed(dialect, endpoint, now),
  ]),
  ['tab', (endpoint, now) => createTabFeed(endpoint, now)],
  ['tabtouch', createTabTouchFeed],
  ['unibet', createUnibetFeed],
]);

export const CONNECTED_BOOKS: readonly string[] = [...CONNECTORS.keys()];

/** One feed per configured endpoint. `now`: epoch milliseconds in race time. Throws for a key without a connector. */
export function createFeeds(
  endpoints: Readonly<Record<string, FeedEndpoint>>,
  now: () => number,
): ReadonlyMap<string, Feed> {
  return new Map(
    Object.entries(endpoints).map(([key, endpoint]) => {
      const create = CONNECTORS.get(key);
      if (!create) throw new Error(`No connector for the book "${key}"; there are ${CONNECTED_BOOKS.join(', ')}`);
      return [key, create(endpoint, now)];
    }),
  );
}
