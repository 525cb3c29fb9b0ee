// Maps `listMarketCatalogue`, pure: markets, the race of each, and the runner behind each selection.
// A race with a WIN and a PLACE market takes the WIN market's id. Its PLACE market is the one of the same meeting with
// the same selections: that market has no race number, and its start differs from the WIN market's (by 11 to 18 s in
// the files of Devonport, 1 March 2022).

import type { BookListing } from '../../domain/race/feed-race';
import type { Instant } from '../../domain/race/race';
import { aetDay } from '../../domain/time/aet';
import type { Dropped } from '../feed';
import { countryOfAlpha2 } from '../reading/country';
import { countDrops, type Drops } from '../reading/drops';
import {
  asRow,
  countOf,
  idOf,
  instantOf,
  type JsonObject,
  listOf,
  numberOf,
  rowOf,
  serialOf,
  textOf,
} from '../reading/read';
import { categoryOf, raceNameOf, runnerNameOf } from './names';

export interface CatalogueRunner {
  readonly selectionId: number;
  readonly number: number | null;
  readonly name: string;
  readonly barrier: number | null;
  readonly jockey: string | null;
  readonly trainer: string | null;
  readonly form: string | null;
}

export interface CatalogueMarket {
  readonly marketId: string;
  readonly eventId: string | null;
  readonly marketType: string;
  readonly startTime: Instant | null;
  readonly runners: readonly CatalogueRunner[];
  /** Runners that could not be read, by reason. */
  readonly dropped: Dropped;
  readonly row: JsonObject;
}

export interface Catalogue {
  readonly markets: readonly CatalogueMarket[];
  readonly dropped: Dropped;
  /** Rows in the reply. If the page is full, the list may be truncated. */
  readonly rows: number;
}

/** A REST reply is the list itself; a JSON-RPC reply has it in `result`. */
export function resultOf(body: unknown): readonly unknown[] | null {
  const list = Array.isArray(body) ? body : asRow(body)?.result;
  return Array.isArray(list) ? list : null;
}

export function mapCatalogue(body: unknown): Catalogue | null {
  const rows = resultOf(body);
  if (!rows) return null;
  const drops = countDrops();
  const markets = rows.flatMap((raw) => {
    const row = asRow(raw);
    const market = row && marketOf(row);
    if (!row) drops.add('race_unreadable');
    else if (!market) drops.add('market_unreadable');
    return market ? [market] : [];
  });
  return { markets, dropped: drops.counts(), rows: rows.length };
}

function marketOf(row: JsonObject): CatalogueMarket | null {
  const marketId = idOf(row.marketId);
  const marketType = textOf(rowOf(row.description).marketType);
  if (!marketId || !marketType) return null;
  const drops = countDrops();
  const runners = runnersOf(listOf(row.runners), drops);
  const eventId = idOf(rowOf(row.event).id);
  const startTime = instantOf(row.marketStartTime);
  return { marketId, eventId, marketType, startTime, runners, dropped: drops.counts(), row };
}

function runnersOf(rows: readonly unknown[], drops: Drops): CatalogueRunner[] {
  const numbers = new Set<number>();
  return rows.flatMap((raw) => {
    const row = asRow(raw);
    const selectionId = row && serialOf(row.selectionId);
    const { number, name, badNumber } = runnerNameOf(row?.runnerName);
    if (!row || !selectionId) drops.add('runner_unreadable');
    else if (badNumber) drops.add('runner_number_unreadable');
    else if (!name) drops.add('runner_name_missing');
    else if (number !== null && numbers.has(number)) drops.add('runner_number_repeated');
    else {
      if (number !== null) numbers.add(number);
      return [{ selectionId, number, name, ...detailsOf(rowOf(row.metadata)) }];
    }
    return [];
  });
}

/** Weights are not read: the values of `WEIGHT_UNITS` are undocumented. */
const detailsOf = (metadata: JsonObject) => ({
  barrier: countOf(metadata.STALL_DRAW),
  jockey: textOf(metadata.JOCKEY_NAME),
  trainer: textOf(metadata.TRAINER_NAME),
  form: textOf(metadata.FORM),
});

/** The races of a list: its WIN markets. Rows that cannot be placed are counted. */
export function listingsOf(markets: readonly CatalogueMarket[], drops: Drops): BookListing[] {
  return markets.filter((market) => market.marketType === 'WIN').flatMap((market) => listingOf(market, drops));
}

function listingOf({ marketId, startTime, row }: CatalogueMarket, drops: Drops): BookListing[] {
  const event = rowOf(row.event);
  const name = raceNameOf(row.marketName);
  const category = categoryOf(idOf(rowOf(row.eventType).id), name?.raceClass ?? null);
  const venue = textOf(event.venue);
  if (!name) drops.add('race_name_unreadable');
  else if (!category) drops.add('race_code_unknown');
  else if (!venue) drops.add('venue_missing');
  else if (!startTime) drops.add('start_unreadable');
  else {
    const country = countryOfAlpha2(textOf(event.countryCode));
    if (country === null) drops.add('country_unknown');
    const meetingDate = aetDay(Date.parse(instantOf(event.openDate) ?? startTime));
    const { raceNumber, distanceM } = name;
    const absent = { raceName: null, trackCondition: null, weather: null };
    const where = { sourceRaceId: marketId, category, venue, country, meetingDate };
    return [{ ...where, raceNumber, startTime, distanceM, ...absent }];
  }
  return [];
}

/** The PLACE market of a WIN market; null if there is none, or more than one candidate. */
export function placeMarketOf(win: CatalogueMarket, markets: readonly CatalogueMarket[]): CatalogueMarket | null {
  const selections = selectionsOf(win);
  const found = markets.filter(
    (each) => each.marketType === 'PLACE' && each.eventId === win.eventId && selectionsOf(each) === selections,
  );
  return selections !== '' && found.length === 1 ? found[0]! : null;
}

/** Every selection of the market, including those whose names are unreadable. */
const selectionsOf = ({ row }: CatalogueMarket): string =>
  listOf(row.runners)
    .map((runner) => numberOf(rowOf(runner).selectionId) ?? 0)
    .sort((a, b) => a - b)
    .join();
