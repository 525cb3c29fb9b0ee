// A race that has jumped as its pages show it: the last prices before the jump. A book may be polled once more after it, when it has withdrawn
// its prices or prices the race in play. Pure.
import { type CapturedPrices, countUpTo } from '../../../domain/market/intelligence/captured';
import type { PlacePrice } from '../../../store/reads/live-board';
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

export const polledSince = ({ books }: LiveRace, jumpedMs: number): readonly string[] =>
  books.filter(({ polledAtMs }) => polledAtMs >= jumpedMs).map(({ bookmaker }) => bookmaker);

/** Of a book polled after the jump: the prices captured last before it. `places`: the place prices that were captured with them. */
export function atJump(
  race: LiveRace,
  before: readonly CapturedPrices[],
  places: readonly PlacePrice[],
  jumpedMs: number,
): LiveRace {
  const since = polledSince(race, jumpedMs);
  const books = race.books.map((book) => {
    const { bookmaker, numbers } = book;
    if (!since.includes(bookmaker)) return book;
    const captured = before.find((one) => one.bookmaker === bookmaker);
    const win = numbers.map((number) => lastPrice(captured, number));
    const placed = new Map(places.flatMap((one) => (one.bookmaker === bookmaker ? [[one.number, one.price]] : [])));
    const place = numbers.map((number, i) => (win[i] === null ? null : (placed.get(number) ?? null)));
    return { ...book, polledAtMs: jumpedMs, win, place };
  });
  return { ...race, books };
}

function lastPrice(captured: CapturedPrices | undefined, number: number): number | null {
  const runner = captured?.runners.find((one) => one.number === number);
  return runner && runner.withdrawnAtMs === null ? runner.prices.at(-1)! : null;
}
