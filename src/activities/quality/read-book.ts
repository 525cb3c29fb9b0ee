// One reading of one bookmaker on one race, beside the pollers and within their budgets, compared with the polls before and after it. Nothing
// of it is stored but the comparison.

import { type Cell, compare, type NamedRunner, type Prices } from '../../domain/quality/comparison';
import type { BookSnapshot } from '../../domain/race/feed-race';
import { staleAfterSeconds } from '../../domain/time/staleness';
import type { FeedReply } from '../../feeds/feed';
import type { ActivityDeps } from '../deps';
import type { ListedBook } from '../polling/due-books';
import { fetchRace, joinRunners } from '../polling/poll-book';
import { type ServedRace, servedRace } from './served-race';

export type AuditDeps = Pick<
  ActivityDeps,
  'stores' | 'boardReads' | 'feeds' | 'cardRunners' | 'now' | 'log' | 'deadlineOf'
>;

/** What is served of the race a moment later; null: it has left the board. */
export type Look = () => Promise<ServedRace | null>;

export type BookReading =
  | { readonly kind: 'compared'; readonly cells: readonly Cell[] }
  | { readonly kind: 'unread'; readonly failure: string }
  | { readonly kind: 'race_gone' };

/** Behind every poll in the book's budget. */
const CALL = { urgency: 'idle', unstored: true } as const;
const STALE_MS = staleAfterSeconds('live') * 1000;

export async function readBook(
  deps: AuditDeps,
  raceId: string,
  book: ListedBook,
  earlier: readonly Cell[],
  look: Look,
): Promise<BookReading> {
  const reply = await joined(deps, raceId, book, await fetchRace(deps, book, CALL, true));
  if ('failure' in reply) return { kind: 'unread', failure: reply.failure };
  const before = await servedRace(deps, raceId);
  const after = before && (await polledAfter(deps, book.bookmakerKey, reply.atMs, look));
  if (!before || !after) return { kind: 'race_gone' };
  const priced = (race: ServedRace): Prices => race.books.get(book.bookmakerKey)?.prices ?? new Map();
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
  if (reply.kind === 'failed') return { failure: `${reply.reason}: ${reply.detail}` };
  if (reply.kind === 'unchanged') throw new Error(`${bookmakerKey} answered an unconditional call with a 304`);
  const own = await joinRunners(deps, { raceId, bookmakerKey }, reply);
  if (own === 'another_race') return { failure: 'another_race: the runners belong to another race' };
  const byNumber = new Map(own.value.runners.toReversed().map((runner) => [runner.number, runner]));
  const runners = [...byNumber.values()];
  const prices = runners.flatMap(({ number, win }): [number, number][] => (win === null ? [] : [[number, win]]));
  return { runners, prices: new Map(prices), atMs: Date.parse(own.observedAt) };
}

/** Waits for the next poll of the book: not for one whose prices are stale by then, which customers are served all the same. */
async function polledAfter(
  { now }: AuditDeps,
  bookmakerKey: string,
  atMs: number,
  look: Look,
): Promise<ServedRace | null> {
  for (;;) {
    const race = await look();
    const polledAtMs = race?.books.get(bookmakerKey)?.polledAtMs ?? null;
    if (race === null || (polledAtMs !== null && polledAtMs > atMs)) return race;
    if (now() - (polledAtMs ?? atMs) > STALE_MS) return race;
  }
}
