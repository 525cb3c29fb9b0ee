// Whose timestamps can order a move (A 2.6): a book that pushes, or is asked more seldom than the floor, may have moved long before we saw it.
import { type Bookmaker, bookmaker } from '../../bookmakers';
import { pollIntervalMs } from '../../time/cadence';

export const ATTRIBUTION_FLOOR_SECONDS = 30;
const FLOOR_MS = ATTRIBUTION_FLOOR_SECONDS * 1000;

/** Whether a move of this book that is seen at an instant happened then, to within the floor: only then can it be told who was first. */
export function isTimely(key: string, atMs: number, startMs: number): boolean {
  const book = bookmaker(key);
  // The poll before is what bounds the move: a book that has only just become live was asked long ago.
  return book !== undefined && book.reach !== 'pushed' && isAskedOften(book, atMs - FLOOR_MS, startMs);
}

const isAskedOften = (book: Bookmaker, atMs: number, startMs: number): boolean =>
  pollIntervalMs((startMs - atMs) / 1000, book) <= FLOOR_MS;
