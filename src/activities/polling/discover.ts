// Reads every book's list for the coming Sydney days and places each race on its identity (D17): a race that could be two races is
// refused, logged and counted, never guessed. All books are called at once, each within its own deadline; their lists are placed in the
// order of `factsRank`, so that the preferred source of starts and facts comes first.

import type { BookListing } from '../../domain/race/feed-race';
import type { Day } from '../../domain/race/race';
import { addDays, aetDay } from '../../domain/time/aet';
import type { FeedReply } from '../../feeds/feed';
import { placeCard, type Refused } from '../../store/card/place-card';
import type { ConnectorPoll } from '../../store/health';
import { stillWanted } from '../activity-context';
import { type ActivityDeps, instantNow } from '../deps';
import { signalAllUnseen } from '../races/signal-unseen';
import { callFeed, deadlineOf } from './call-feed';
import { healthOf } from './poll-book';
import { factsRank } from './race-books';

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
  const books = [...deps.feeds.keys()].sort((a, b) => factsRank(a) - factsRank(b));
  const lists = await Promise.all(books.map((book) => readLists(deps, book, dates)));
  let report = NOTHING;
  const refusals: unknown[] = [];
  for (const list of lists.flat()) {
    const placed = await placeList(deps, list).catch((error: unknown) => {
      refusals.push(error);
      return notPlaced(deps, list, error);
    });
    report = sum(report, placed);
  }
  // Not one list could be placed: our database is away, and the whole run is repeated.
  if (refusals.length > 0 && refusals.length === lists.flat().length) throw refusals[0];
  await signalAllUnseen(deps);
  return report;
}

/** Our database refused what this list would have it write. The other lists are placed, and operators see it at this book. */
async function notPlaced(deps: ActivityDeps, list: ListOfDay, err: unknown): Promise<DiscoveryReport> {
  const { bookmakerKey, day, reply } = list;
  deps.log.error({ err, book: bookmakerKey, day }, 'a list could not be placed');
  const poll: ConnectorPoll = {
    ...healthOf({ bookmakerKey }, reply, 0),
    ok: false,
    status: 'not_placed',
    message: 'the database refused its list',
    counts: [{ kind: 'failed', reason: 'not_placed', count: 1 }],
  };
  await deps.stores.health
    .recordPolls([poll])
    .catch((error: unknown) => deps.log.warn({ err: error }, 'health not written'));
  return { ...NOTHING, failedLists: 1 };
}

interface ListOfDay {
  readonly bookmakerKey: string;
  readonly day: Day;
  readonly reply: FeedReply<readonly BookListing[]>;
}

/** A list may have several pages; a race is one call. */
const LIST_DEADLINES = 4;

/** One day after another: lists are not urgent. */
async function readLists(deps: ActivityDeps, bookmakerKey: string, days: readonly Day[]): Promise<ListOfDay[]> {
  const lists: ListOfDay[] = [];
  for (const day of days) {
    stillWanted();
    const reply = await callFeed(deps, {
      bookmakerKey,
      send: (feed, call) => feed.listRaces(day, call),
      call: { urgency: 'idle' },
      deadlineMs: LIST_DEADLINES * deadlineOf(deps, bookmakerKey),
      patient: true,
    });
    lists.push({ bookmakerKey, day, reply });
  }
  return lists;
}

const sum = (a: DiscoveryReport, b: DiscoveryReport): DiscoveryReport => ({
  listed: a.listed + b.listed,
  created: a.created + b.created,
  startsMoved: a.startsMoved + b.startsMoved,
  refused: a.refused + b.refused,
  failedLists: a.failedLists + b.failedLists,
});

async function placeList(deps: ActivityDeps, { bookmakerKey, day, reply }: ListOfDay): Promise<DiscoveryReport> {
  stillWanted();
  const listed = reply.kind === 'ok' ? reply.value : [];
  const { placed, refused, changes } = await placeCard(deps.stores.races, bookmakerKey, day, listed, instantNow(deps));
  for (const { listing, reason, candidates } of refused) {
    const { venue, raceNumber } = listing;
    deps.log.warn({ book: bookmakerKey, venue, raceNumber, reason, candidates }, 'a listed race was refused');
  }
  const moved = changes.filter((change) => change.startMoved && !change.created);
  await deps.stores.health.recordPolls([withRefused(healthOf({ bookmakerKey }, reply, placed.length), refused)]);
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
