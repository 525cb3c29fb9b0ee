// The outcome of a race, of all that the books say about it (A 2.11). Pure: the same words always merge to the same result.
import { bookmaker } from '../../domain/bookmakers';
import type { FeedExoticDividend, FeedMultiRaceDividend, FeedPlacing, FeedResult } from '../../domain/race/feed-race';
import { placingsKey } from '../../domain/results/placings';

export interface BookResult {
  readonly bookmakerKey: string;
  readonly result: FeedResult;
}

/** Stored and served as it stands (reference: A 2.11 `placings[]`). */
export interface SettledPlacing extends FeedPlacing {
  readonly win_price: number | null;
  readonly place_price: number | null;
}

/** The book that settles before others first; a book without either rank last. Ties by key. */
export function settlingOrder(keys: readonly string[]): readonly string[] {
  const rank = (key: string): number => {
    const book = bookmaker(key);
    return book?.settlesRank ?? 100 + (book?.factsRank ?? 100);
  };
  return [...keys].sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1));
}

/** Who calls the result final comes before who still calls it interim (A 3), among equals the settling order. */
export function inSettlingOrder(said: readonly BookResult[]): readonly BookResult[] {
  const order = settlingOrder(said.map((each) => each.bookmakerKey));
  const sorted = order.map((key) => said.find((each) => each.bookmakerKey === key)!);
  return [...sorted.filter(isFinal), ...sorted.filter((each) => !isFinal(each))];
}

const isPlaced = ({ result }: BookResult): boolean => result.placings.length > 0;
const isFinal = (each: BookResult): boolean => each.result.stage === 'final' && isPlaced(each);

/**
 * The first book's that has placings. A protest stands until any book calls the result final: that is only said once it is decided (A 3).
 * `said` in settling order, at least one.
 */
export function mergedResult(said: readonly BookResult[]) {
  const placed = said.find(isPlaced);
  const protesting = said.some(isFinal) ? undefined : said.find(({ result }) => result.protest);
  return {
    placings: placed?.result.placings ?? [],
    source: (placed ?? said[0]!).bookmakerKey,
    protest: protesting !== undefined,
    note: (protesting ?? placed)?.result.note ?? null,
  };
}

/**
 * A book's word with what it has declared and since taken down, list by list. Until a result is final, other placings take with them what was
 * declared for the earlier ones.
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

/**
 * Whose dividends are for these placings (by key): a book that still says others has declared for those. It may name fewer, or more, or none.
 */
export const declaringFor = (said: readonly BookResult[], key: string): readonly BookResult[] =>
  said.filter(({ result }) => {
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

/** Of each product the dividends of the first book that declares it (D27); null when nothing is declared yet. */
export function mergedDividends(
  said: readonly BookResult[],
  placings: readonly SettledPlacing[],
  raceIds: ReadonlyMap<number, string>,
) {
  const straight = firstPer(
    said,
    ({ straight }) => straight,
    ({ market, product }) => `${market}/${product}`,
  );
  const exotics = firstPer(
    said,
    ({ exotics }) => exotics,
    ({ code, product }) => `${code}/${product}`,
  );
  const multi = firstPer(
    said,
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
      legs: (legs.length > 0 ? legs : legsSaid(said, code, product)).map(({ raceNumber }) => ({
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

/** One book names the legs of a daily double, another only its last: it is one pool, and one dividend. */
const legsSaid = (said: readonly BookResult[], code: string, product: string): FeedMultiRaceDividend['legs'] =>
  said
    .flatMap(({ result }) => result.multiRace)
    .find((row) => row.code === code && row.product === product && row.legs.length > 0)?.legs ?? [];

function firstPer<T>(
  said: readonly BookResult[],
  rowsOf: (result: FeedResult) => readonly T[],
  keyOf: (row: T) => string,
): readonly T[] {
  const taken = new Set<string>();
  return said.flatMap(({ result }) => {
    const fresh = rowsOf(result).filter((row) => !taken.has(keyOf(row)));
    for (const row of fresh) taken.add(keyOf(row));
    return fresh;
  });
}
