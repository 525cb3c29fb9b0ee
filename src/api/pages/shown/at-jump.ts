// A race that has jumped as its pages show it: the last prices up to the jump (D24, D44), as old as they were then. A
// book may be polled once more after it, when it has withdrawn its prices or prices the race in play. Pure.
import { type CapturedPrices, countUpTo } from '../../../domain/market/intelligence/captured';
import type { LastPoll, PlacePrice } from '../../../store/reads/live-board';
import type { LiveRace } from '../../../store/reads/races/find-races';

/**
 * Without prices captured after the jump, or withdrawn from it on: what was withdrawn by the poll that saw the market
 * close had stood until then.
 */
export function capturedBefore(captured: readonly CapturedPrices[], jumpedMs: number): readonly CapturedPrices[] {
  return captured.flatMap(({ bookmaker, runners }) => {
    const before = runners.flatMap((runner) => {
      const count = countUpTo(runner.atMs, jumpedMs);
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

interface BeforeJump {
  readonly captured: readonly CapturedPrices[];
  /** The place prices captured with them. */
  readonly places: readonly Omit<PlacePrice, 'raceId'>[];
  /** For books that show something else since; for the others a poll after the jump saw the price that stood at it. */
  readonly polls: readonly Omit<LastPoll, 'raceId'>[];
}

/** A book has replaced them since, and no capture has what stood before. */
const NOT_CAPTURED = { top2: [], top3: [], top4: [], tote: null } as const;

/** For a book polled after the jump: the last prices captured up to it, and when it was polled then. */
export function atJump(race: LiveRace, { captured: before, places, polls }: BeforeJump, jumpedMs: number): LiveRace {
  const since = polledSince(race, jumpedMs);
  const books = race.books.map((book) => {
    const { bookmaker, numbers } = book;
    if (!since.includes(bookmaker)) return book;
    const captured = before.find((one) => one.bookmaker === bookmaker);
    const win = numbers.map((number) => lastPrice(captured, number));
    const placed = new Map(places.flatMap((one) => (one.bookmaker === bookmaker ? [[one.number, one.price]] : [])));
    const place = numbers.map((number, i) => (win[i] === null ? null : (placed.get(number) ?? null)));
    const polledAtMs = polls.find((one) => one.bookmaker === bookmaker)?.atMs ?? jumpedMs;
    return { ...book, ...NOT_CAPTURED, polledAtMs, win, place };
  });
  return { ...race, books };
}

function lastPrice(captured: CapturedPrices | undefined, number: number): number | null {
  const runner = captured?.runners.find((one) => one.number === number);
  return runner && runner.withdrawnAtMs === null ? runner.prices.at(-1)! : null;
}
