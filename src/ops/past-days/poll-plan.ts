// When the books are polled about a seeded race, and about one whose last hour is seeded: more often towards the jump,
// as live pollers do, and with the gaps that live collection has. Pure.
import { bookmaker } from '../../domain/bookmakers';
import { pollIntervalMs } from '../../domain/time/cadence';

/**
 * `missed`: never polled before the jump. `cut_off`: not in its last minutes. `unresulted`: no book has reported its
 * result.
 */
export type Gap = 'missed' | 'cut_off' | 'unresulted' | null;

const MINUTE_MS = 60_000;
/** Pauses by time left to the advertised start, farthest first. */
const RESTS: readonly (readonly [leftMs: number, restMs: number])[] = [
  [20 * MINUTE_MS, 10 * MINUTE_MS],
  [8 * MINUTE_MS, 5 * MINUTE_MS],
  [2 * MINUTE_MS, 2 * MINUTE_MS],
  [Number.NEGATIVE_INFINITY, 45_000],
];
/** Half of the books at a time, so that one of them is seen to move first. */
const HALVES_FROM_MS = 4 * MINUTE_MS;
const CUT_OFF_MS = 11 * MINUTE_MS;
/** A book that is not polled in these last minutes has a last-seen price only. */
const SILENT_MS = 7 * MINUTE_MS;
const LATE_JUMP_MS = 15 * MINUTE_MS;

/** Capture begins an hour out; a price captured just after is the one that stood then. */
export const firstPollMs = (startMs: number): number => startMs - 60 * MINUTE_MS + 20_000;

export const restMs = (leftMs: number): number => RESTS.find(([from]) => leftMs > from)![1];

/** Whether the race is polled at all with this much time left. */
export const isPolled = (leftMs: number, gap: Gap): boolean =>
  gap !== 'missed' && leftMs > -LATE_JUMP_MS && (gap !== 'cut_off' || leftMs > CUT_OFF_MS);

export interface Turn {
  /** From 0. */
  readonly turn: number;
  readonly atMs: number;
  readonly leftMs: number;
}

/**
 * The books of this turn. `lastMs`: of the previous poll, by book. `odd`: any number of the race; decides which book is
 * late and which falls silent.
 */
export function dueBooks(
  books: readonly string[],
  { turn, atMs, leftMs }: Turn,
  lastMs: ReadonlyMap<string, number>,
  odd: number,
): readonly string[] {
  return books.filter((key, i) => {
    if (i === odd % books.length && turn < 3) return false;
    if (i === (odd + 3) % books.length && leftMs < SILENT_MS) return false;
    if (turn > 0 && restMs(leftMs) >= HALVES_FROM_MS && i % 2 !== turn % 2) return false;
    return atMs - (lastMs.get(key) ?? Number.NEGATIVE_INFINITY) >= pollIntervalMs(leftMs / 1000, bookmaker(key)!);
  });
}

const EVERY_MS = 3 * MINUTE_MS;

/** From the opening of the capture window on, every three minutes or as rarely as the book is polled (D21). */
export function polledInHour(startMs: number, untilMs: number, bookmakerKey: string): number[] {
  const book = bookmaker(bookmakerKey)!;
  const due: number[] = [];
  for (let atMs = firstPollMs(startMs); atMs < untilMs; atMs += EVERY_MS) {
    const last = due.at(-1);
    if (last === undefined || atMs - last >= pollIntervalMs((startMs - atMs) / 1000, book)) due.push(atMs);
  }
  return due;
}
