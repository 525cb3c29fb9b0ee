// One race in full for the pages: runners by books with the best price, placeholders, movement and staleness, by the rules that the
// API's own answers follow. Pure.

import { BOOKMAKERS } from '../../../domain/bookmakers';
import { marketPercentage } from '../../../domain/prices/best-price';
import { sameCondition } from '../../../domain/registry/track-condition';
import type { RaceName, TrackChange } from '../../../store/reads/live-board';
import type { BoardBook } from '../../../store/reads/races/board';
import type { LiveRace } from '../../../store/reads/races/find-races';
import { CUSTOMERS, marketStateFor } from '../../access/visibility';
import { quoteFreshness } from '../../present/freshness';
import { bestLines, type RaceLines } from '../../present/prices/best-lines';
import { type BookColumn, MIN_BOOKS, type RaceSheet, type RaceState, type RaceTitle } from './model';
import { priceOf, type RunnerReadings, runnerRows, titleOfBook } from './runners';

const instantMs = (at: string | null): number | null => (at === null ? null : Date.parse(at));

export const titleOf = (race: RaceName): RaceTitle => ({
  raceId: race.race_id,
  category: race.category,
  country: race.country,
  venue: race.venue,
  raceNumber: race.race_number,
  startMs: Date.parse(race.start_time),
});

/** Prices are told until the race leaves the board (A 3). */
export function raceSheetOf(race: LiveRace, readings: RunnerReadings, nowMs: number): RaceSheet {
  const onBoard = race.left_board_at === null;
  const lines = bestLines(race, nowMs);
  const books = onBoard ? inTableOrder(lines.anyBooks) : [];
  return {
    ...titleOf(race),
    state: stateOf(race, nowMs),
    onBoard,
    raceName: race.race_name,
    distanceM: race.distance_m,
    trackCondition: race.track_condition,
    trackChange: trackChangeOf(race, readings.news.track),
    weather: race.weather,
    raceClass: race.race_class,
    rail: race.rail,
    prizeTotal: race.prize_total,
    placesPaid: race.places_paid,
    jumpedMs: instantMs(race.jumped_at),
    books: books.map((book) => columnOf(book, lines, race.startMs, nowMs)),
    runners: runnerRows(lines, books, readings),
    consensusBooks: { included: readings.market.included, needed: MIN_BOOKS },
    bestMarketPct: onBoard ? lines.marketPct : null,
  };
}

/** What stood before is told only of the change that led to what stands now. */
function trackChangeOf(race: LiveRace, change: TrackChange | null): RaceSheet['trackChange'] {
  const atMs = instantMs(change?.at ?? race.track_condition_changed_at);
  if (atMs === null) return null;
  const differs = change !== null && !sameCondition(change.previous, race.track_condition);
  return { atMs, from: differs ? change.previous : null };
}

/** A market seen shut from the advertised start on is the jump (D24); shut earlier, it can open again. */
export function stateOf(race: LiveRace, nowMs: number): RaceState {
  if (race.status === 'abandoned') return 'abandoned';
  if (race.jumped_at !== null) return 'jumped';
  const { market_status } = marketStateFor(CUSTOMERS, race);
  if (market_status === 'CLOSED' && nowMs >= race.startMs) return 'jumped';
  return market_status === 'SUSPENDED' || market_status === 'CLOSED' ? 'suspended' : 'open';
}

function inTableOrder(books: readonly BoardBook[]): BoardBook[] {
  const place = (book: BoardBook): number => BOOKMAKERS.findIndex(({ key }) => key === book.bookmaker);
  return [...books].sort((a, b) => place(a) - place(b));
}

/** A book that leaves out a runner has no market of its own to speak of. */
function columnOf(book: BoardBook, { runners }: RaceLines, startMs: number, nowMs: number): BookColumn {
  const prices = runners.map(({ runner }) => priceOf(book, 'win', runner.number));
  return {
    key: book.bookmaker,
    title: titleOfBook(book),
    polledMs: book.polledAtMs,
    stale: quoteFreshness(book, startMs, nowMs).stale,
    marketPct: prices.includes(null) ? null : marketPercentage(prices),
  };
}
