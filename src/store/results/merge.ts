// Merges the books' reports of a race into one result (A 2.11). Pure: the same reports merge to the same result.
import { isDeepStrictEqual } from 'node:util';
import { bookmaker } from '../../domain/bookmakers';
import type { FeedExoticDividend, FeedMultiRaceDividend, FeedPlacing, FeedResult } from '../../domain/race/feed-race';
import { placingsKey } from '../../domain/results/placings';

export interface BookResult {
  readonly bookmakerKey: string;
  readonly result: FeedResult;
}

/** Stored and served unchanged (reference: A 2.11 `placings[]`). */
export interface SettledPlacing extends FeedPlacing {
  readonly win_price: number | null;
  readonly place_price: number | null;
}

/** By settling rank, then by rank of facts; books without either last. Ties by key. */
export function settlingOrder(keys: readonly string[]): readonly string[] {
  const rank = (key: string): number => {
    const book = bookmaker(key);
    return book?.settlesRank ?? 100 + (book?.factsRank ?? 100);
  };
  return [...keys].sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1));
}

/** Reports of a final result come before interim ones (A 3), each in settling order. */
export function inSettlingOrder(reported: readonly BookResult[]): readonly BookResult[] {
  const order = settlingOrder(reported.map((each) => each.bookmakerKey));
  const sorted = order.map((key) => reported.find((each) => each.bookmakerKey === key)!);
  return [...sorted.filter(isFinal), ...sorted.filter((each) => !isFinal(each))];
}

const isPlaced = ({ result }: BookResult): boolean => result.placings.length > 0;
const isFinal = (each: BookResult): boolean => each.result.stage === 'final' && isPlaced(each);

/**
 * The placings of the first book that has any. A protest stands until any book reports a final result, which none does
 * before it is decided (A 3). `reported`: in settling order, at least one.
 */
export function mergedResult(reported: readonly BookResult[]) {
  const placed = reported.find(isPlaced);
  const protesting = reported.some(isFinal) ? undefined : reported.find(({ result }) => result.protest);
  return {
    placings: placed?.result.placings ?? [],
    source: (placed ?? reported[0]!).bookmakerKey,
    protest: protesting !== undefined,
    note: (protesting ?? placed)?.result.note ?? null,
  };
}

/**
 * The book's report, with the dividends of its earlier one where a list is now empty, because books take them down.
 * Until a result is final, new placings drop the dividends of the old ones.
 */
export function withLastDeclared(now: FeedResult, before: FeedResult | undefined, isFinal: boolean): FeedResult {
  if (!before || (!isFinal && placingsKey(before.placings) !== placingsKey(now.placings))) return now;
  return {
    ...now,
    straight: now.straight.length > 0 ? now.straight : before.straight,
    exotics: now.exotics.length > 0 ? now.exotics : before.exotics,
    multiRace: now.multiRace.length > 0 ? now.multiRace : before.multiRace,
  };
}

/** Whether a report of a result that is not final would be stored as what already is. */
export const isStored = (now: FeedResult, stored: FeedResult): boolean =>
  isDeepStrictEqual(JSON.parse(JSON.stringify(withLastDeclared(now, stored, false))), stored);

/**
 * Reports whose dividends belong to these placings (by key): a book with other placings has declared for those. It may
 * place fewer, more or none.
 */
export const declaringFor = (reported: readonly BookResult[], key: string): readonly BookResult[] =>
  reported.filter(({ result }) => {
    const own = placingsKey(result.placings);
    return isBeginning(own, key) || isBeginning(key, own);
  });

const isBeginning = (first: string, whole: string): boolean => first === '' || `${whole}|`.startsWith(`${first}|`);

const EXOTIC_TYPES: Readonly<Record<FeedExoticDividend['code'], string>> = {
  QN: 'Quinella',
  EX: 'Exacta',
  TF: 'Trifecta',
  FF: 'First Four',
};

/** The dividends of each product from the first book that declares it (D27); null if nothing is declared yet. */
export function mergedDividends(
  reported: readonly BookResult[],
  placings: readonly SettledPlacing[],
  raceIds: ReadonlyMap<number, string>,
) {
  const straight = firstPer(
    reported,
    ({ straight }) => straight,
    ({ market, product }) => `${market}/${product}`,
  );
  const exotics = firstPer(
    reported,
    ({ exotics }) => exotics,
    ({ code, product }) => `${code}/${product}`,
  );
  const multi = firstPer(
    reported,
    ({ multiRace }) => multiRace,
    ({ code, product }) => `${code}/${product}`,
  );
  if (straight.length + exotics.length + multi.length === 0) return null;
  return {
    straight: straight.map(({ number, market, product, amount }) => {
      const placing = placings.find((each) => each.number === number);
      return { name: placing?.name ?? null, number, position: placing?.position ?? null, market, product, amount };
    }),
    exotics: exotics.map(({ code, product, selection, amount }) => ({
      code,
      type: EXOTIC_TYPES[code],
      product,
      selection,
      amount,
    })),
    multi_race: multi.map(({ code, type, legs, selection, product, amount }) => ({
      code,
      type,
      legs: (legs.length > 0 ? legs : legsReported(reported, code, product)).map(({ raceNumber }) => ({
        race_number: raceNumber,
        race_id: raceIds.get(raceNumber) ?? null,
      })),
      selection,
      product,
      amount,
    })),
    straight_types: [...new Set(straight.map(({ product }) => product))],
  };
}

/** One book reports all legs of a daily double, another only the last: it is one pool and one dividend. */
const legsReported = (reported: readonly BookResult[], code: string, product: string): FeedMultiRaceDividend['legs'] =>
  reported
    .flatMap(({ result }) => result.multiRace)
    .find((row) => row.code === code && row.product === product && row.legs.length > 0)?.legs ?? [];

function firstPer<T>(
  reported: readonly BookResult[],
  rowsOf: (result: FeedResult) => readonly T[],
  keyOf: (row: T) => string,
): readonly T[] {
  const done = new Set<string>();
  return reported.flatMap(({ result }) => {
    const added = rowsOf(result).filter((row) => !done.has(keyOf(row)));
    for (const row of added) done.add(keyOf(row));
    return added;
  });
}
