// One race in full: runners by books with the best price, placeholders, movement and staleness. Pure.
import { BOOKMAKERS } from '../../domain/bookmakers';
import { marketPercentage } from '../../domain/prices/best-price';
import { sameCondition } from '../../domain/registry/track-condition';
import { type BookColumn, MIN_BOOKS, type RaceSheet, type RaceState, type RaceTitle } from './model';
import { priceOf, type RunnerReadings, runnerRows, titleOfBook } from './runners';
import type { CardChanges, VisibleBook, VisibleRace } from './source';

export const titleOf = ({ raceId, category, country, venue, raceNumber, startMs }: RaceTitle): RaceTitle => {
  return { raceId, category, country, venue, raceNumber, startMs };
};

export function raceSheetOf(race: VisibleRace, readings: RunnerReadings, nowMs: number): RaceSheet {
  const books = inTableOrder(race.books);
  return {
    ...titleOf(race),
    state: stateOf(race, nowMs),
    onBoard: race.onBoard,
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
    books: books.map((book) => columnOf(book, race)),
    runners: runnerRows(race.runners, books, readings),
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

function inTableOrder(books: readonly VisibleBook[]): VisibleBook[] {
  const place = (book: VisibleBook): number => BOOKMAKERS.findIndex(({ key }) => key === book.bookmaker);
  return [...books].sort((a, b) => place(a) - place(b));
}

/** A book that does not price every runner has no market percentage. */
function columnOf(book: VisibleBook, { runners }: VisibleRace): BookColumn {
  const running = runners.filter(({ scratched }) => !scratched);
  const prices = running.map(({ number }) => priceOf(book, 'win', number));
  return {
    key: book.bookmaker,
    title: titleOfBook(book),
    polledMs: book.polledAtMs,
    stale: book.stale,
    marketPct: prices.includes(null) ? null : marketPercentage(prices),
  };
}
