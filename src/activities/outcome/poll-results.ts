// What the books say of a race's outcome, asked once. Quotes are not written any more: what a book shows after the jump is no price for the race.
import type { BookSnapshot, RaceSnapshot } from '../../domain/race/feed-race';
import type { FeedCall, FeedReply } from '../../feeds/feed';
import type { BookOfRace } from '../../store/card/races';
import type { ConnectorPoll } from '../../store/health';
import { type ActivityDeps, instantNow } from '../deps';
import { saveExchange } from '../exchange/save-exchange';
import { discarded, fetchRace, healthOf, joinRunners, saveResult } from '../polling/poll-book';
import { reportsPlacings, resultBooks } from '../polling/race-books';
import type { Sighting } from '../polling/sightings';

export type Abandoned = Extract<Sighting, { kind: 'abandoned' }>;

export interface ResultPoll {
  readonly abandoned: Abandoned | null;
  /** No book that tells placings could be looked at: whatever happened meanwhile, nobody was told. */
  readonly unreachable: boolean;
}

/** A book that answers that it has nothing of the race has been looked at all the same. */
const isUnreachable = (reply: FeedReply<unknown>): boolean => reply.kind === 'failed' && reply.reason !== 'not_found';

/** All that tell outcomes at once, each within its deadline. What they say is merged, in whatever order it is written. */
export async function pollResults(
  deps: ActivityDeps,
  raceId: string,
  { signal, urgency = 'idle' }: FeedCall,
): Promise<ResultPoll> {
  const books = await resultBooks(deps, raceId);
  // A poller may have had the very reply and not have been let write it: whole replies, always.
  const call = { signal, urgency, whole: true };
  const replies = await Promise.all(books.map((book) => fetchRace(deps, book, call, true)));
  const reports: { readonly abandoned: Abandoned | null; readonly health: ConnectorPoll }[] = [];
  for (const [i, book] of books.entries()) reports.push(await saveReport(deps, raceId, book, replies[i]!));
  await deps.stores.health.recordPolls(reports.map(({ health }) => health));
  const abandoned = reports.find((each) => each.abandoned !== null)?.abandoned ?? null;
  const looked = replies.filter((_, i) => reportsPlacings(books[i]!));
  return { abandoned, unreachable: looked.length > 0 && looked.every(isUnreachable) };
}

async function saveReport(deps: ActivityDeps, raceId: string, book: BookOfRace, reply: FeedReply<BookSnapshot>) {
  const { bookmakerKey, polled } = book;
  const health = healthOf(book, reply, 0);
  await saveExchange(deps, raceId, reply);
  if (reply.kind !== 'ok' || !reply.value.result) return { health, abandoned: null };
  const joined = await joinRunners(deps, { raceId, bookmakerKey }, reply);
  if (joined === 'another_race') return { health: discarded(book, reply, joined).health, abandoned: null };
  const { result } = reply.value;
  const { runners } = joined.value;
  if (!polled) await storeFirstReply(deps, raceId, bookmakerKey, joined);
  // Before the outcome, which takes the deductions from there (A 2.11): a runner that is out at the gates is often told only now.
  else await deps.stores.quotes.saveLateScratchings({ raceId, bookmakerKey, runners, at: reply.observedAt });
  await saveResult(deps, { raceId, bookmakerKey }, result, reply.observedAt);
  const abandoned =
    result.stage === 'abandoned'
      ? ({ kind: 'abandoned', note: result.note ?? 'abandoned', source: bookmakerKey, at: instantNow(deps) } as const)
      : null;
  return { health, abandoned };
}

/**
 * A race that was found after its jump: what the book shows beside the outcome is all that will be held of it: names, scratchings with
 * their deductions, and the fixed prices that settle it (A 3: on every final result). No start and no market state: those are past.
 */
async function storeFirstReply(
  { stores }: ActivityDeps,
  raceId: string,
  bookmakerKey: string,
  { value, observedAt, bookAt }: Extract<FeedReply<RaceSnapshot>, { kind: 'ok' }>,
): Promise<void> {
  // Nobody polls a race that has jumped: this writes as its last holder, or as the first where it never had one.
  const control = await stores.control.readControl(raceId);
  const fence = { epoch: control?.epoch ?? 0, attempt: control?.holderAttempt ?? 0 };
  const past = { marketStateSource: false, startSource: false, observedAt, bookAt };
  await stores.quotes.savePoll({ raceId, bookmakerKey, fence, ...past, snapshot: { ...value, startTime: null } });
}
