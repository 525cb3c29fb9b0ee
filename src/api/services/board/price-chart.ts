// One race's captured prices as lines to draw: per runner every book's, the best across them and their consensus. A line stands until
// its next point, and ends with a null where the book took its price back. Pure.
import { BOOKMAKERS, bookmaker } from '../../../domain/bookmakers';
import type { CapturedBook } from '../../../store/reads/prices/captured-prices';
import type { LiveRace } from '../../../store/reads/races/find-races';
import { consensusPaths } from './consensus-paths';
import type { PriceChart, RunnerChart } from './model';
import { bestPath, bookPaths } from './price-paths';

/** Of the runners that run; books in the order of the price table. */
export function priceChartOf(race: LiveRace, captured: readonly CapturedBook[], nowMs: number): PriceChart {
  const running = race.runners.filter(({ scratched }) => !scratched);
  const paths = bookPaths(race, captured, nowMs);
  const consensus = consensusPaths(race, captured, nowMs);
  const books = BOOKMAKERS.map(({ key }) => key).filter((key) => captured.some((book) => book.bookmaker === key));
  return {
    raceId: race.race_id,
    startMs: race.startMs,
    jumpedMs: race.jumped_at === null ? null : Date.parse(race.jumped_at),
    books: books.map((key) => bookmaker(key)!.title),
    runners: running.map(({ number, name }): RunnerChart => {
      const own = paths.get(number) ?? [];
      return {
        number,
        name,
        best: bestPath(own),
        consensus: consensus.get(number) ?? null,
        books: books.map((key) => own.find((book) => book.bookmaker === key)?.path ?? null),
      };
    }),
  };
}
