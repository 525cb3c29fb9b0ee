// One race in full: runners by books with the best price, placeholders, movement and staleness. Pure.
import { BOOKMAKERS } from '../../domain/bookmakers';
import { marketPercentage } from '../../domain/prices/best-price';
import { sameCondition } from '../../domain/registry/track-condition';
import { staleFromMs } from '../../domain/time/stale-from';
import { type BookColumn, type Freshness, MIN_BOOKS, type RaceSheet, type RaceState } from './model';
import type { RaceTitle } from './race-title';
import { priceOf, type RunnerReadings, runnerRows, titleOfBook } from './runners';
import type { CardChanges, VisibleBook, VisibleRace } from './source';

export const titleOf = ({ raceId, category, country, venue, raceNumber, startMs }: RaceTitle): RaceTitle => {
  return { raceId, category, country, venue, raceNumber, startMs };
};

export function raceSheetOf(race: VisibleRace, readings: RunnerReadings, nowMs: number): RaceSheet {
  const books = inTableOrder(race.books);
  const state = stateOf(race, nowMs);
  return {
    ...titleOf(race),
    state,
    freshness: freshnessOf(race, state, nowMs),
    onBoard: race.onBoard,
    keepsPrices: race.keepsPrices,
    raceName: race.raceName,
    distanceM: race.distanceM,
    trackCondition: race.trackCondition,
    trackChange: trackChangeOf(race, readings.changes.track),
    weather: race.weather,
    raceClass: race.raceClass,
    rail: race.rail,
    prizeTotal: race.prizeTotal,
    placesPaid: race.placesPaid,
    jumpedMs: race.jumpedMs,
    jumpBasis: race.jumpBasis,
    books: books.map((book) => columnOf(book, race)),
    runners: runnerRows(race, books, readings),
    marksReached: readings.market.fluctuations.reached,
    consensusBooks: { included: readings.market.included, needed: MIN_BOOKS },
    bestMarketPct: race.bestMarketPct,
  };
}

/** The earlier condition is shown only if the change from it led to the present one. */
function trackChangeOf(race: VisibleRace, change: CardChanges['track']): RaceSheet['trackChange'] {
  const atMs = change?.atMs ?? race.trackChangedMs;
  if (atMs === null) return null;
  const differs = change !== null && !sameCondition(change.previous, race.trackCondition);
  return { atMs, from: differs ? change.previous : null };
}

/** A market that is closed from the advertised start on is the jump (D24); closed earlier, it can open again. */
export function stateOf(race: VisibleRace, nowMs: number): RaceState {
  if (race.abandoned) return 'abandoned';
  if (race.jumpedMs !== null) return 'jumped';
  const { marketStatus, startMs } = race;
  if (marketStatus === 'CLOSED' && nowMs >= startMs) return 'jumped';
  return marketStatus === 'SUSPENDED' || marketStatus === 'CLOSED' ? 'suspended' : 'open';
}

/**
 * By the newest poll of a book that quotes, against the race's own tier: a book that is polled rarely may still be
 * fresh by its own when none has been read for minutes.
 */
function freshnessOf({ books, startMs }: VisibleRace, state: RaceState, nowMs: number): Freshness {
  if (books.length === 0) return { kind: 'none' };
  if (state === 'jumped' || state === 'abandoned') return { kind: 'standing' };
  const known = books.filter((book) => book.staleFromMs > 0);
  const polledMs = Math.max(...(known.length > 0 ? known : books).map((book) => book.polledAtMs));
  return { kind: 'read', polledMs, oldFromMs: staleFromMs(polledMs, startMs, nowMs) };
}

function inTableOrder(books: readonly VisibleBook[]): VisibleBook[] {
  const place = (book: VisibleBook): number => BOOKMAKERS.findIndex(({ key }) => key === book.bookmaker);
  return [...books].sort((a, b) => place(a) - place(b));
}

/** A book that does not price every runner has no market percentage. */
function columnOf(book: VisibleBook, { runners, jumpedMs }: VisibleRace): BookColumn {
  const running = runners.filter(({ scratched }) => !scratched);
  const prices = running.map(({ number }) => priceOf(book, 'win', number));
  return {
    key: book.bookmaker,
    title: titleOfBook(book),
    page: book.sourceUrl,
    polledMs: book.polledAtMs,
    stale: book.stale,
    staleFromMs: jumpedMs === null ? book.staleFromMs : null,
    marketPct: prices.includes(null) ? null : marketPercentage(prices),
  };
}
