// Reads every book's list for the coming Sydney days and places each race on its identity (D17): a race that could be two races is
// refused, logged and counted, never guessed. Books are read in the order in which their starts and facts are believed.
import { addDays, aetDay } from '../domain/aet';
import type { Day } from '../domain/race';
import type { Feed } from '../feeds/feed';
import { placeCard, type Refused } from '../store/place-card';
import type { ConnectorPoll } from '../store/store';
import { type ActivityDeps, instantNow } from './deps';
import { healthOf } from './poll-book';
import { factsRank } from './race-books';
import { tellStartMoved } from './tell-race';

export interface DiscoveryReport {
  readonly listed: number;
  readonly created: number;
  readonly startsMoved: number;
  readonly refused: number;
  readonly failedLists: number;
}

const NOTHING: DiscoveryReport = { listed: 0, created: 0, startsMoved: 0, refused: 0, failedLists: 0 };

/** `days` from today on, Sydney time. */
export async function discover(deps: ActivityDeps, { days }: { days: number }): Promise<DiscoveryReport> {
  const today = aetDay(deps.now());
  const dates = Array.from({ length: days }, (_, i) => addDays(today, i));
  const feeds = [...deps.feeds.values()].sort((a, b) => factsRank(a.bookmakerKey) - factsRank(b.bookmakerKey));
  let report = NOTHING;
  for (const feed of feeds) for (const day of dates) report = sum(report, await readList(deps, feed, day));
  return report;
}

const sum = (a: DiscoveryReport, b: DiscoveryReport): DiscoveryReport => ({
  listed: a.listed + b.listed,
  created: a.created + b.created,
  startsMoved: a.startsMoved + b.startsMoved,
  refused: a.refused + b.refused,
  failedLists: a.failedLists + b.failedLists,
});

async function readList(deps: ActivityDeps, feed: Feed, day: Day): Promise<DiscoveryReport> {
  const { bookmakerKey } = feed;
  const reply = await feed.listRaces(day, { urgency: 'idle' });
  const listed = reply.kind === 'ok' ? reply.value : [];
  const { placed, refused, changes } = await placeCard(deps.stores.races, bookmakerKey, day, listed, instantNow(deps));
  for (const { listing, reason, candidates } of refused) {
    const { venue, raceNumber } = listing;
    deps.log.warn({ book: bookmakerKey, venue, raceNumber, reason, candidates }, 'a listed race was refused');
  }
  const moved = changes.filter((change) => change.startMoved && !change.created);
  for (const { raceId, startTime, startVersion } of moved) await tellStartMoved(deps, raceId, startTime, startVersion);
  await deps.stores.health.recordPolls([withRefused(healthOf(feed, reply, placed.length), refused)]);
  return {
    listed: listed.length,
    created: changes.filter((change) => change.created).length,
    startsMoved: moved.length,
    refused: refused.length,
    failedLists: reply.kind === 'failed' ? 1 : 0,
  };
}

const withRefused = (poll: ConnectorPoll, refused: readonly Refused[]): ConnectorPoll => ({
  ...poll,
  counts: [...poll.counts, ...refused.map(({ reason }) => ({ kind: 'refused' as const, reason, count: 1 }))],
});
