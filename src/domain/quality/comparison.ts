// Compares the prices that the API serves of one bookmaker on one race with a reading of the bookmaker's feed. Prices
// move between any two checks, so a reading is compared with the poll before it and the poll after it, and a price that
// agrees with neither is read again: only a price that differs in every reading is a difference.
import type { AuditedMarket } from './markets';

/** Runner number → price in one market. */
export type Prices = ReadonlyMap<number, number>;

/** A market that is absent has no price. */
export type MarketPrices = Readonly<Partial<Record<AuditedMarket, Prices>>>;

export const NO_PRICES: Prices = new Map();

export interface NamedRunner {
  readonly number: number;
  readonly name: string;
}

/** One runner in one market: what is served and what the bookmaker shows; null: no price. */
export interface ComparedPrice extends NamedRunner {
  readonly market: AuditedMarket;
  readonly api: number | null;
  readonly source: number | null;
  /** The API served the bookmaker's price from its poll before or after a reading. */
  readonly agrees: boolean;
}

export interface Reading {
  readonly market: AuditedMarket;
  /** Served at the reading. */
  readonly before: Prices;
  readonly source: Prices;
  /** Served once the bookmaker was polled after the reading. */
  readonly after: Prices;
  /** That may be compared: not those that are scratched. */
  readonly runners: readonly NamedRunner[];
}

/** `earlier`: of the readings before; a runner that agreed in one is settled. */
export function compare(
  { market, before, source, after, runners }: Reading,
  earlier: readonly ComparedPrice[] = [],
): readonly ComparedPrice[] {
  const own = earlier.filter((cell) => cell.agrees && cell.market === market);
  const settled = new Map(own.map((cell) => [cell.number, cell]));
  return runners.map(({ number, name }) => {
    const done = settled.get(number);
    if (done) return done;
    const shown = source.get(number) ?? null;
    const was = before.get(number) ?? null;
    const is = after.get(number) ?? null;
    const agrees = shown === is || shown === was;
    return { market, number, name, api: agrees ? shown : is, source: shown, agrees };
  });
}

export const allAgree = (cells: readonly ComparedPrice[]): boolean => cells.every(({ agrees }) => agrees);

/** Why a cell counts against a run; null: it agrees. */
export function faultOf({ agrees, api, source }: ComparedPrice): 'diff' | 'missing_api' | 'missing_source' | null {
  if (agrees) return null;
  if (api === null) return 'missing_api';
  return source === null ? 'missing_source' : 'diff';
}

/** Between the two prices, in units of the price to its sixth decimal; null if one is missing. */
export function distance(a: number | null, b: number | null): number | null {
  return a === null || b === null ? null : Math.round(Math.abs(a - b) * 1e6) / 1e6;
}
