// The contents of `odds.change` (D31, D56): the best win price of every runner of a race, whenever one of them differs
// from the last announced price. All of them, because an event may be superseded before it is sent. Only the price
// counts as a change: which of two books at one price is shown changes with every poll. Pure.
import { bestWin } from '../prices/best-price';

interface Named {
  readonly number: number;
  readonly name: string;
}

/** A race as the board has it: runners that are not scratched, and books whose prices are compared. */
export interface PricedRace {
  readonly runners: readonly Named[];
  readonly books: readonly {
    readonly bookmaker: string;
    readonly polledAtMs: number;
    /** `win` is aligned to them. */
    readonly numbers: readonly number[];
    readonly win: readonly (number | null)[];
  }[];
}

export interface AnnouncedPrice extends Named {
  readonly price: number;
}

/** As the event has it. */
export interface RunnerPrice extends Named {
  readonly best_win: { readonly price: number; readonly bookmaker: string } | null;
  readonly previous_price: number | null;
}

/** By number. `announced`: the runners that had a price in the event before. */
export function runnerPrices({ runners, books }: PricedRace, announced: readonly AnnouncedPrice[]): RunnerPrice[] {
  return runners.map(({ number, name }) => {
    const quotes = books.flatMap(({ bookmaker, polledAtMs, numbers, win }) => {
      const price = win[numbers.indexOf(number)];
      // Ages only order equal prices.
      return price == null ? [] : [{ bookmaker, price, ageSeconds: -polledAtMs / 1000 }];
    });
    const { best } = bestWin(quotes);
    const before = announced.find((one) => one.number === number && one.name === name);
    return {
      number,
      name,
      best_win: best && { price: best.price, bookmaker: best.bookmaker },
      previous_price: before?.price ?? null,
    };
  });
}

/** Whether a price moved, came or went. */
export function hasMoved(now: readonly RunnerPrice[], announced: readonly AnnouncedPrice[]): boolean {
  const kept = now.filter(({ previous_price }) => previous_price !== null).length;
  return kept < announced.length || now.some((one) => (one.best_win?.price ?? null) !== one.previous_price);
}

/** At most one event for a race in this time, on the race clock. */
export const BETWEEN_CHANGES_MS = 5_000;

/** Whether another event of the race is due. An event announced later than now comes from a clock that was set back. */
export function mayAnnounce(announcedMs: number | null, nowMs: number): boolean {
  return announcedMs === null || announcedMs > nowMs || nowMs - announcedMs >= BETWEEN_CHANGES_MS;
}
