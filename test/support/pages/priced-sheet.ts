// The sheet of a race with prices of three books, as old as a property wants them.
import fc from 'fast-check';
import type { BookColumn, RaceSheet, RaceState } from '../../../src/web/board/model';

/** 3:42:05 pm in Sydney. */
export const NOW = Date.parse('2026-11-21T04:42:05Z');
const BOOKS = ['TAB', 'Neds', 'Sportsbet'];

/** What is different between sheets; ages in seconds, by book. */
interface Given {
  readonly state: RaceState;
  readonly prices: readonly (number | null)[];
  /** Seconds ago, of each book. */
  readonly ages: readonly number[];
  /** After how many seconds a price is stale. */
  readonly staleAfter: number;
  readonly jumpedSecondsAgo: number | null;
}

export function sheetOf({ state, prices, ages, staleAfter, jumpedSecondsAgo }: Given): RaceSheet {
  const books = BOOKS.map((title, i): BookColumn => {
    const polledMs = NOW - ages[i]! * 1000;
    const staleFromMs = polledMs + staleAfter * 1000;
    return { key: title, title, page: null, polledMs, stale: NOW >= staleFromMs, staleFromMs, marketPct: null };
  });
  const runners = prices.map((price, i) => {
    const { title, stale, staleFromMs } = books[i % books.length]!;
    const best = price === null ? null : { price, books: [title], shared: false, stale, staleFromMs };
    return { number: i + 1, name: `Runner ${i + 1}`, scratching: null, win: { best, cells: [] } };
  });
  const newest = Math.max(...books.map(({ polledMs }) => polledMs!));
  return {
    raceId: 'a',
    category: 'horse',
    country: 'AU',
    venue: 'Flemington',
    raceNumber: 7,
    startMs: NOW + 60_000,
    state,
    jumpedMs: jumpedSecondsAgo === null ? null : NOW - jumpedSecondsAgo * 1000,
    jumpBasis: jumpedSecondsAgo === null ? null : 'observed',
    freshness: { kind: 'read', polledMs: newest, oldFromMs: newest + staleAfter * 1000 },
    books,
    runners,
  } as unknown as RaceSheet;
}

export const givenSheet = fc.record<Given>({
  state: fc.constantFrom<RaceState>('open', 'suspended', 'jumped', 'abandoned'),
  prices: fc.array(fc.option(fc.constantFrom(1.25, 2.5, 13, 101)), { maxLength: 8 }),
  ages: fc.array(fc.integer({ min: 0, max: 300 }), { minLength: 3, maxLength: 3 }),
  staleAfter: fc.integer({ min: 1, max: 200 }),
  jumpedSecondsAgo: fc.option(fc.integer({ min: 0, max: 900 })),
});
