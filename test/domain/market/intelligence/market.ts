// A race's market as a test tells it: each book's prices on the runners at seconds before the jump. Not a test.
import { analyse } from '../../../../src/domain/market/intelligence/analyse';
import type { CapturedPrices } from '../../../../src/domain/market/intelligence/captured';

export const START_MS = Date.parse('2026-11-21T03:00:00.000Z');
/** The instant this many seconds before the advertised start. */
export const before = (seconds: number): number => START_MS - seconds * 1000;

/** What a book quotes from so many seconds before the jump on, per runner; null: nothing any more, or nothing yet. */
export type Says = readonly [seconds: number, ...wins: (number | null)[]];

export interface Told {
  /** By book, in time. */
  readonly books: Readonly<Record<string, readonly Says[]>>;
  /** Seconds before the jump; default 0. */
  readonly now?: number;
  readonly minBooks?: number;
  /** Numbers of runners that are out. */
  readonly scratched?: readonly number[];
  readonly emergency?: readonly number[];
  /** By book: when it was last heard, seconds before the jump; default: just now. */
  readonly heard?: Readonly<Record<string, number>>;
}

/** Change-only, as the store captures it. */
export function capturedOf(says: readonly Says[], nowMs: number): CapturedPrices['runners'] {
  const runners = Math.max(...says.map((one) => one.length - 1));
  return Array.from({ length: runners }, (_, i) => {
    const atMs: number[] = [];
    const prices: number[] = [];
    let withdrawnAtMs: number | null = null;
    for (const [seconds, ...wins] of says) {
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

export function raceOf({ books, now = 0, scratched = [], emergency = [], heard = {} }: Told) {
  const nowMs = before(now);
  const size = Math.max(...Object.values(books).flatMap((says) => says.map((one) => one.length - 1)));
  const numbers = Array.from({ length: size }, (_, i) => i + 1);
  return {
    startMs: START_MS,
    runners: numbers.map((number) => {
      return { number, scratched: scratched.includes(number), emergency: emergency.includes(number) };
    }),
    books: Object.entries(books).map(([bookmaker, says]) => {
      const last = says.filter(([seconds]) => before(seconds) <= nowMs).at(-1);
      const win = numbers.map((number) => last?.slice(1)[number - 1] ?? null);
      const polledAtMs = heard[bookmaker] === undefined ? nowMs : before(heard[bookmaker]);
      return { bookmaker, polledAtMs, numbers, win };
    }),
  };
}

export function analysed(told: Told) {
  const nowMs = before(told.now ?? 0);
  const captured = Object.entries(told.books).map(([bookmaker, says]) => {
    return { bookmaker, runners: capturedOf(says, nowMs) };
  });
  return analyse(raceOf(told), captured, told.minBooks ?? 2, nowMs);
}
