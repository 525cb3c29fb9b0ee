// For tests that move the race clock while a live poller runs: the clock waits until every responding book has
// responded.
import type { ActivityDeps } from '../../../src/activities/deps';
import { createHealthTally, type HealthTally } from '../../../src/activities/polling/health-tally';
import type { Feed } from '../../../src/feeds/feed';

export interface PollsUnderWay {
  /** Pass these to the poller. */
  readonly deps: ActivityDeps;
  readonly tally: HealthTally;
  /** Resolves once no poll is in flight, except at the hanging book. */
  answered(): Promise<void>;
}

/** `hanging`: a book that never responds; no test waits for it. */
export function pollsUnderWay(deps: ActivityDeps, hanging?: string): PollsUnderWay {
  const tally = createHealthTally(deps.stores.health, (error) => {
    throw error;
  });
  let underWay = 0;
  const feeds = [...deps.feeds].map(([key, feed]): [string, Feed] => {
    if (key === hanging) return [key, feed];
    const fetchRace: Feed['fetchRace'] = (...args) => {
      underWay += 1;
      return feed.fetchRace(...args);
    };
    return [key, { ...feed, fetchRace }];
  });
  const add: HealthTally['add'] = (poll) => {
    if (poll.connector !== hanging) underWay -= 1;
    tally.add(poll);
  };
  const answered = async (): Promise<void> => {
    do await new Promise((resolve) => setTimeout(resolve, 2));
    while (underWay > 0);
  };
  return { deps: { ...deps, feeds: new Map(feeds) }, tally: { ...tally, add }, answered };
}
