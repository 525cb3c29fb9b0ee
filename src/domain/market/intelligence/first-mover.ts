// Which book moved a runner first, if that can be determined (A 2.6 rule 3).
import { type Bookmaker, bookmaker } from '../../bookmakers';
import { pollIntervalMs } from '../../time/cadence';
import { median } from '../median';
import { type BookLines, countUpTo, openingPrice, type PriceLine, windowOpensMs } from './captured';

export const UNDETERMINED = ['no_move', 'too_few_books', 'inside_floor'] as const;

/**
 * `no_move`: the consensus at T-60 or now is missing, or the two are equal. `too_few_books`: fewer than two
 * attributable books moved at least 5 percent in that direction. `inside_floor`: two of them moved too close together.
 */
export type Undetermined = (typeof UNDETERMINED)[number];

export type FirstMover =
  | {
      readonly status: 'attributed';
      readonly bookmaker: string;
      readonly atMs: number;
      /** The lead over the second book. */
      readonly leadSeconds: number;
      readonly medianFollowerLagSeconds: number;
      /** In the order in which they moved; simultaneous moves by key. */
      readonly followers: readonly string[];
    }
  | { readonly status: 'undetermined'; readonly reason: Undetermined };

interface Mover {
  readonly bookmaker: string;
  readonly atMs: number;
}

const LEAST_PCT = 5;

export const ATTRIBUTION_FLOOR_SECONDS = 30;
const FLOOR_MS = ATTRIBUTION_FLOOR_SECONDS * 1000;

/** For the runner at this index of the field; `headlinePct` is its move from T-60. */
export function firstMoverOf(
  books: readonly BookLines[],
  at: number,
  headlinePct: number | null,
  { startMs, nowMs }: { readonly startMs: number; readonly nowMs: number },
): FirstMover {
  if (headlinePct === null || headlinePct === 0) return { status: 'undetermined', reason: 'no_move' };
  const movers: Mover[] = [];
  for (const { bookmaker, lines } of books) {
    const line = lines[at];
    if (!line) continue;
    const atMs = crossedMs(line, Math.sign(headlinePct), windowOpensMs(startMs), nowMs);
    if (atMs !== null && isTimely(bookmaker, atMs, startMs)) movers.push({ bookmaker, atMs });
  }
  movers.sort((a, b) => a.atMs - b.atMs || (a.bookmaker < b.bookmaker ? -1 : 1));
  return ranked(movers);
}

function ranked([first, ...others]: readonly Mover[]): FirstMover {
  const second = others[0];
  if (first === undefined || second === undefined) return { status: 'undetermined', reason: 'too_few_books' };
  const lags = others.map((other) => (other.atMs - first.atMs) / 1000);
  if (lags[0]! < ATTRIBUTION_FLOOR_SECONDS) return { status: 'undetermined', reason: 'inside_floor' };
  return {
    status: 'attributed',
    ...first,
    leadSeconds: lags[0]!,
    medianFollowerLagSeconds: median(lags)!,
    followers: others.map((other) => other.bookmaker),
  };
}

/**
 * When the book's price was first 5 percent or more away from its opening price in this direction (-1: shorter); null
 * if it never was.
 */
function crossedMs(line: PriceLine, direction: number, opensMs: number, nowMs: number): number | null {
  const opening = tenThousandths(openingPrice(line, opensMs));
  const last = countUpTo(line.atMs, nowMs);
  for (let i = Math.max(1, countUpTo(line.atMs, opensMs)); i < last; i++) {
    const moved = (tenThousandths(line.prices[i]!) - opening) * direction;
    if (moved * 100 >= opening * LEAST_PCT) return line.atMs[i]!;
  }
  return null;
}

/** Whole numbers, so that 4.20 to 3.99 is exactly 5 percent and not slightly less. */
const tenThousandths = (price: number): number => Math.round(price * 10_000);

/**
 * Whether a move of this book that was observed at an instant happened then, to within the floor: only such moves can
 * be ordered (A 2.6). A book that pushes, or is polled less often than the floor, may have moved long before.
 */
export function isTimely(key: string, atMs: number, startMs: number): boolean {
  const book = bookmaker(key);
  // The previous poll bounds the move: a book that has only just become live was last polled long ago.
  return book !== undefined && book.reach !== 'pushed' && isPolledOften(book, atMs - FLOOR_MS, startMs);
}

const isPolledOften = (book: Bookmaker, atMs: number, startMs: number): boolean =>
  pollIntervalMs((startMs - atMs) / 1000, book) <= FLOOR_MS;
