// A race whose books are polled at chosen instants through the real store, which fills its capture window.
import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import type { FeedRunner, ListedRace } from '../../../src/domain/race/feed-race';
import { createRaceStore } from '../../../src/store/card/races';
import { createQuoteStore } from '../../../src/store/polls/quotes';
import { feedRunner, placedRace, raceSnapshot } from './builders';

/** A book's win price per runner this many seconds before the race's start; null if it quotes none. */
export type TimedQuotes = readonly [seconds: number, ...wins: (number | null)[]];

export interface PolledRace {
  readonly raceId: string;
  /** One more poll. `more` is added to the snapshot. */
  poll(book: string, quotes: TimedQuotes, more?: Partial<Parameters<typeof raceSnapshot>[0]>): Promise<void>;
}

const DISCOVERED = '2026-11-20T12:00:00.000Z';

/** Polls in order of time, across all books. */
export async function polledRace(
  pool: Pool,
  listed: Partial<ListedRace> & Pick<ListedRace, 'startTime'>,
  books: Readonly<Record<string, readonly TimedQuotes[]>>,
): Promise<PolledRace> {
  const placed = placedRace(listed);
  const races = createRaceStore(pool);
  const quotes = createQuoteStore(pool);
  const startMs = Date.parse(listed.startTime);
  for (const book of Object.keys(books)) {
    await races.saveCard(book, [{ ...placed, listed: { ...placed.listed, sourceRaceId: randomUUID() } }], DISCOVERED);
  }
  const race: PolledRace = {
    raceId: placed.raceId,
    async poll(book, [seconds, ...wins], more = {}) {
      await quotes.savePoll({
        raceId: placed.raceId,
        bookmakerKey: book,
        fence: { epoch: 1, attempt: 1 },
        observedAt: new Date(startMs - seconds * 1000).toISOString(),
        bookAt: null,
        snapshot: raceSnapshot({ runners: wins.map((win, i): FeedRunner => feedRunner(i + 1, { win })), ...more }),
        marketStateSource: book === 'pointsbetau',
        startSource: book === 'ladbrokes_au',
      });
    },
  };
  const polls = Object.entries(books).flatMap(([book, quotes]) => quotes.map((one) => ({ book, one })));
  polls.sort((a, b) => b.one[0] - a.one[0]);
  for (const { book, one } of polls) await race.poll(book, one);
  return race;
}
