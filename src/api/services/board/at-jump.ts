// A race that has jumped as its pages show it: the last prices before the jump. A book may be polled once more after it, when it has withdrawn
// its prices or prices the race in play. Pure.
import { type CapturedPrices, countUpTo } from '../../../domain/market/intelligence/captured';
import type { LiveRace } from '../../../store/reads/races/find-races';

/** Without what was captured, or withdrawn, from the jump on. */
export function capturedBefore(captured: readonly CapturedPrices[], jumpedMs: number): readonly CapturedPrices[] {
  return captured.flatMap(({ bookmaker, runners }) => {
    const before = runners.flatMap((runner) => {
      const count = countUpTo(runner.atMs, jumpedMs - 1);
      if (count === 0) return [];
      const { withdrawnAtMs } = runner;
      return [
        {
          number: runner.number,
          atMs: runner.atMs.slice(0, count),
          prices: runner.prices.slice(0, count),
          withdrawnAtMs: withdrawnAtMs !== null && withdrawnAtMs < jumpedMs ? withdrawnAtMs : null,
        },
      ];
    });
    return before.length > 0 ? [{ bookmaker, runners: before }] : [];
  });
}

/**
 * Of a book polled after the jump: the win prices captured last before it. The captured prices passed here are win prices only, so place prices
 * of a book seen before stay.
 */
export function atJump(race: LiveRace, before: readonly CapturedPrices[], jumpedMs: number): LiveRace {
  const books = race.books.map((book) => {
    if (book.polledAtMs < jumpedMs) return book;
    const captured = before.find(({ bookmaker }) => bookmaker === book.bookmaker);
    const win = book.numbers.map((number) => lastPrice(captured, number));
    return { ...book, polledAtMs: jumpedMs, win, place: captured ? book.place : book.place.map(() => null) };
  });
  return { ...race, books };
}

function lastPrice(captured: CapturedPrices | undefined, number: number): number | null {
  const runner = captured?.runners.find((one) => one.number === number);
  return runner && runner.withdrawnAtMs === null ? runner.prices.at(-1)! : null;
}
