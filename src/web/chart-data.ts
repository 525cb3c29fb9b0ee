// The captured prices of a race as the chart's script reads them: whole seconds after a base, so that the response
// stays small.

import { halfUp } from '../domain/half-up';
import type { PriceChart, PricePath } from './board/model';

/** Seconds after `base`, ascending, and the price from then on; null where there is none. */
type Line = readonly [seconds: readonly number[], prices: readonly (number | null)[]];

export interface ChartData {
  /** Epoch seconds of race time, as `start` and `jumped`. */
  readonly base: number;
  readonly start: number;
  readonly jumped: number | null;
  /** Titles. */
  readonly books: readonly string[];
  readonly runners: readonly {
    readonly number: number;
    readonly name: string;
    readonly best: Line;
    readonly consensus: Line | null;
    readonly books: readonly (Line | null)[];
  }[];
}

const cents = (price: number | null): number | null => price && halfUp(price, 100);
const seconds = (ms: number): number => Math.floor(ms / 1000);

export function chartData({ startMs, jumpedMs, books, runners }: PriceChart): ChartData {
  const firsts = runners.flatMap(({ best, consensus }) =>
    [best, consensus].flatMap((path) => path?.atMs.slice(0, 1) ?? []),
  );
  const base = seconds(Math.min(startMs, ...firsts));
  const line = ({ atMs, prices }: PricePath): Line => [atMs.map((ms) => seconds(ms) - base), prices.map(cents)];
  return {
    base,
    start: seconds(startMs),
    jumped: jumpedMs === null ? null : seconds(jumpedMs),
    books,
    runners: runners.map(({ number, name, best, consensus, books: paths }) => ({
      number,
      name,
      best: line(best),
      consensus: consensus && line(consensus),
      books: paths.map((path) => path && line(path)),
    })),
  };
}
