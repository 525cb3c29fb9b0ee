// One reading of one bookmaker on one race, beside the pollers and within their budgets, compared with the polls before and after it. Nothing
// of it is stored but the comparison.

import { type Cell, compare, type NamedRunner, type Prices } from '../../domain/quality/comparison';
import type { BookSnapshot } from '../../domain/race/feed-race';
import { staleAfterSeconds } from '../../domain/time/staleness';
import type { FeedReply } from '../../feeds/feed';
import type { ListedBook } from '../polling/due-books';
import { fetchRace, joinRunners } from '../polling/poll-book';
import type { AuditDeps, AuditRun } from './audit-run';
import type { ServedRace } from './served-race';
import { UNREAD } from './unread';
import type { WatchedRace } from './watch-race';

export type BookReading =
  | { readonly kind: 'compared'; readonly cells: readonly Cell[] }
  | { readonly kind: 'unread'; readonly failure: string }
  | { readonly kind: 'race_gone' };

/** Behind every poll in the book's budget. */
const CALL = { urgency: 'idle', unstored: true } as const;
const STALE_MS = staleAfterSeconds('live') * 1000;

export async function readBook(
  { deps, signal, turnsAt }: AuditRun,
  race: WatchedRace,
  book: ListedBook,
  earlier: readonly Cell[],
): Promise<BookReading> {
  const { bookmakerKey } = book;
  const fetched = await turnsAt(bookmakerKey)(async () => {
    signal.throwIfAborted();
    return fetchRace(deps, book, { ...CALL, signal }, true);
  });
  const reply = await joined(deps, race.raceId, book, fetched);
  if ('failure' in reply) return { kind: 'unread', failure: reply.failure };
  const before = await race.look();
  const after = before && (await polledAfter(deps, race, bookmakerKey, reply.atMs));
  if (!before || !after) return { kind: 'race_gone' };
  const priced = (served: ServedRace): Prices => served.books.get(bookmakerKey)?.prices ?? new Map();
  const runners = [...after.runners, ...reply.runners.filter(({ number }) => !after.numbers.has(number))];
  const reading = { before: priced(before), source: reply.prices, after: priced(after), runners };
  return { kind: 'compared', cells: compare(reading, earlier) };
}

interface Joined {
  readonly runners: readonly NamedRunner[];
  readonly prices: Prices;
  readonly atMs: number;
}

/** By the rules of a poll: what a poll would refuse is no reading either. */
async function joined(
  deps: AuditDeps,
  raceId: string,
  { bookmakerKey }: ListedBook,
  reply: FeedReply<BookSnapshot>,
): Promise<Joined | { readonly failure: string }> {
  if (reply.kind === 'failed') {
    const { reason, detail } = reply;
    deps.log.info({ book: bookmakerKey, raceId, reason, detail }, 'an audit could not read a book');
    return { failure: UNREAD[reason] };
  }
  if (reply.kind === 'unchanged') throw new Error(`${bookmakerKey} answered an unconditional call with a 304`);
  const own = await joinRunners(deps, { raceId, bookmakerKey }, reply);
  if (own === 'another_race') return { failure: UNREAD.another_race };
  const byNumber = new Map(own.value.runners.toReversed().map((runner) => [runner.number, runner]));
  const runners = [...byNumber.values()];
  const prices = runners.flatMap(({ number, win }): [number, number][] => (win === null ? [] : [[number, win]]));
  return { runners, prices: new Map(prices), atMs: Date.parse(own.observedAt) };
}

/** Waits for the next poll of the book: not for one whose prices are stale by then, which customers are served all the same. */
async function polledAfter(
  { now }: AuditDeps,
  race: WatchedRace,
  bookmakerKey: string,
  atMs: number,
): Promise<ServedRace | null> {
  for (;;) {
    const served = await race.lookLater();
    const polledAtMs = served?.books.get(bookmakerKey)?.polledAtMs ?? null;
    if (served === null || (polledAtMs !== null && polledAtMs > atMs)) return served;
    if (now() - (polledAtMs ?? atMs) > STALE_MS) return served;
  }
}
