// Presents movers (A 2.7) from the board and the captured prices. Only quotes that are on the board and not stale
// count, because movers have no ages.
import type { Static } from '@sinclair/typebox';
import { openingCapture, windowOpensMs } from '../../../domain/market/intelligence/captured';
import { type BookPath, type Move, moveOf } from '../../../domain/market/movers';
import type { CapturedBook, CapturedRunner } from '../../../store/reads/prices/captured-prices';
import type { BoardRace } from '../../../store/reads/races/board';
import type { RunnerRow } from '../../../store/reads/races/runners';
import { quoteFreshness, secsToJump } from '../../wire/present-freshness';
import { roundPct, roundPrice } from '../../wire/rounded';
import type { Mover } from './movers-schema';

type Wire = Static<typeof Mover>;

export interface MoverFilters {
  readonly direction: Move['direction'] | undefined;
  readonly minMovePct: number;
  readonly minBooks: number;
  readonly limit: number;
}

interface Found {
  readonly race: BoardRace;
  readonly runner: RunnerRow;
  readonly move: Move;
}

/** Largest move first, in either direction; then by start, race and number. */
export function presentMovers(
  races: readonly BoardRace[],
  captured: readonly CapturedBook[],
  filters: MoverFilters,
  nowMs: number,
): Wire[] {
  const { direction, minMovePct, minBooks, limit } = filters;
  const books = new Map<string, CapturedBook[]>(races.map((race) => [race.race_id, []]));
  for (const book of captured) books.get(book.raceId)?.push(book);
  return races
    .flatMap((race) => movesOf(race, books.get(race.race_id)!, minBooks, nowMs))
    .filter(({ move }) => Math.abs(roundPct(move.movePct)) >= minMovePct)
    .filter(({ move }) => direction === undefined || direction === move.direction)
    .sort(inOrder)
    .slice(0, limit)
    .map((found) => presentMover(found, nowMs));
}

const inOrder = (a: Found, b: Found): number =>
  Math.abs(b.move.movePct) - Math.abs(a.move.movePct) ||
  a.race.startMs - b.race.startMs ||
  (a.race.race_id < b.race.race_id ? -1 : a.race.race_id > b.race.race_id ? 1 : a.runner.number - b.runner.number);

function movesOf(race: BoardRace, captured: readonly CapturedBook[], minBooks: number, nowMs: number): Found[] {
  const paths = pathsOf(race, captured, nowMs);
  return race.runners.flatMap((runner) => {
    const move = runner.scratched ? null : moveOf(paths.get(runner.number) ?? [], minBooks);
    return move === null ? [] : [{ race, runner, move }];
  });
}

/** By runner number: the captured prices of the books that quote it now. */
function pathsOf(race: BoardRace, captured: readonly CapturedBook[], nowMs: number): ReadonlyMap<number, BookPath[]> {
  const paths = new Map<number, BookPath[]>(race.runners.map((runner) => [runner.number, []]));
  const quoting = new Map(race.books.map((book) => [book.bookmaker, book]));
  for (const { bookmaker, runners } of captured) {
    const book = quoting.get(bookmaker);
    if (!book || quoteFreshness(book, race.startMs, nowMs).stale) continue;
    for (const runner of runners) {
      if (book.win[book.numbers.indexOf(runner.number)] == null || runner.withdrawnAtMs !== null) continue;
      paths.get(runner.number)?.push(pathOf(bookmaker, runner, race.startMs));
    }
  }
  return paths;
}

/**
 * From the opening of the window on: if the start was put back there are captures from before it, the last of which
 * stood at the opening.
 */
function pathOf(bookmaker: string, { atMs, prices }: CapturedRunner, startMs: number): BookPath {
  const first = openingCapture(atMs, startMs);
  return {
    bookmaker,
    open: prices[first]!,
    current: prices.at(-1)!,
    openSecsToJump: secsToJump(startMs, Math.max(atMs[first]!, windowOpensMs(startMs))),
    points: prices.length - first,
  };
}

function presentMover({ race, runner, move }: Found, nowMs: number): Wire {
  const { venue, race_number, category, country, start_time } = race;
  return {
    venue,
    race_number,
    category,
    country,
    start_time,
    mins_to_jump: Math.floor((race.startMs - nowMs) / 60_000),
    number: runner.number,
    runner: runner.name,
    open_price: roundPrice(move.open),
    current_price: roundPrice(move.current),
    move_pct: roundPct(move.movePct),
    direction: move.direction,
    books_quoting: move.books.length,
    books_with_history: move.withHistory,
    books_firming: move.firming,
    books_drifting: move.drifting,
    books_unchanged: move.unchanged,
    bookmakers: move.books.map((book) => ({
      key: book.bookmaker,
      open_price: book.open,
      current_price: book.current,
      move_pct: roundPct(book.movePct),
      open_secs_to_jump: book.openSecsToJump,
      points: book.points,
      counted_in_consensus: book.counted,
    })),
  };
}
