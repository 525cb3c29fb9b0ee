// How far a runner's price has moved since capture began, across books (A 2.7). It averages prices, as boards do, and
// not probabilities, as intelligence does.
import { bestWin } from '../prices/best-price';

/** One book's captured prices on one runner, summarised. Prices are decimal, above 1.0. */
export interface BookPath {
  readonly bookmaker: string;
  /** The price that stood when the window opened, or the first one captured after it. */
  readonly open: number;
  /** The last price, which the book still quotes. */
  readonly current: number;
  /** Seconds from the capture of `open` to the advertised start, at most the window. */
  readonly openSecsToJump: number;
  /** Prices captured since then, including `open`; at least 1. */
  readonly points: number;
}

interface BookMove extends BookPath {
  /** Percent of `open`; negative: shortened. */
  readonly movePct: number;
  /** It has two or more captured prices, and neither `open` nor `current` is a placeholder. */
  readonly counted: boolean;
}

export interface Move {
  /** Means over the counted books. */
  readonly open: number;
  readonly current: number;
  /** Percent of `open`; negative: firming. Never 0. */
  readonly movePct: number;
  readonly direction: 'firming' | 'drifting';
  /** Every book that quotes, by key. */
  readonly books: readonly BookMove[];
  /** These three add up to `books`: a book that is not counted has not moved. */
  readonly firming: number;
  readonly drifting: number;
  readonly unchanged: number;
  /** How many books count. */
  readonly withHistory: number;
}

/**
 * The move of one runner, from the paths of the books that quote it now, one per book. Null when fewer than `minBooks`
 * (at least 1) books are counted, or when their average is unchanged. The order of the paths does not matter.
 * Unrounded.
 *
 * A book whose opening or current price is a placeholder (A 2.4 rule 2) is not counted: 101 that becomes 6 when the
 * book begins to quote is no market move.
 */
export function moveOf(paths: readonly BookPath[], minBooks: number): Move | null {
  const placeholders = placeholdersOf(paths);
  const books = paths.map((path) => bookMove(path, placeholders)).sort((a, b) => (a.bookmaker < b.bookmaker ? -1 : 1));
  const counted = books.filter((book) => book.counted);
  if (counted.length < minBooks) return null;
  const open = mean(counted.map((book) => book.open));
  const current = mean(counted.map((book) => book.current));
  const movePct = percent(open, current);
  if (movePct === 0) return null;
  const firming = counted.filter((book) => book.current < book.open).length;
  const drifting = counted.filter((book) => book.current > book.open).length;
  return {
    open,
    current,
    movePct,
    direction: movePct < 0 ? 'firming' : 'drifting',
    books,
    firming,
    drifting,
    unchanged: books.length - firming - drifting,
    withHistory: counted.length,
  };
}

const percent = (open: number, current: number): number => (100 * (current - open)) / open;

/** In the given order, which is by key: the same books have the same mean to the last bit. */
const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Books whose opening or current price is a placeholder among the prices of that time. */
function placeholdersOf(paths: readonly BookPath[]): ReadonlySet<string> {
  const suspects = (['open', 'current'] as const).flatMap((when) => {
    const quotes = paths.map((path) => ({ bookmaker: path.bookmaker, price: path[when], ageSeconds: 0 }));
    return bestWin(quotes).suspects;
  });
  return new Set(suspects.map(({ bookmaker }) => bookmaker));
}

function bookMove(path: BookPath, placeholders: ReadonlySet<string>): BookMove {
  const { bookmaker, open, current, points } = path;
  return { ...path, movePct: percent(open, current), counted: points >= 2 && !placeholders.has(bookmaker) };
}
