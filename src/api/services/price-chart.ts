// One race's captured prices as lines to draw: per runner every book's, the best across them and their consensus. A line stands until
// its next point, and ends with a null where the book took its price back. Pure.
import { BOOKMAKERS, bookmaker } from '../../domain/bookmakers';
import type { LiveRace } from '../../store/reads/asked-race';
import type { CapturedBook, CapturedRunner } from '../../store/reads/captured-prices';
import type { PriceChart, PricePath, RunnerChart } from './board-model';
import { consensusPaths } from './consensus-paths';
import { type BookPath, bestPath } from './price-paths';

/** Of the runners that run; books in the order of the price table. */
export function priceChartOf(race: LiveRace, captured: readonly CapturedBook[], nowMs: number): PriceChart {
  const books = BOOKMAKERS.map(({ key }) => key).filter((key) => captured.some((book) => book.bookmaker === key));
  const running = race.runners.filter(({ scratched }) => !scratched);
  const consensus = consensusPaths(race, captured, nowMs);
  return {
    raceId: race.race_id,
    startMs: race.startMs,
    jumpedMs: race.jumped_at === null ? null : Date.parse(race.jumped_at),
    books: books.map((key) => bookmaker(key)!.title),
    runners: running.map(({ number, name }): RunnerChart => {
      const paths = bookPaths(captured, number);
      return {
        number,
        name,
        best: bestPath(paths),
        consensus: consensus.get(number) ?? null,
        books: books.map((key) => paths.find(({ bookmaker }) => bookmaker === key)?.path ?? null),
      };
    }),
  };
}

export function bookPaths(captured: readonly CapturedBook[], number: number): BookPath[] {
  return captured.flatMap(({ bookmaker, runners }) => {
    const runner = runners.find((one) => one.number === number);
    return runner ? [{ bookmaker, path: pathOf(runner) }] : [];
  });
}

function pathOf({ atMs, prices, withdrawnAtMs }: CapturedRunner): PricePath {
  if (withdrawnAtMs === null) return { atMs, prices };
  return { atMs: [...atMs, withdrawnAtMs], prices: [...prices, null] };
}
