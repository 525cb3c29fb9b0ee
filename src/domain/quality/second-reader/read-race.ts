// Reads one race out of a book's raw reply by the book's table: the reading that an audit compares with the served
// prices. It shares no code with the mappers of `src/feeds`, so that a mapper that reads a field wrongly does not agree
// with itself. Only the rule of what counts as a price is shared (D22, `cleanLegs`).
import { asPrice, cleanLegs } from '../../prices/price';
import type { Category } from '../../race/race';
import { isVacantBox } from '../../race/runner';
import { AUDITED_MARKETS, type AuditedMarket } from '../markets';
import type { BookTable, Condition, PriceAt } from './book-table';
import { rowsOfPage } from './page';
import { isAnyAt, type JsonPlace, valuesAt } from './path';
import { BOOK_TABLES, PUSHED_TABLE } from './tables';

type MarketPrice = Readonly<Record<AuditedMarket, number | null>>;

export interface ReadRunner {
  /** Null: the book gives no number, and the runner is joined by name. */
  readonly number: number | null;
  readonly name: string;
  readonly out: boolean;
  readonly prices: MarketPrice;
}

const NO_PRICES = Object.fromEntries(AUDITED_MARKETS.map((market) => [market, null])) as MarketPrice;

/**
 * The runners of a race with their decimal prices, in the order of the reply.
 *
 * @param texts the bodies of the reply as they came, decoded
 * @returns null if no runner can be found in them
 */
export function readRace(
  bookmakerKey: string,
  category: Category,
  texts: readonly string[],
): readonly ReadRunner[] | null {
  const table = BOOK_TABLES[bookmakerKey];
  return table
    ? readBy(
        table,
        category,
        texts.flatMap((text) => bodyOf(table, text)),
      )
    : null;
}

/** One race of a push, as it was sent. */
export const readPushedRace = (body: unknown, sourceRaceId: string): readonly ReadRunner[] | null =>
  readBy(PUSHED_TABLE, 'horse', [body], [['race', [sourceRaceId]]]);

function readBy(
  table: BookTable,
  category: Category,
  bodies: readonly unknown[],
  given: Iterable<readonly [string, readonly unknown[]]> = [],
): readonly ReadRunner[] | null {
  const at = (row: unknown, variables: JsonPlace['variables'] = new Map(given)): JsonPlace => ({
    bodies,
    row,
    variables,
  });
  const listed = variablesOf(table, at(null));
  const rows = table.runners.map((path) => valuesAt(path, at(null, listed))).find((found) => found.length > 0) ?? [];
  const read = rows.flatMap((row) => runnerOf(table, category, at(row, variablesOf(table, at(row)))) ?? []);
  const runners = table.oneByName ? oneByName(read) : firstByNumber(read);
  return runners.length === 0 ? null : runners.map(priced);
}

/** The audited markets of the book that this reader can read. */
export const marketsRead = (bookmakerKey: string): readonly AuditedMarket[] =>
  AUDITED_MARKETS.filter((market) => !BOOK_TABLES[bookmakerKey]?.unread?.includes(market));

function bodyOf({ body }: BookTable, text: string): readonly unknown[] {
  if (body === 'page') return [{ rows: rowsOfPage(text) }];
  try {
    return [JSON.parse(text)];
  } catch {
    return [];
  }
}

function variablesOf({ variables = {} }: BookTable, place: JsonPlace): JsonPlace['variables'] {
  const known = new Map(place.variables);
  for (const [name, path] of Object.entries(variables)) known.set(name, valuesAt(path, { ...place, variables: known }));
  return known;
}

interface RawRunner extends Omit<ReadRunner, 'prices'> {
  readonly raw: Readonly<Record<AuditedMarket, unknown>>;
}

function runnerOf(table: BookTable, category: Category, place: JsonPlace): RawRunner | null {
  const [name] = valuesAt(table.name, place);
  const isNumbered = table.number.length > 0 && (table.numberedIn?.includes(category) ?? true);
  const number = isNumbered ? numberOf(table.number.flatMap((path) => valuesAt(path, place))[0]) : null;
  if (typeof name !== 'string' || name.trim() === '' || (isNumbered && number === null && !table.numberOptional))
    return null;
  if (holdsAny(table.skipped, place)) return null;
  const out = holdsAny(table.out, place) || isVacantBox(name);
  const unpriced = holdsAny(table.unpriced, place);
  const rawOf = (market: AuditedMarket): unknown => {
    if (out || (unpriced && market !== 'tote_win') || holdsAny(table.notOffered?.[market], place)) return null;
    return rawPrice(table.prices[market] ?? [], place);
  };
  const raw = Object.fromEntries(AUDITED_MARKETS.map((market) => [market, rawOf(market)])) as RawRunner['raw'];
  return { number, name: name.trim(), out, raw };
}

const holdsAny = (conditions: readonly Condition[] | undefined, place: JsonPlace): boolean =>
  conditions?.some((one) => (typeof one === 'string' ? [one] : one).every((path) => isAnyAt(path, place))) ?? false;

/** Two prices for one market mean two runners or a fault: neither counts. */
function rawPrice(paths: readonly PriceAt[], place: JsonPlace): unknown {
  for (const path of paths) {
    const found = typeof path === 'string' ? new Set(valuesAt(path, place)) : new Set(fractionAt(path, place));
    if (found.size > 0) return found.size === 1 ? [...found][0] : null;
  }
  return null;
}

function fractionAt({ numerator, denominator }: Exclude<PriceAt, string>, place: JsonPlace): readonly number[] {
  const [above, below] = [numerator, denominator].map((path) => Number(valuesAt(path, place)[0] ?? Number.NaN));
  return below! > 0 && Number.isFinite(above) ? [Math.round((1 + above! / below!) * 100) / 100] : [];
}

function numberOf(value: unknown): number | null {
  const number = typeof value === 'number' || typeof value === 'string' ? Number(value) : Number.NaN;
  return Number.isInteger(number) && number > 0 ? number : null;
}

/** If a number is given twice, the first row has it. */
function firstByNumber(runners: readonly RawRunner[]): readonly RawRunner[] {
  const seen = new Set<number>();
  return runners.filter(({ number }) => {
    if (number === null) return true;
    const isFirst = !seen.has(number);
    seen.add(number);
    return isFirst;
  });
}

function oneByName(runners: readonly RawRunner[]): readonly RawRunner[] {
  const named = new Map<string, RawRunner[]>();
  for (const one of runners) named.set(one.name, [...(named.get(one.name) ?? []), one]);
  return [...named.values()].map((rows) => {
    const out = rows.some((row) => row.out);
    const only = (market: AuditedMarket): unknown => {
      const found = new Set(rows.flatMap(({ raw }) => (raw[market] == null ? [] : [raw[market]])));
      return !out && found.size === 1 ? [...found][0] : null;
    };
    const raw = Object.fromEntries(AUDITED_MARKETS.map((market) => [market, only(market)])) as RawRunner['raw'];
    return { ...rows[0]!, out, raw };
  });
}

function priced({ number, name, out, raw }: RawRunner): ReadRunner {
  const { prices } = cleanLegs(raw);
  return { number, name, out, prices: out ? NO_PRICES : { ...prices, tote_win: asPrice(raw.tote_win) } };
}
