// Dividends of a TAB race. A multi-leg product is on its last leg's race; its legs are in the pool of the same name.
import type { FeedResult } from '../../domain/race/feed-race';
import type { Drops } from '../reading/drops';
import { asRow, countOf, type JsonObject, listOf, numberOf, positiveOf, rowOf, textOf } from '../reading/read';
import { legsUpTo, type ToteProduct, toteProduct } from '../reading/tote-product';

type Dividends = { -readonly [K in 'straight' | 'exotics' | 'multiRace']: [...FeedResult[K]] };

export const NO_DIVIDENDS: Pick<FeedResult, 'straight' | 'exotics' | 'multiRace'> = {
  straight: [],
  exotics: [],
  multiRace: [],
};

export function dividendsOf(race: JsonObject, tote: string, drops: Drops): Dividends {
  const dividends: Dividends = { straight: [], exotics: [], multiRace: [] };
  for (const raw of listOf(race.dividends)) {
    const row = asRow(raw);
    const name = textOf(row?.wageringProduct);
    const product = toteProduct(name);
    const rows = listOf(row?.poolDividends);
    // Includes Duet, which has no code in the contract (D27).
    if (!product) drops.add('dividend_product_unknown', Math.max(1, rows.length));
    else for (const paid of rows) addTo(dividends, paid, { race, tote, product, name: name! }, drops);
  }
  return dividends;
}

interface Pool {
  readonly race: JsonObject;
  readonly tote: string;
  readonly product: ToteProduct;
  readonly name: string;
}

/** Rows of a refund or without a third dividend have 0, no amount or no selection. */
function addTo(dividends: Dividends, raw: unknown, pool: Pool, drops: Drops): void {
  const row = rowOf(raw);
  const amount = positiveOf(row.amount);
  const numbers = listOf(row.selections).map(countOf);
  if (numbers.length === 0 || numbers.includes(null)) drops.add('dividend_without_runners');
  else if (amount === null) drops.add('dividend_without_amount');
  else addPaid(dividends, pool, numbers as number[], amount);
}

function addPaid(dividends: Dividends, pool: Pool, numbers: readonly number[], amount: number): void {
  const { product, tote } = pool;
  const selection = numbers.join();
  if (product.kind === 'straight') {
    for (const number of numbers) dividends.straight.push({ market: product.market, product: tote, number, amount });
  } else if (product.kind === 'exotic') {
    dividends.exotics.push({ code: product.code, product: tote, selection, amount });
  } else {
    const legs = legsOf(pool, numbers.length, product.apart);
    dividends.multiRace.push({ code: product.code, type: product.type, product: tote, legs, selection, amount });
  }
}

/**
 * A race has every pool in which it is a leg, even several with the same name: a running double that ends here and one
 * that begins here, or a jackpot carried over. The dividend belongs to the pool that ends here and has as many legs as
 * the selection.
 */
function legsOf({ race, name }: Pool, count: number, apart: 1 | 2): { raceNumber: number }[] {
  const last = countOf(race.raceNumber) ?? 0;
  for (const raw of listOf(race.pools)) {
    const pool = rowOf(raw);
    if (pool.wageringProduct !== name) continue;
    const legs = legNumbers(listOf(pool.legs));
    if (legs.length === count && legs.at(-1)?.raceNumber === last) return legs;
  }
  return legsUpTo(last, count, apart);
}

function legNumbers(rows: readonly unknown[]): { raceNumber: number }[] {
  return rows
    .map(rowOf)
    .sort((a, b) => (numberOf(a.legNumber) ?? 0) - (numberOf(b.legNumber) ?? 0))
    .map((leg) => ({ raceNumber: countOf(leg.raceNumber) ?? 0 }))
    .filter((leg) => leg.raceNumber > 0);
}
