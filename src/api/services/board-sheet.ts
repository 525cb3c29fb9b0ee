// One race in full for the pages: runners by books with the best price, placeholders, movement and staleness, by the rules that the
// API's own answers follow. Pure.

import { marketPercentage } from '../../domain/best-price';
import { BOOKMAKERS, bookmaker } from '../../domain/bookmakers';
import type { LiveRace } from '../../store/reads/asked-race';
import type { BoardBook } from '../../store/reads/board';
import type { PriceMark, RaceName } from '../../store/reads/live-board';
import type { RunnerRow as HeldRunner } from '../../store/reads/runners';
import { bestLines, type Line, type RaceLines, type RunnerLines } from '../present/best-lines';
import { quoteFreshness } from '../present/freshness';
import { CUSTOMERS, marketStateFor } from '../visibility';
import type {
  BookColumn,
  Movement,
  PriceCell,
  PriceLine,
  RaceSheet,
  RaceState,
  RaceTitle,
  RunnerRow,
} from './board-model';

const UNQUOTED: Line = { best: null, suspects: [], quoting: 0, worst: null };

const instantMs = (at: string | null): number | null => (at === null ? null : Date.parse(at));

export const titleOf = (race: RaceName): RaceTitle => ({
  raceId: race.race_id,
  category: race.category,
  country: race.country,
  venue: race.venue,
  raceNumber: race.race_number,
  startMs: Date.parse(race.start_time),
});

/** `marks`: what each book offered earlier. Prices are told until the race leaves the board (A 3). */
export function raceSheetOf(race: LiveRace, marks: readonly PriceMark[], nowMs: number): RaceSheet {
  const onBoard = race.left_board_at === null;
  const lines = bestLines(race, nowMs);
  const books = onBoard ? inTableOrder(lines.anyBooks) : [];
  const moves = movementsOf(marks);
  const favourite = favouriteOf(lines);
  return {
    ...titleOf(race),
    state: stateOf(race, nowMs),
    onBoard,
    raceName: race.race_name,
    distanceM: race.distance_m,
    trackCondition: race.track_condition,
    trackConditionChangedMs: instantMs(race.track_condition_changed_at),
    weather: race.weather,
    raceClass: race.race_class,
    rail: race.rail,
    prizeTotal: race.prize_total,
    placesPaid: race.places_paid,
    jumpedMs: instantMs(race.jumped_at),
    books: books.map((book) => columnOf(book, lines, race.startMs, nowMs)),
    runners: race.runners.map((runner) => rowOf(runner, lines, books, moves, favourite)),
    bestMarketPct: onBoard ? lines.marketPct : null,
  };
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

const priceOf = (book: BoardBook, leg: 'win' | 'place', number: number): number | null => {
  const at = book.numbers.indexOf(number);
  return at < 0 ? null : (book[leg][at] ?? null);
};

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

const titleOfBook = (book: BoardBook): string => bookmaker(book.bookmaker)?.title ?? book.bookmaker;

/** The shortest of the best prices; null when several runners share it. */
function favouriteOf({ runners }: RaceLines): number | null {
  const priced = runners.flatMap(({ runner, win }) =>
    win.best ? [{ number: runner.number, price: win.best.price }] : [],
  );
  const shortest = Math.min(...priced.map(({ price }) => price));
  const [only, ...others] = priced.filter(({ price }) => price === shortest);
  return only && others.length === 0 ? only.number : null;
}

type Marks = ReadonlyMap<string, PriceMark>;

const markKey = (bookmakerKey: string, number: number): string => `${bookmakerKey} ${number}`;

const movementsOf = (marks: readonly PriceMark[]): Marks =>
  new Map(marks.map((mark) => [markKey(mark.bookmaker, mark.number), mark]));

function rowOf(
  runner: HeldRunner,
  lines: RaceLines,
  books: readonly BoardBook[],
  marks: Marks,
  favourite: number | null,
): RunnerRow {
  const held: RunnerLines | undefined = lines.runners.find((one) => one.runner.number === runner.number);
  const { number, name, barrier, jockey, trainer, weightKg, form, emergency, scratched, scratchedAt, late } = runner;
  return {
    number,
    name,
    barrier,
    jockey,
    trainer,
    weightKg,
    form,
    emergency: emergency === true,
    scratching: scratched ? { atMs: instantMs(scratchedAt), late: late === true } : null,
    favourite: number === favourite,
    win: lineOf(
      held?.win ?? UNQUOTED,
      (book) => (held ? priceOf(book, 'win', number) : null),
      books,
      (book) => marks.get(markKey(book.bookmaker, number)),
    ),
    place: lineOf(
      held?.place ?? UNQUOTED,
      (book) => (held ? priceOf(book, 'place', number) : null),
      books,
      () => undefined,
    ),
  };
}

function lineOf(
  line: Line,
  price: (book: BoardBook) => number | null,
  books: readonly BoardBook[],
  mark: (book: BoardBook) => PriceMark | undefined,
): PriceLine {
  const cells = books.map((book) => cellOf(line, book, price(book), mark(book)));
  const best = line.best;
  if (best === null || books.length === 0) return { best: null, cells };
  const at = books.filter((_, i) => cells[i]?.best).map(titleOfBook);
  const shared = at.length > 1 && at.length === cells.filter((cell) => cell?.suspectAgainst === null).length;
  return { best: { price: best.price, books: at, shared }, cells };
}

function cellOf(line: Line, book: BoardBook, price: number | null, mark: PriceMark | undefined): PriceCell | null {
  if (price === null) return null;
  const suspect = line.suspects.find((one) => one.bookmaker === book.bookmaker);
  return {
    price,
    best: suspect === undefined && price === line.best?.price,
    suspectAgainst: suspect?.consensus ?? null,
    move: moveOf(price, mark),
  };
}

function moveOf(price: number, mark: PriceMark | undefined): Movement | null {
  if (mark === undefined || mark.price === price) return null;
  const direction = price < mark.price ? 'firming' : 'drifting';
  return { direction, from: mark.price, fromMs: Date.parse(mark.at) };
}
