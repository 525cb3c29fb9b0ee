// Races on the live board, written by the real stores: a test states what each book reports, and ordinary values fill
// the rest.
import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import { bookmaker } from '../../../src/domain/bookmakers';
import type { ListedRace, RaceSnapshot } from '../../../src/domain/race/feed-race';
import type { PlacedRace } from '../../../src/store/card/card';
import { createRaceStore } from '../../../src/store/card/races';
import { createQuoteStore } from '../../../src/store/polls/quotes';
import { placedRace, raceSnapshot } from './builders';

export interface BookReport extends Partial<RaceSnapshot> {
  /** When the book replied; the race's age follows from it. */
  readonly at?: string;
  /** The prices that it reported earlier. */
  readonly before?: RaceSnapshot['runners'];
  /** How many seconds earlier; default 60. */
  readonly beforeSeconds?: number;
}

const DISCOVERED_MS = Date.parse('2026-11-21T00:00:00.000Z');
const DAY_MS = 86_400_000;
const POLLED = '2026-11-21T02:59:50.000Z';

/** A race of an earlier day was also found ahead of its start. */
const discoveredAt = (startTime: string): string =>
  new Date(Math.min(DISCOVERED_MS, Date.parse(startTime) - DAY_MS)).toISOString();

/** Lists the race at every book and saves one poll of each. Returns the race with its assigned identity. */
export async function addRace(
  pool: Pool,
  listed: Partial<ListedRace>,
  books: Readonly<Record<string, BookReport>>,
): Promise<PlacedRace> {
  const races = createRaceStore(pool);
  const quotes = createQuoteStore(pool);
  const placed = placedRace(listed);
  const discovered = discoveredAt(placed.listed.startTime);
  for (const [key, { at = POLLED, before, beforeSeconds = 60, ...snapshot }] of Object.entries(books)) {
    const sourceRaceId = randomUUID();
    await races.saveCard(key, [{ ...placed, listed: { ...placed.listed, sourceRaceId } }], discovered);
    const poll = (observedAt: string, report: Partial<RaceSnapshot>) =>
      quotes.savePoll({
        raceId: placed.raceId,
        bookmakerKey: key,
        fence: { epoch: 1, attempt: 1 },
        observedAt,
        bookAt: null,
        snapshot: raceSnapshot({ sourceRaceId, ...report }),
        // An exchange's market state counts if no bookmaker reports one: customers must not see it.
        marketStateSource: bookmaker(key)!.marketStateSource || bookmaker(key)!.kind === 'exchange',
        startSource: key === 'ladbrokes_au',
      });
    if (before)
      await poll(new Date(Date.parse(at) - beforeSeconds * 1000).toISOString(), { ...snapshot, runners: before });
    await poll(at, snapshot);
  }
  return placed;
}
