// Maps one Dabble race, pure: three tables joined by id, runners identified by name alone.
// `RacingSrmWin` is the win as a leg of a same-race multi, not a fixed win price, so it is not read. The order of the
// legs is the domain's rule (D22).

import type { Legs } from '../../domain/prices/price';
import type { BookRunner, BookSnapshot } from '../../domain/race/feed-race';
import { NO_DETAILS, NO_FACTS, OUT } from '../../domain/race/not-reported';
import type { MarketStatus } from '../../domain/race/race';
import { type Batch, batchOf } from '../bulk';
import { countDrops, type Drops } from '../reading/drops';
import { allLegs } from '../reading/legs';
import { asRow, idOf, type JsonObject, listOf, rowOf, textOf } from '../reading/read';
import { readNamedRunners } from '../reading/runners';
import type { Mapped } from '../transport/reply';
import { dabbleRaceId } from './race-id';

type Leg = keyof Legs;

const LEGS: ReadonlyMap<unknown, Leg> = new Map<unknown, Leg>([
  ['RacingFixedWin', 'win'],
  ['RacingFixedPlace', 'place'],
  ['RacingSrmTop2', 'top2'],
  ['RacingSrmTop3', 'top3'],
  ['RacingSrmTop4', 'top4'],
]);

/** A whole meeting, by our race ids; of its races those that are `wanted`. */
export function mapFixtures(payload: unknown, competition: string, wanted?: ReadonlySet<string>): Batch | null {
  const { data } = rowOf(payload);
  if (!Array.isArray(data)) return null;
  return batchOf(data, (row) => idIn(row, competition), mapFixture, wanted);
}

function idIn(row: unknown, competition: string): string | null {
  const fixture = idOf(asRow(row)?.id);
  return fixture && dabbleRaceId({ competition, fixture });
}

/** The details of one race. Null if they are not as documented, or belong to another race. */
export function mapDetails(payload: unknown, competition: string, sourceRaceId: string): Mapped<BookSnapshot> | null {
  const detail = rowOf(payload).sportFixtureDetail;
  return idIn(detail, competition) === sourceRaceId ? mapFixture(detail, sourceRaceId) : null;
}

/** Reads the fixture of either call. No start: the details have none, and both calls must give the same race. */
function mapFixture(fixture: unknown, sourceRaceId: string): Mapped<BookSnapshot> | null {
  const { markets, selections, prices, status } = rowOf(fixture);
  if (!Array.isArray(markets) || !Array.isArray(selections) || !Array.isArray(prices)) return null;
  const drops = countDrops();
  const value: BookSnapshot = {
    sourceRaceId,
    startTime: null,
    facts: NO_FACTS,
    marketStatus: marketStatusOf(textOf(status)),
    inPlay: null,
    runners: runnersOf(selections, quotesOf(markets, prices), drops),
    result: null,
    sourceUrl: null,
  };
  return { value, bookAt: null, dropped: drops.counts() };
}

/** Anything but `Open` is read as closed: a price wrongly hidden does less harm than one wrongly offered. */
function marketStatusOf(status: string | null): MarketStatus | null {
  if (status === null) return null;
  return status === 'Open' ? 'OPEN' : 'CLOSED';
}

interface Quote {
  /** Null if the market is not one of our legs. */
  readonly leg: Leg | null;
  readonly price: unknown;
}

/** By selection id. */
function quotesOf(markets: readonly unknown[], prices: readonly unknown[]): ReadonlyMap<string, readonly Quote[]> {
  const legs = new Map(markets.map(rowOf).map((market) => [idOf(market.id), LEGS.get(market.resultingType) ?? null]));
  const quotes = new Map<string, Quote[]>();
  for (const { marketId, selectionId, price } of prices.map(rowOf)) {
    const selection = idOf(selectionId) ?? '';
    const quote = { leg: legs.get(idOf(marketId)) ?? null, price };
    const own = quotes.get(selection);
    if (own) own.push(quote);
    else quotes.set(selection, [quote]);
  }
  return quotes;
}

function runnersOf(
  selections: readonly unknown[],
  quotes: ReadonlyMap<string, readonly Quote[]>,
  drops: Drops,
): BookRunner[] {
  return readNamedRunners(namedRows(selections, quotes), 'name', (row, name) => runnerOf(row, name, drops), drops);
}

/**
 * A runner's selections by name, whether it has one per market or one for all. Selections only in other markets are not
 * runners.
 */
function namedRows(selections: readonly unknown[], quotes: ReadonlyMap<string, readonly Quote[]>): readonly unknown[] {
  const named = new Map<string, { name: unknown; out: boolean; quotes: Quote[] }>();
  const unreadable = selections.filter((raw) => rowOf(raw).id === undefined).map(() => null);
  for (const row of selections.map(rowOf)) {
    const own = quotes.get(idOf(row.id) ?? '') ?? [];
    const elsewhere = own.length > 0 && own.every(({ leg }) => leg === null);
    if (row.id === undefined || row.isDisplayed === false || elsewhere) continue;
    const name = textOf(row.name) ?? '';
    const found = named.get(name) ?? { name, out: false, quotes: [] };
    named.set(name, { ...found, out: found.out || row.isScratched === true, quotes: [...found.quotes, ...own] });
  }
  return [...named.values(), ...unreadable];
}

function runnerOf(row: JsonObject, name: string, drops: Drops): BookRunner {
  const out = row.out === true;
  const quotes = out ? [] : (listOf(row.quotes) as readonly Quote[]);
  const priceOf = (leg: Leg): unknown => onlyPrice(leg, quotes, drops);
  const raw = {
    win: priceOf('win'),
    place: priceOf('place'),
    top2: priceOf('top2'),
    top3: priceOf('top3'),
    top4: priceOf('top4'),
  };
  return { ...NO_DETAILS, number: null, name, scratching: out ? OUT : null, ...allLegs(raw, out, drops) };
}

/** Two prices for the same leg and name mean two runners or a fault: neither is used. */
function onlyPrice(leg: Leg, quotes: readonly Quote[], drops: Drops): unknown {
  let only: Quote | null = null;
  for (const quote of quotes) {
    if (quote.leg !== leg) continue;
    if (only !== null && only.price !== quote.price) {
      drops.add(`${leg}_repeated`);
      return null;
    }
    only = quote;
  }
  return only === null ? null : only.price;
}
