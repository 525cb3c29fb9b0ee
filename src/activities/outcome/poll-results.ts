// Polls the books once for a race's result. Quotes are no longer written: a book's prices after the jump are not prices
// for the race.
import type { BookSnapshot, RaceSnapshot } from '../../domain/race/feed-race';
import type { FeedCall, FeedReply } from '../../feeds/feed';
import type { BookOfRace } from '../../store/card/races';
import type { ConnectorPoll } from '../../store/health';
import { isStored } from '../../store/results/merge';
import type { StoredReport, StoredResultRow } from '../../store/results/sources';
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

/** `stored`: the race's result as just read. Absent: every report is written, new or not. */
interface ResultCall extends FeedCall {
  readonly stored?: StoredResultRow | null;
}

/**
 * Polls every book that reports results at once, each within its deadline. Reports merge to the same result in any
 * order.
 */
export async function pollResults(
  deps: PollDeps,
  raceId: string,
  { signal, urgency = 'idle', stored = null }: ResultCall,
): Promise<ResultPoll> {
  const books = await resultBooks(deps, raceId);
  // Never accept a 304 here: a fenced-out poller may have consumed this reply without storing it.
  const call = { signal, urgency, whole: true };
  const replies = await Promise.all(books.map((book) => fetchRace(deps, book, call, true)));
  const known: KnownReports = await knownReports(deps, raceId, stored);
  const reports: Saved[] = [];
  for (const [i, book] of books.entries()) reports.push(await saveReport(deps, raceId, book, replies[i]!, known));
  await deps.stores.health.recordPolls(reports.map(({ health }) => health));
  const abandoned = reports.find((each) => each.abandoned !== null)?.abandoned ?? null;
  const looked = replies.filter((_, i) => reportsPlacings(books[i]!));
  return { abandoned, unreachable: looked.length > 0 && looked.every(isUnreachable) };
}

type KnownReports = ReadonlyMap<string, StoredReport>;

/**
 * The books' reports that the stored result is made of. None while there is no interim result, or while it lacks a
 * price, which may come, or a deduction of the card, as after the end of a process between the two. Then each report is
 * written.
 */
async function knownReports({ stores }: PollDeps, raceId: string, stored: StoredResultRow | null) {
  if (stored?.status !== 'interim' || stored.placingsKey === '') return new Map<string, StoredReport>();
  if (stored.placings.some(({ win_price }) => win_price === null)) return new Map<string, StoredReport>();
  if (!(await stores.results.hasDeductions(stored))) return new Map<string, StoredReport>();
  const reports = await stores.results.reports(raceId);
  return new Map(reports.map((report) => [report.bookmakerKey, report]));
}

interface Saved {
  readonly abandoned: Abandoned | null;
  readonly health: ConnectorPoll;
}

async function saveReport(
  deps: PollDeps,
  raceId: string,
  book: BookOfRace,
  reply: FeedReply<BookSnapshot>,
  known: KnownReports,
): Promise<Saved> {
  const { bookmakerKey } = book;
  const health = healthOf(book, reply, 0);
  await saveExchange(deps, raceId, reply);
  if (reply.kind !== 'ok' || !reply.value.result) return { health, abandoned: null };
  const joined = await joinRunners(deps, { raceId, bookmakerKey }, reply);
  if (joined === 'another_race') return { health: discarded(book, reply, joined).health, abandoned: null };
  const { result } = reply.value;
  // Before the result, which takes its deductions from here (A 2.11): a runner scratched at the gates is often reported
  // only now.
  const isNewCard = await saveCard(deps, raceId, book, joined);
  const before = known.get(bookmakerKey);
  const isKnown = !isNewCard && before !== undefined && isStored(result, before.result);
  if (!isKnown || !(await deps.stores.results.seenAgain(raceId, before, reply.observedAt)))
    await saveResult(deps, { raceId, bookmakerKey }, result, reply.observedAt);
  const abandoned =
    result.stage === 'abandoned'
      ? ({ kind: 'abandoned', note: result.note ?? 'abandoned', source: bookmakerKey, at: instantNow(deps) } as const)
      : null;
  return { health, abandoned };
}

/** Whether the reply may have changed what is stored of the runners. */
async function saveCard(
  deps: PollDeps,
  raceId: string,
  { bookmakerKey, polledAt }: BookOfRace,
  joined: Extract<FeedReply<RaceSnapshot>, { kind: 'ok' }>,
): Promise<boolean> {
  if (polledAt === null) {
    await storeFirstReply(deps, raceId, bookmakerKey, joined);
    return true;
  }
  const { runners } = joined.value;
  return deps.stores.quotes.saveLateScratchings({ raceId, bookmakerKey, runners, at: joined.observedAt });
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
