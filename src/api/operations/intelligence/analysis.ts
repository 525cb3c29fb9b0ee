// Analyses races on the live board (A 2.6) for the endpoint, the scan and the live board, with one SQL statement for
// any number of races. A caller that already has the captured prices calls the domain's `analyse` directly.
import { analyse, type RaceIntelligence } from '../../../domain/market/intelligence/analyse';
import { CAPTURE_MS } from '../../../domain/market/intelligence/captured';
import { type CapturedBook, captureBound } from '../../../store/reads/prices/captured-prices';
import type { BoardRace } from '../../../store/reads/races/board';
import type { Reads } from '../../../store/reads/reads';

export interface Analyses {
  /**
   * In the order given. Each race must have the quotes of exactly the books that may be compared, because the captured
   * prices of these books are read.
   */
  ofRaces(races: readonly BoardRace[], minBooks: number, nowMs: number): Promise<readonly RaceIntelligence[]>;
}

export function createIntelligence(reads: Pick<Reads, 'capturedPrices'>): Analyses {
  return {
    async ofRaces(races, minBooks, nowMs) {
      const captured = await capturedOf(reads, races, nowMs);
      return races.map((race) => analyse(race, captured.get(race.race_id) ?? [], minBooks, nowMs));
    },
  };
}

/** By race; nothing is read for races whose window has not opened. */
async function capturedOf(
  reads: Pick<Reads, 'capturedPrices'>,
  races: readonly BoardRace[],
  nowMs: number,
): Promise<ReadonlyMap<string, readonly CapturedBook[]>> {
  const open = races.filter(({ startMs }) => startMs - nowMs <= CAPTURE_MS);
  if (open.length === 0) return new Map();
  const books = await reads.capturedPrices({
    raceIds: open.map((race) => race.race_id),
    bookmakers: [...new Set(open.flatMap((race) => race.books.map((book) => book.bookmaker)))].sort(),
    from: captureBound(open.map((race) => race.startMs)),
  });
  const byRace = new Map(open.map((race): [string, CapturedBook[]] => [race.race_id, []]));
  for (const book of books) byRace.get(book.raceId)?.push(book);
  return byRace;
}
