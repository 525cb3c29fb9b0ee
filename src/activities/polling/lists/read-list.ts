// Reads one book's list of one Sydney day and places each race on its identity (D17): a race that could be two races is
// refused, logged and counted, never guessed. A list that could not be read or placed is a failure, never an empty
// list.
import { ApplicationFailure, ApplicationFailureCategory, CancelledFailure } from '@temporalio/common';
import type { BookListing } from '../../../domain/race/feed-race';
import type { Day } from '../../../domain/race/race';
import { addDays, aetDay } from '../../../domain/time/aet';
import { toWallDelayMs } from '../../../domain/time/clock';
import type { FeedReply } from '../../../feeds/feed';
import { placeCard, type RefusedListing } from '../../../store/card/place-card';
import type { ConnectorPoll } from '../../../store/health';
import { stillWanted } from '../../activity-context';
import { type ActivityDeps, instantNow } from '../../deps';
import { signalAllUnseen } from '../../races/signal-unseen';
import { withoutStack } from '../../wait';
import { callFeed, deadlineOf } from '../call-feed';
import { healthOf } from '../poll-book';
import { factsRank } from '../race-books';

export interface ListToRead {
  readonly bookmakerKey: string;
  readonly day: Day;
}

export interface ListsToRead {
  /** Today's before tomorrow's, and within a day the preferred source of starts and facts first. */
  readonly lists: readonly ListToRead[];
  /** Between the starts of two. Wall. */
  readonly apartMs: number;
}

export interface ListReport {
  readonly listed: number;
  readonly created: number;
  readonly startsMoved: number;
  readonly refused: number;
}

/** Never all at once: one slow outgoing address would fail them together. Race time. */
const APART_MS = 1000;

/** `days` from today on, Sydney time. */
export function listsToRead(deps: Pick<ActivityDeps, 'feeds' | 'now' | 'clock'>, days: number): ListsToRead {
  const today = aetDay(deps.now());
  const books = [...deps.feeds.keys()].sort((a, b) => factsRank(a) - factsRank(b));
  const ahead = Array.from({ length: days }, (_, i) => addDays(today, i));
  const lists = ahead.flatMap((day) => books.map((bookmakerKey) => ({ bookmakerKey, day })));
  return { lists, apartMs: toWallDelayMs(deps.clock, APART_MS) };
}

/** Rejects if there is no list, or if it could not be placed. */
export async function readList(deps: ActivityDeps, list: ListToRead): Promise<ListReport> {
  const reply = await fetchList(deps, list);
  stillWanted();
  const report = await placeList(deps, list, reply);
  if (reply.kind === 'failed') throw listFailed(list, reply);
  if (report.startsMoved > 0) await signalAllUnseen(deps);
  return report;
}

type Reply = FeedReply<readonly BookListing[]>;

/** A list may have several pages; a race is one call. */
const LIST_DEADLINES = 4;

export const fetchList = (deps: ActivityDeps, { bookmakerKey, day }: ListToRead): Promise<Reply> =>
  callFeed(deps, {
    bookmakerKey,
    send: (feed, call) => feed.listRaces(day, call),
    call: { urgency: 'idle' },
    deadlineMs: LIST_DEADLINES * deadlineOf(deps, bookmakerKey),
    patient: true,
  });

/**
 * Also records the reading, with or without a list. Rejects if our database refuses the list's writes, or if the
 * activity was given up before its turn came: its retry waits behind it, and would place the same list again.
 */
export async function placeList(deps: ActivityDeps, list: ListToRead, reply: Reply): Promise<ListReport> {
  const { bookmakerKey } = list;
  const { lists, health } = deps.stores;
  try {
    const report = reply.kind === 'ok' ? await lists.inTurn(() => placeIfWanted(deps, list, reply.value)) : null;
    await lists.note({
      ...list,
      at: reply.observedAt,
      ok: reply.kind !== 'failed',
      races: report?.counts.listed ?? null,
    });
    const poll = healthOf({ bookmakerKey }, reply, report?.placed ?? 0);
    await health.recordPolls([withRefused(poll, report?.refusals ?? [])]);
    return report?.counts ?? NOTHING;
  } catch (error) {
    await noteNotPlaced(deps, list, reply, error);
    throw error;
  }
}

const NOTHING: ListReport = { listed: 0, created: 0, startsMoved: 0, refused: 0 };

async function placeIfWanted(deps: ActivityDeps, list: ListToRead, listed: readonly BookListing[]) {
  stillWanted();
  return place(deps, list, listed);
}

async function place(deps: ActivityDeps, { bookmakerKey, day }: ListToRead, listed: readonly BookListing[]) {
  const { placed, refused, changes } = await placeCard(deps.stores.races, bookmakerKey, day, listed, instantNow(deps));
  for (const { listing, reason, candidates } of refused) {
    const { venue, raceNumber } = listing;
    deps.log.warn({ book: bookmakerKey, venue, raceNumber, reason, candidates }, 'a listed race was refused');
  }
  const created = changes.filter((change) => change.created).length;
  const startsMoved = changes.filter((change) => change.startMoved && !change.created).length;
  const counts = { listed: listed.length, created, startsMoved, refused: refused.length };
  return { placed: placed.length, refusals: refused, counts };
}

/** Shown to operators at this book. */
async function noteNotPlaced(deps: ActivityDeps, list: ListToRead, reply: Reply, err: unknown): Promise<void> {
  const { bookmakerKey, day } = list;
  deps.log.error({ err, book: bookmakerKey, day }, 'a list could not be placed');
  const poll: ConnectorPoll = {
    ...healthOf({ bookmakerKey }, reply, 0),
    ok: false,
    status: 'not_placed',
    message:
      err instanceof CancelledFailure ? 'its list waited too long for its turn' : 'the database refused its list',
    counts: [{ kind: 'failed', reason: 'not_placed', count: 1 }],
  };
  const noted = [
    deps.stores.lists.note({ ...list, at: reply.observedAt, ok: false, races: null }),
    deps.stores.health.recordPolls([poll]),
  ];
  for (const end of await Promise.allSettled(noted)) {
    if (end.status === 'rejected') deps.log.warn({ err: end.reason }, 'health not written');
  }
}

const withRefused = (poll: ConnectorPoll, refused: readonly RefusedListing[]): ConnectorPoll => ({
  ...poll,
  counts: [...poll.counts, ...refused.map(({ reason }) => ({ kind: 'refused' as const, reason, count: 1 }))],
});

const SOONEST_MS = 5000;
const LATEST_MS = 60_000;

/** Behind a wall there is no further call before the next run: it would only prolong the block. */
function listFailed({ bookmakerKey, day }: ListToRead, failure: Extract<Reply, { kind: 'failed' }>) {
  const { reason, detail, retryAfterMs } = failure;
  const delayMs = retryAfterMs === null ? undefined : Math.min(LATEST_MS, Math.max(SOONEST_MS, retryAfterMs));
  return withoutStack(
    ApplicationFailure.create({
      type: 'ListFailed',
      message: `the list of ${bookmakerKey} of ${day}: ${reason}${detail === null ? '' : `, ${detail}`}`,
      nonRetryable: reason === 'blocked',
      nextRetryDelay: delayMs,
      category: ApplicationFailureCategory.BENIGN,
    }),
  );
}
