// A race's market as a test describes it: each book's prices on the runners at seconds before the jump. Not a test.
import { analyse } from '../../../../src/domain/market/intelligence/analyse';
import type { CapturedPrices } from '../../../../src/domain/market/intelligence/captured';

export const START_MS = Date.parse('2026-11-21T03:00:00.000Z');
/** The instant this many seconds before the advertised start. */
export const before = (seconds: number): number => START_MS - seconds * 1000;

/** The prices of a book per runner, from this many seconds before the jump on; null: no quote. */
export type TimedQuotes = readonly [seconds: number, ...wins: (number | null)[]];

export interface MarketCase {
  /** By book, in order of time. */
  readonly books: Readonly<Record<string, readonly TimedQuotes[]>>;
  /** Seconds before the jump; default 0. */
  readonly now?: number;
  readonly minBooks?: number;
  /** Numbers of scratched runners. */
  readonly scratched?: readonly number[];
  readonly emergency?: readonly number[];
  /** By book: the last poll, in seconds before the jump; default: just now. */
  readonly polled?: Readonly<Record<string, number>>;
}

/** Only changes, as the store captures them. */
export function capturedOf(quotes: readonly TimedQuotes[], nowMs: number): CapturedPrices['runners'] {
  const runners = Math.max(...quotes.map((one) => one.length - 1));
  return Array.from({ length: runners }, (_, i) => {
    const atMs: number[] = [];
    const prices: number[] = [];
    let withdrawnAtMs: number | null = null;
    for (const [seconds, ...wins] of quotes) {
      const price = wins[i] ?? null;
      if (before(seconds) > nowMs) continue;
      if (price === null) withdrawnAtMs ??= before(seconds);
      else if (price !== prices.at(-1)) {
        atMs.push(before(seconds));
        prices.push(price);
      }
      if (price !== null) withdrawnAtMs = null;
    }
    return { number: i + 1, atMs, prices, withdrawnAtMs };
  }).filter((runner) => runner.prices.length > 0);
}

export function raceOf({ books, now = 0, scratched = [], emergency = [], polled = {} }: MarketCase) {
  const nowMs = before(now);
  const size = Math.max(...Object.values(books).flatMap((quotes) => quotes.map((one) => one.length - 1)));
  const numbers = Array.from({ length: size }, (_, i) => i + 1);
  return {
    startMs: START_MS,
    runners: numbers.map((number) => {
      return { number, scratched: scratched.includes(number), emergency: emergency.includes(number) };
    }),
    books: Object.entries(books).map(([bookmaker, quotes]) => {
      const last = quotes.filter(([seconds]) => before(seconds) <= nowMs).at(-1);
      const win = numbers.map((number) => last?.slice(1)[number - 1] ?? null);
      const polledAtMs = polled[bookmaker] === undefined ? nowMs : before(polled[bookmaker]);
      return { bookmaker, polledAtMs, numbers, win };
    }),
  };
}

export function analysed(market: MarketCase) {
  const nowMs = before(market.now ?? 0);
  const captured = Object.entries(market.books).map(([bookmaker, quotes]) => {
    return { bookmaker, runners: capturedOf(quotes, nowMs) };
  });
  return analyse(raceOf(market), captured, market.minBooks ?? 2, nowMs);
}
