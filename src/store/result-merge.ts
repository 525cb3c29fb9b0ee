// The outcome of a race, of all that the books say about it (A 2.11). Pure: the same words always merge to the same result.
import { bookmaker } from '../domain/bookmakers';
import type { FeedExoticDividend, FeedMultiRaceDividend, FeedPlacing, FeedResult } from '../domain/feed-race';

export interface BookResult {
  readonly bookmakerKey: string;
  readonly result: FeedResult;
}

/** Stored and served as it stands (reference: A 2.11 `placings[]`). */
export interface SettledPlacing extends FeedPlacing {
  readonly win_price: number | null;
  readonly place_price: number | null;
}

export interface RunnerPrices {
  readonly name: string | null;
  readonly win: number | null;
  readonly place: number | null;
}

/** The book that settles before others first; a book without either rank last. Ties by key. */
export function settlingOrder(keys: readonly string[]): readonly string[] {
  const rank = (key: string): number => {
    const book = bookmaker(key);
    return book?.settlesRank ?? 100 + (book?.factsRank ?? 100);
  };
  return [...keys].sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1));
}

export function inSettlingOrder(said: readonly BookResult[]): readonly BookResult[] {
  const order = settlingOrder(said.map((each) => each.bookmakerKey));
  return order.map((key) => said.find((each) => each.bookmakerKey === key)!);
}

/** The first book that has placings; null when none has. `said` in settling order. */
export function mergedPlacings(said: readonly BookResult[]): BookResult | null {
  return said.find(({ result }) => result.stage !== 'abandoned' && result.placings.length > 0) ?? null;
}

/** Best first; runners of a dead heat by number. */
export function settled(
  placings: readonly FeedPlacing[],
  prices: ReadonlyMap<number, RunnerPrices>,
  before: readonly SettledPlacing[],
): readonly SettledPlacing[] {
  const sorted = [...placings].sort((a, b) => a.position - b.position || a.number - b.number);
  return sorted.map(({ position, number, name }) => {
    const now = prices.get(number);
    // A price once settled is not lost because the book has taken its prices down since.
    const was = before.find((placing) => placing.number === number);
    return {
      position,
      number,
      name: name ?? now?.name ?? null,
      win_price: was?.win_price ?? now?.win ?? null,
      place_price: was?.place_price ?? now?.place ?? null,
    };
  });
}

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
