// Tote dividends of an Entain event: up to three totes, interim and final, single race and multi-leg, all in one list.
// Keeps every tote, and one row per tote, product and combination; everything else is counted.
import type { FeedExoticDividend, FeedMultiRaceDividend, FeedStraightDividend } from '../../domain/race/feed-race';
import type { Drops } from '../reading/drops';
import { asRow, countOf, type JsonObject, listOf, positiveOf, rowOf, textOf } from '../reading/read';
import { legsUpTo, type ToteProduct, toteProduct } from '../reading/tote-product';

export interface Dividends {
  readonly straight: FeedStraightDividend[];
  readonly exotics: FeedExoticDividend[];
  readonly multiRace: FeedMultiRaceDividend[];
}

interface Declared {
  readonly tote: string;
  readonly product: ToteProduct;
  /** The product, independent of the deployment's spelling. */
  readonly name: string;
  /** Saddlecloth numbers by finishing position or by leg. On a place row the position means nothing. */
  readonly numbers: readonly number[];
  readonly amount: number;
  readonly final: boolean;
}

/** `state`: that of the race, whose own tote comes first. `raceNumber`: the last leg of a multi-leg row. */
export function dividendsOf(
  rows: readonly unknown[],
  state: string | null,
  raceNumber: number | null,
  drops: Drops,
): Dividends {
  const kept = preferFinal(rows, drops).sort(byTote(state));
  const dividends: Dividends = { straight: [], exotics: [], multiRace: [] };
  for (const row of kept) addTo(dividends, row, raceNumber);
  return dividends;
}

function declaredOf(row: JsonObject): Declared | string {
  const product = toteProduct(textOf(row.product_name));
  const amount = positiveOf(row.dividend);
  const numbers = numbersOf(row.positions);
  const tote = textOf(row.tote);
  if (!product) return 'dividend_product_unknown';
  if (!tote) return 'dividend_without_tote';
  if (numbers.length === 0) return 'dividend_without_runners';
  if (amount === null) return 'dividend_without_amount';
  const name = product.kind === 'straight' ? product.market : product.code;
  return { tote, product, name, numbers, amount, final: row.status === 'Final' };
}

function numbersOf(positions: unknown): number[] {
  return listOf(positions)
    .map(rowOf)
    .map((row) => ({ number: countOf(row.runner_number) ?? 0, position: countOf(row.position) ?? 0 }))
    .filter((row) => row.number > 0)
    .sort((a, b) => a.position - b.position)
    .map((row) => row.number);
}

/**
 * A product comes twice, interim and final, under different ids. Its final rows are complete: an interim row without a
 * final counterpart belongs to placings that a protest has changed.
 */
function preferFinal(rows: readonly unknown[], drops: Drops): Declared[] {
  const declared = readable(rows, drops);
  const settled = new Set(declared.filter(({ final }) => final).map(poolOf));
  const byKey = new Map<string, Declared>();
  for (const row of declared) {
    const key = `${poolOf(row)}/${row.numbers.join()}`;
    if (byKey.has(key) || (settled.has(poolOf(row)) && !row.final)) drops.add('dividend_superseded');
    else byKey.set(key, row);
  }
  return [...byKey.values()];
}

const poolOf = ({ tote, name }: Declared): string => `${tote}/${name}`;

function readable(rows: readonly unknown[], drops: Drops): Declared[] {
  return rows.map(asRow).flatMap((row) => {
    const declared = row ? declaredOf(row) : 'dividend_unreadable';
    if (typeof declared !== 'string') return [declared];
    drops.add(declared);
    return [];
  });
}

/** The race's own tote first, then VIC, then by name. */
function byTote(state: string | null): (a: Declared, b: Declared) => number {
  const rank = (tote: string): string => (tote === state ? '0' : tote === 'VIC' ? '1' : `2${tote}`);
  return (a, b) => rank(a.tote).localeCompare(rank(b.tote), 'en');
}

/** A straight row has one paid runner; other selections are in the order of `positions`. */
function addTo(dividends: Dividends, row: Declared, raceNumber: number | null): void {
  const { product, tote, amount, numbers } = row;
  const selection = numbers.join();
  if (product.kind === 'straight') {
    for (const number of numbers) dividends.straight.push({ market: product.market, product: tote, number, amount });
  } else if (product.kind === 'exotic') {
    dividends.exotics.push({ code: product.code, product: tote, selection, amount });
  } else {
    const legs = raceNumber === null ? [] : legsUpTo(raceNumber, numbers.length, product.apart);
    dividends.multiRace.push({ code: product.code, type: product.type, product: tote, legs, selection, amount });
  }
}
