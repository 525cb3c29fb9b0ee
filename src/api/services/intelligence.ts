// The analysis of races on the live board (A 2.6), for the endpoint, the scan and the live board: what was captured is read and the domain
// analyses it. One statement however many races. A caller that holds the captures already asks `analyse` of the domain itself.
import { analyse, type RaceIntelligence } from '../../domain/market/intelligence/analyse';
import { CAPTURE_MS } from '../../domain/market/intelligence/captured';
import { type CapturedBook, captureBound } from '../../store/reads/prices/captured-prices';
import type { BoardRace } from '../../store/reads/races/board';
import type { Reads } from '../../store/reads/reads';

export interface Intelligence {
  /**
   * In the order given. A race must come with the quotes of every book that may be compared, and of no other: they are the books whose
   * captured prices count.
   */
  ofRaces(races: readonly BoardRace[], minBooks: number, nowMs: number): Promise<readonly RaceIntelligence[]>;
}

export function createIntelligence(reads: Pick<Reads, 'capturedPrices'>): Intelligence {
  return {
    async ofRaces(races, minBooks, nowMs) {
      const captured = await capturedOf(reads, races, nowMs);
      return races.map((race) => analyse(race, captured.get(race.race_id) ?? [], minBooks, nowMs));
    },
  };
}

/** By race; of races whose window has not opened nothing is read. */
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
