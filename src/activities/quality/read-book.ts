// One reading of one bookmaker on one race, in addition to the pollers and within their budgets: the raw response as
// the second reader reads it, compared with the polls before and after it, or with what the mapper makes of the same
// response. Only the comparison is stored.

import {
  type ComparedPrice,
  compare,
  type MarketPrices,
  type NamedRunner,
  NO_PRICES,
} from '../../domain/quality/comparison';
import { AUDITED_MARKETS, type AuditedMarket } from '../../domain/quality/markets';
import { marketsRead, type ReadRunner, readRace } from '../../domain/quality/second-reader/read-race';
import type { ServedRace } from '../../domain/quality/served';
import type { BookRunner, BookSnapshot, FeedRunner } from '../../domain/race/feed-race';
import { NO_DETAILS, OUT } from '../../domain/race/not-reported';
import { staleAfterSeconds } from '../../domain/time/staleness';
import type { FeedReply } from '../../feeds/feed';
import type { ListedBook } from '../polling/due-books';
import { fetchRace, joinRunners } from '../polling/poll-book';
import type { AuditDeps, AuditRun } from './audit-run';
import { UNREAD, UNREADABLE } from './unread';
import type { WatchedRace } from './watch-race';

export type BookReading =
  | { readonly kind: 'compared'; readonly cells: readonly ComparedPrice[] }
  | { readonly kind: 'unread'; readonly failure: string }
  | { readonly kind: 'race_gone' };

/** Behind every poll in the book's budget. */
const CALL = { urgency: 'idle', unstored: true } as const;
const STALE_MS = staleAfterSeconds('live') * 1000;

/** Compares with what is served before the reading and after the book's next poll. */
export async function readBook(
  run: AuditRun,
  race: WatchedRace,
  book: ListedBook,
  earlier: readonly ComparedPrice[],
): Promise<BookReading> {
  const { bookmakerKey } = book;
  const read = await readResponse(run, race, book);
  if ('failure' in read) return { kind: 'unread', failure: read.failure };
  const before = await race.look();
  const after = before && (await polledAfter(run.deps, race, bookmakerKey, read.atMs));
  if (!before || !after) return { kind: 'race_gone' };
  return {
    kind: 'compared',
    cells: cellsOf(read, pricesIn(before, bookmakerKey), pricesIn(after, bookmakerKey), after, earlier),
  };
}

/**
 * Compares with what is served now and with what the mapper makes of the same bytes: for a race whose next poll is a
 * quarter of an hour away. A price moved since the last poll differs from neither.
 */
export async function readBookOnce(run: AuditRun, race: WatchedRace, book: ListedBook): Promise<BookReading> {
  const read = await readResponse(run, race, book);
  if ('failure' in read) return { kind: 'unread', failure: read.failure };
  const served = await race.look();
  if (!served) return { kind: 'race_gone' };
  return { kind: 'compared', cells: cellsOf(read, pricesIn(served, book.bookmakerKey), read.mapped, served, []) };
}

interface Response {
  readonly bookmakerKey: string;
  readonly runners: readonly NamedRunner[];
  readonly prices: MarketPrices;
  /** As the mapper reads them. */
  readonly mapped: MarketPrices;
  readonly atMs: number;
}

function cellsOf(
  { bookmakerKey, prices, runners: read }: Response,
  before: MarketPrices,
  after: MarketPrices,
  served: ServedRace,
  earlier: readonly ComparedPrice[],
): readonly ComparedPrice[] {
  const runners = [...served.runners, ...read.filter(({ number }) => !served.numbers.has(number))];
  return marketsRead(bookmakerKey).flatMap((market) => {
    const inMarket = (of: MarketPrices) => of[market] ?? NO_PRICES;
    const reading = { market, before: inMarket(before), source: inMarket(prices), after: inMarket(after), runners };
    return compare(reading, earlier);
  });
}

const pricesIn = ({ books }: ServedRace, bookmakerKey: string): MarketPrices => books.get(bookmakerKey)?.prices ?? {};

async function readResponse(
  { deps, signal, turnsAt }: AuditRun,
  race: WatchedRace,
  book: ListedBook,
): Promise<Response | { readonly failure: string }> {
  const texts: string[] = [];
  const reply = await turnsAt(book.bookmakerKey)(async () => {
    signal.throwIfAborted();
    return fetchRace(deps, book, { ...CALL, signal, onBody: (text) => texts.push(text) }, true);
  });
  return responseOf(deps, race, book, reply, texts);
}

/** Joined by the rules of a poll: a response that a poll would refuse is not a reading either. */
async function responseOf(
  deps: AuditDeps,
  { raceId, category }: WatchedRace,
  { bookmakerKey }: ListedBook,
  reply: FeedReply<BookSnapshot>,
  texts: readonly string[],
): Promise<Response | { readonly failure: string }> {
  if (reply.kind === 'failed') {
    const { reason, detail } = reply;
    deps.log.info({ book: bookmakerKey, raceId, reason, detail }, 'an audit could not read a book');
    return { failure: UNREAD[reason] };
  }
  if (reply.kind === 'unchanged') throw new Error(`${bookmakerKey} answered an unconditional call with a 304`);
  const second = readRace(bookmakerKey, category, texts);
  if (second === null && reply.value.runners.length > 0) {
    deps.log.warn({ book: bookmakerKey, raceId }, 'the second reader of audits found no runner in a response');
    return { failure: UNREADABLE };
  }
  const target = { raceId, bookmakerKey };
  const runners = (second ?? []).map(bookRunnerOf);
  const own = await joinRunners(deps, target, { ...reply, value: { ...reply.value, runners } });
  const mapped = await joinRunners(deps, target, reply);
  if (own === 'another_race' || mapped === 'another_race') return { failure: UNREAD.another_race };
  return {
    bookmakerKey,
    runners: own.value.runners,
    prices: marketPricesOf(own.value.runners),
    mapped: marketPricesOf(mapped.value.runners),
    atMs: Date.parse(own.observedAt),
  };
}

function bookRunnerOf({ number, name, out, prices: { tote_win, ...legs } }: ReadRunner): BookRunner {
  const toteWin = tote_win === null ? null : { PROV: tote_win };
  return { ...NO_DETAILS, ...legs, number, name, toteWin, scratching: out ? OUT : null };
}

function marketPricesOf(runners: readonly FeedRunner[]): MarketPrices {
  const priceIn = (runner: FeedRunner, market: AuditedMarket): number | null =>
    market === 'tote_win' ? (runner.toteWin?.PROV ?? null) : runner[market];
  const ofMarket = (market: AuditedMarket) =>
    runners.toReversed().flatMap((runner): [number, number][] => {
      const price = priceIn(runner, market);
      return price === null ? [] : [[runner.number, price]];
    });
  return Object.fromEntries(AUDITED_MARKETS.map((market) => [market, new Map(ofMarket(market))]));
}

/** Waits for the book's next poll, unless the book's prices are stale by then: customers are served those anyway. */
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
