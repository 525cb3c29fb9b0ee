// Maps TABtouch's race page, pure. Names and win prices come from the rendered table. The model has no names; it only
// adds the place price to a runner whose win price identifies its starter. A page whose betting is closed, or not
// provably open, must never be priced: it shows deductions in place of prices.

import { asPrice } from '../../domain/prices/price';
import type { BookRunner, BookSnapshot } from '../../domain/race/feed-race';
import { NO_DETAILS, NO_FACTS } from '../../domain/race/not-reported';
import type { MarketStatus } from '../../domain/race/race';
import { countDrops, type Drops } from '../reading/drops';
import { openPage, type Page } from '../reading/html';
import { winAndPlace } from '../reading/legs';
import { asRow, countOf, listOf, rowOf } from '../reading/read';
import { readNamedRunners } from '../reading/runners';
import type { Mapped } from '../transport/reply';
import { embeddedModel } from './model';
import { TABTOUCH_HOOKS } from './payload';
import { racePath, type TabTouchRaceId, tabTouchRaceId } from './race-id';

const SITE = 'https://www.tabtouch.com.au';

/** Null if it is not a race page, belongs to another race, or is open without runners. */
export function mapRacePage(html: unknown, id: TabTouchRaceId): Mapped<BookSnapshot> | null {
  if (typeof html !== 'string') return null;
  const page = openPage(html);
  const starters = startersOf(page, id.raceNumber);
  if (!starters) return null;
  const drops = countDrops();
  const marketStatus = marketStatusOf(page, drops);
  const rows = marketStatus === 'OPEN' ? rowsOf(page, drops) : [];
  if (marketStatus === 'OPEN' && rows.length === 0) return null;
  const value: BookSnapshot = {
    sourceRaceId: tabTouchRaceId(id),
    startTime: null,
    facts: NO_FACTS,
    marketStatus,
    inPlay: null,
    runners: runnersOf(rows, placesOf(rows, starters, drops), drops),
    result: null,
    sourceUrl: `${SITE}${racePath(id)}`,
  };
  return { value, bookAt: null, dropped: drops.counts() };
}

/** The model's starters of this race, which prove that the page belongs to it. */
function startersOf(page: Page, raceNumber: number): readonly unknown[] | null {
  for (const script of page('script').toArray()) {
    const model = asRow(embeddedModel(page(script).text()));
    const legs = listOf(rowOf(model?.pool).legs).map(rowOf);
    const leg = legs.find((each) => countOf(each.raceNumber) === raceNumber);
    if (leg) return listOf(leg.starters);
  }
  return null;
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

/** An open page has `Dividends as at`; a page without it is not read as open. */
function marketStatusOf(page: Page, drops: Drops): MarketStatus | null {
  const text = oneLine(page(TABTOUCH_HOOKS.state).text());
  if (/betting closed|dividends official/i.test(text)) return 'CLOSED';
  if (text !== '') return 'OPEN';
  drops.add('market_state_missing');
  return null;
}

interface PageRow {
  readonly name: string;
  /** As shown; null means no price. */
  readonly win: unknown;
}

function rowsOf(page: Page, drops: Drops): PageRow[] {
  return page(TABTOUCH_HOOKS.name)
    .toArray()
    .map((cell) => {
      const name = oneLine(page(cell).text());
      const row = page(cell).closest('tr');
      const prices = row.find(TABTOUCH_HOOKS.win).toArray();
      if (prices.length > 1) drops.add('win_ambiguous');
      // A scratched row has a deduction in place of the price (September 2026, on resulted pages).
      const scratched = oneLine(row.text()).replace(name, '').includes('Scratched');
      return { name, win: prices.length === 1 && !scratched ? priceIn(page(prices[0]).text()) : null };
    });
}

/** The favourite's label precedes its price without a space; `-` means no price. */
function priceIn(text: string): unknown {
  const shown = text
    .trim()
    .replace(/^Favourite/, '')
    .trim();
  if (shown === '' || shown === '-') return null;
  return Number.isNaN(Number(shown)) ? shown : Number(shown);
}

/**
 * Place prices by win price, only if certain: table and model have the same win prices equally often, and all starters
 * at a win price have the same place price. Empty if they disagree, because the model's unit is undocumented and its
 * starters have no known name.
 */
function placesOf(rows: readonly PageRow[], starters: readonly unknown[], drops: Drops): ReadonlyMap<number, unknown> {
  if (rows.length === 0) return new Map();
  const priced = starters.map(rowOf).filter((starter) => asPrice(starter.fixedWinDiv) !== null);
  const wins = (prices: readonly unknown[]): string =>
    prices
      .map(asPrice)
      .filter((price) => price !== null)
      .sort((a, b) => a - b)
      .join();
  if (wins(rows.map((row) => row.win)) !== wins(priced.map((starter) => starter.fixedWinDiv))) {
    drops.add('place_not_aligned');
    return new Map();
  }
  const places = new Map<number, Set<number | null>>();
  for (const { fixedWinDiv, fixedPlaceDiv } of priced) {
    const win = asPrice(fixedWinDiv)!;
    places.set(win, (places.get(win) ?? new Set()).add(asPrice(fixedPlaceDiv)));
  }
  return new Map([...places].flatMap(([win, at]) => (at.size === 1 ? [[win, [...at][0]]] : [])));
}

function runnersOf(rows: readonly PageRow[], places: ReadonlyMap<number, unknown>, drops: Drops): BookRunner[] {
  return readNamedRunners(
    rows,
    'name',
    ({ win }, name) => {
      const price = asPrice(win);
      const place = price === null ? null : places.get(price);
      return { ...NO_DETAILS, number: null, name, scratching: null, ...winAndPlace(win, place, false, drops) };
    },
    drops,
  );
}
