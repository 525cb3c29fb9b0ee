// Polls the books once for a race's result. Quotes are no longer written: a book's prices after the jump are not prices
// for the race.
import type { BookSnapshot, RaceSnapshot } from '../../domain/race/feed-race';
import type { FeedCall, FeedReply } from '../../feeds/feed';
import type { BookOfRace } from '../../store/card/races';
import type { ConnectorPoll } from '../../store/health';
import { instantNow, type PollDeps } from '../deps';
import { saveExchange } from '../exchange/save-exchange';
import { discarded, fetchRace, healthOf, joinRunners, saveResult } from '../polling/poll-book';
import { reportsPlacings, resultBooks } from '../polling/race-books';
import type { Sighting } from '../polling/sightings';

export type Abandoned = Extract<Sighting, { kind: 'abandoned' }>;

export interface ResultPoll {
  readonly abandoned: Abandoned | null;
  /** No book that reports placings could be reached, so a change of the result may have been missed. */
  readonly unreachable: boolean;
}

/** A book that responds that it does not have the race was reached. */
const isUnreachable = (reply: FeedReply<unknown>): boolean => reply.kind === 'failed' && reply.reason !== 'not_found';

/**
 * Polls every book that reports results at once, each within its deadline. Reports merge to the same result in any
 * order.
 */
export async function pollResults(
  deps: PollDeps,
  raceId: string,
  { signal, urgency = 'idle' }: FeedCall,
): Promise<ResultPoll> {
  const books = await resultBooks(deps, raceId);
  // Never accept a 304 here: a fenced-out poller may have consumed this reply without storing it.
  const call = { signal, urgency, whole: true };
  const replies = await Promise.all(books.map((book) => fetchRace(deps, book, call, true)));
  const reports: { readonly abandoned: Abandoned | null; readonly health: ConnectorPoll }[] = [];
  for (const [i, book] of books.entries()) reports.push(await saveReport(deps, raceId, book, replies[i]!));
  await deps.stores.health.recordPolls(reports.map(({ health }) => health));
  const abandoned = reports.find((each) => each.abandoned !== null)?.abandoned ?? null;
  const looked = replies.filter((_, i) => reportsPlacings(books[i]!));
  return { abandoned, unreachable: looked.length > 0 && looked.every(isUnreachable) };
}

async function saveReport(deps: PollDeps, raceId: string, book: BookOfRace, reply: FeedReply<BookSnapshot>) {
  const { bookmakerKey, polledAt } = book;
  const health = healthOf(book, reply, 0);
  await saveExchange(deps, raceId, reply);
  if (reply.kind !== 'ok' || !reply.value.result) return { health, abandoned: null };
  const joined = await joinRunners(deps, { raceId, bookmakerKey }, reply);
  if (joined === 'another_race') return { health: discarded(book, reply, joined).health, abandoned: null };
  const { result } = reply.value;
  const { runners } = joined.value;
  if (polledAt === null) await storeFirstReply(deps, raceId, bookmakerKey, joined);
  // Before the result, which takes its deductions from here (A 2.11): a runner scratched at the gates is often reported
  // only now.
  else await deps.stores.quotes.saveLateScratchings({ raceId, bookmakerKey, runners, at: reply.observedAt });
  await saveResult(deps, { raceId, bookmakerKey }, result, reply.observedAt);
  const abandoned =
    result.stage === 'abandoned'
      ? ({ kind: 'abandoned', note: result.note ?? 'abandoned', source: bookmakerKey, at: instantNow(deps) } as const)
      : null;
  return { health, abandoned };
}

/**
 * For a race found after its jump, this reply is the only source of names, scratchings with their deductions, and the
 * fixed prices that settle it (A 3: on every final result). Its start and market state are past and not written.
 */
async function storeFirstReply(
  { stores }: PollDeps,
  raceId: string,
  bookmakerKey: string,
  { value, observedAt, bookAt }: Extract<FeedReply<RaceSnapshot>, { kind: 'ok' }>,
): Promise<void> {
  // No poller runs after the jump, so this writes under the last poller's fence, or the first if there was none.
  const control = await stores.control.readControl(raceId);
  const fence = { epoch: control?.epoch ?? 0, attempt: control?.holderAttempt ?? 0 };
  const past = { marketStateSource: false, startSource: false, observedAt, bookAt };
  await stores.quotes.savePoll({ raceId, bookmakerKey, fence, ...past, snapshot: { ...value, startTime: null } });
}
