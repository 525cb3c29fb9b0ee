// One race's captured prices as lines to draw: per runner every book's, the best across them and their consensus. A
// price holds until the next point; a line ends with a null where the book withdrew its price. Pure.
import { BOOKMAKERS, bookmaker } from '../../domain/bookmakers';
import type { CapturedPrices } from '../../domain/market/intelligence/captured';
import { consensusPaths } from './consensus-paths';
import type { PriceChart, RunnerChart } from './model';
import { bestPath, bookPaths, settled } from './price-paths';
import type { VisibleRace } from './source';

/** Scratched runners left out; books in the order of the price table. */
export function priceChartOf(race: VisibleRace, captured: readonly CapturedPrices[], nowMs: number): PriceChart {
  const running = race.runners.filter(({ scratched }) => !scratched);
  const paths = bookPaths(race, captured, nowMs);
  const consensus = consensusPaths(race, captured, nowMs);
  const books = BOOKMAKERS.map(({ key }) => key).filter((key) => captured.some((book) => book.bookmaker === key));
  return {
    raceId: race.raceId,
    startMs: race.startMs,
    jumpedMs: race.jumpedMs,
    books: books.map((key) => bookmaker(key)!.title),
    runners: running.map(({ number, name }): RunnerChart => {
      const own = paths.get(number) ?? [];
      return {
        number,
        name,
        best: settled(bestPath(own)),
        consensus: consensus.get(number) ?? null,
        books: books.map((key) => own.find((book) => book.bookmaker === key)?.path ?? null),
      };
    }),
  };
}
