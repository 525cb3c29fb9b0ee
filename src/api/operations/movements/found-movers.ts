// The runners whose price has moved (A 2.7), for the operation and the page: read from the board and the captured
// prices. Only quotes that are on the board and not stale count, because movers have no ages.
import { openingCapture, windowOpensMs } from '../../../domain/market/intelligence/captured';
import { type BookPath, type Move, moveOf } from '../../../domain/market/movers';
import { outageAgeMs } from '../../../store/reads/outage-cache';
import { type CapturedBook, type CapturedRunner, captureBound } from '../../../store/reads/prices/captured-prices';
import type { BoardQuery, BoardRace } from '../../../store/reads/races/board';
import type { RunnerRow } from '../../../store/reads/races/runners';
import type { Reads } from '../../../store/reads/reads';
import { quoteFreshness, secsToJump } from '../../wire/present-freshness';
import { roundPct } from '../../wire/rounded';

export interface MoverFilters {
  readonly direction: Move['direction'] | undefined;
  readonly minMovePct: number;
  readonly minBooks: number;
  readonly limit: number;
}

export interface FoundMover {
  readonly race: BoardRace;
  readonly runner: RunnerRow;
  readonly move: Move;
}

interface FoundMovers {
  readonly found: readonly FoundMover[];
  /** How long before the call the prices were read, in milliseconds; null: for it. */
  readonly outageMs: number | null;
  /** Whether any race has a quote that is not stale; true without races. */
  readonly current: boolean;
}

/** More races than the board ever has within the hour. */
const EVERY_RACE = 2000;

/** `query`: of the races, with the books whose prices count. */
export async function findMovers(
  reads: Pick<Reads, 'board' | 'capturedPrices'>,
  query: Omit<BoardQuery, 'limit'>,
  filters: MoverFilters,
  nowMs: number,
): Promise<FoundMovers> {
  const { bookmakers } = query;
  const races = await reads.board({ ...query, limit: EVERY_RACE });
  const outageMs = outageAgeMs(races);
  if (races.length === 0) return { found: [], outageMs, current: true };
  const raceIds = races.map((race) => race.race_id);
  const from = captureBound(races.map((race) => race.startMs));
  const captured = await reads.capturedPrices({ raceIds, bookmakers, from });
  const current = races.some(({ books, startMs }) => books.some((book) => !quoteFreshness(book, startMs, nowMs).stale));
  return { found: foundMovers(races, captured, filters, nowMs), outageMs, current };
}

/** Largest move first, in either direction; then by start, race and number. */
function foundMovers(
  races: readonly BoardRace[],
  captured: readonly CapturedBook[],
  { direction, minMovePct, minBooks, limit }: MoverFilters,
  nowMs: number,
): FoundMover[] {
  const books = new Map<string, CapturedBook[]>(races.map((race) => [race.race_id, []]));
  for (const book of captured) books.get(book.raceId)?.push(book);
  return races
    .flatMap((race) => movesOf(race, books.get(race.race_id)!, minBooks, nowMs))
    .filter(({ move }) => Math.abs(roundPct(move.movePct)) >= minMovePct)
    .filter(({ move }) => direction === undefined || direction === move.direction)
    .sort(inOrder)
    .slice(0, limit);
}

const inOrder = (a: FoundMover, b: FoundMover): number =>
  Math.abs(b.move.movePct) - Math.abs(a.move.movePct) ||
  a.race.startMs - b.race.startMs ||
  (a.race.race_id < b.race.race_id ? -1 : a.race.race_id > b.race.race_id ? 1 : a.runner.number - b.runner.number);

function movesOf(race: BoardRace, captured: readonly CapturedBook[], minBooks: number, nowMs: number): FoundMover[] {
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
