// A book's market of one match as prices of its two sides. A market that cannot be read with certainty is left out with
// a counted reason; no price and no point is repaired.
import { asPrice } from '../prices/price';
import { isStronger } from './identity/names/likeness';
import { likenessOf } from './identity/names/same-side';
import { SEEDED_NAMES } from './identity/names/seeded';
import { type Side as NamedSide, sideOf } from './identity/team-names';
import type { MarketPrices, MatchMarket } from './sports';

export interface BookSelection {
  readonly name: string;
  /** Null or 0: not quoted. */
  readonly price: number | null;
  readonly point?: number | null;
}

export interface Names {
  readonly sportKey: string;
  readonly home: string;
  readonly away: string;
}

type Side = 'home' | 'draw' | 'away';

export interface ReadMarket {
  /** Null: the market was left out. Sides are the book's own. */
  readonly prices: MarketPrices | null;
  readonly dropped: readonly string[];
}

const DRAW = /^(?:the )?(?:draw|tie)$|^x$/i;

export function readMarket(market: MatchMarket, selections: readonly BookSelection[], names: Names): ReadMarket {
  const bySide = new Map<Side, BookSelection>();
  for (const one of selections) {
    const side = market === 'totals' ? sideOfTotal(one.name) : sideOfTeam(one.name, market, names);
    if (side === null) return leftOut(`${market}_unknown_selection`);
    if (bySide.has(side)) return leftOut(`${market}_repeated_selection`);
    bySide.set(side, one);
  }
  if (!bySide.has('home') || !bySide.has('away')) return leftOut(`${market}_missing_side`);
  const points = market === 'h2h' ? NO_POINTS : pointsOf(market, bySide.get('home')!.point, bySide.get('away')!.point);
  if (typeof points === 'string') return leftOut(points);
  const dropped: string[] = [];
  const read = (side: Side): number | null => {
    const { price = null } = bySide.get(side) ?? {};
    const good = asPrice(price);
    if (good === null && price) dropped.push(`${market}_not_a_price`);
    if (good === null || isOffered(good)) return good;
    dropped.push(`${market}_price_out_of_range`);
    return null;
  };
  const home = read('home');
  const draw = read('draw');
  const away = read('away');
  // A bet with a draw differs from one without: a suspended draw must not make one look like the other.
  if (bySide.has('draw') && draw === null && (home ?? away) !== null) return leftOut('h2h_draw_not_priced');
  return { prices: { home, draw, away, ...points }, dropped };
}

/** No book offers a price outside (D23, D66). */
const LEAST_PRICE = 1.01;
const MOST_PRICE = 1001;
const isOffered = (price: number): boolean => price >= LEAST_PRICE && price <= MOST_PRICE;

const leftOut = (reason: string): ReadMarket => ({ prices: null, dropped: [reason] });

const NO_POINTS = { homePoint: null, awayPoint: null };

function sideOfTotal(name: string): Side | null {
  const [, word] = /^\s*(over|under)\b/i.exec(name) ?? [];
  if (word === undefined) return null;
  return word.toLowerCase() === 'over' ? 'home' : 'away';
}

/** Every line of a match names the same two sides. */
const readNames = new WeakMap<Names, Map<string, NamedSide | null>>();

function sideNamed(name: string, match: Names): NamedSide | null {
  const known = readNames.get(match) ?? new Map<string, NamedSide | null>();
  readNames.set(match, known);
  if (!known.has(name)) known.set(name, sideOf(match.sportKey, name));
  return known.get(name)!;
}

/** A selection is named as the match names its team, or in another way that fits one side better than the other. */
function sideOfTeam(name: string, market: MatchMarket, match: Names): Side | null {
  if (market === 'h2h' && DRAW.test(name.trim())) return 'draw';
  const { sportKey, home, away } = match;
  const [one, ofHome, ofAway] = [name, home, away].map((each) => sideNamed(each, match));
  if (!one || !ofHome || !ofAway) return null;
  const names = SEEDED_NAMES(sportKey);
  const likeHome = likenessOf(sportKey, one, ofHome, names);
  const likeAway = likenessOf(sportKey, one, ofAway, names);
  if (likeHome === likeAway && likeHome !== 'same') return null;
  if (likeHome === 'same') return 'home';
  return isStronger(likeHome, likeAway) ? 'home' : 'away';
}

function pointsOf(market: MatchMarket, home: number | null | undefined, away: number | null | undefined) {
  if (home == null || away == null) return `${market}_missing_point`;
  if (market === 'totals' ? home !== away : home !== -away) return `${market}_points_differ`;
  // -0 is the same line as 0.
  return { homePoint: home + 0, awayPoint: away + 0 };
}

/** The same prices with the sides exchanged, for a book that lists the teams the other way round. */
export const swapped = ({ home, draw, away, homePoint, awayPoint }: MarketPrices): MarketPrices => ({
  home: away,
  draw,
  away: home,
  homePoint: awayPoint,
  awayPoint: homePoint,
});
