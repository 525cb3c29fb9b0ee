// Compares a book's push of matches with what is served from it, from the push as sent: it shares no code with the
// mapper of pushes (`domain/sports/read-market.ts`). The names in the push alone decide which side is which.
import { asPrice } from '../../prices/price';
import { MARKETS, type MatchMarket, type OfferedMarket } from '../../sports/sports';
import { valuesAt } from './path';

/** The served prices of one match of the book, with the book's own names of its sides. */
export interface ServedMatch {
  readonly homeName: string;
  readonly awayName: string;
  readonly sportKey: string;
  readonly markets: readonly {
    readonly market: OfferedMarket;
    readonly home: number | null;
    readonly draw: number | null;
    readonly away: number | null;
    readonly homePoint: number | null;
    readonly awayPoint: number | null;
  }[];
}

/** One served price and the pushed price for the same side and point; null if there is none. */
export interface MatchCell {
  readonly market: MatchMarket;
  readonly selection: string;
  readonly api: number | null;
  readonly source: number | null;
}

const SIDES = ['home', 'draw', 'away'] as const;
type Side = (typeof SIDES)[number];

interface Offer {
  readonly name: string;
  readonly price: number | null;
  readonly point: number | null;
}

/**
 * Every served price, and every head-to-head price that was pushed and is not served. Null if the push has no such
 * match, or several.
 */
export function compareMatch(push: unknown, served: ServedMatch): readonly MatchCell[] | null {
  const events = at('/events', push).filter((event) => isOf(event, served));
  if (events.length !== 1) return null;
  return MARKETS.flatMap((market) => {
    const offers = offersOf(events[0], market);
    const own = served.markets.find((one) => one.market === market);
    const sides = sidesOf(offers, market, served);
    return sides === null
      ? []
      : SIDES.flatMap((side) => cellOf(market, side, own ?? null, offersOn(side, offers, sides), served));
  });
}

type ServedMarket = ServedMatch['markets'][number];

function cellOf(
  market: MatchMarket,
  side: Side,
  own: ServedMarket | null,
  { offers, isWhole }: { readonly offers: readonly Offer[]; readonly isWhole: boolean },
  served: ServedMatch,
): readonly MatchCell[] {
  const price = own?.[side] ?? null;
  const point = market === 'h2h' || !own ? null : side === 'home' ? own.homePoint : own.awayPoint;
  const same = offers.filter((offer) => point === null || offer.point === point);
  const source = same.find((offer) => offer.price === price)?.price ?? same[0]?.price ?? null;
  if (price === null && (market !== 'h2h' || source === null || !isWhole)) return [];
  const selection = `${nameOf(side, market, served)}${point === null ? '' : ` ${point}`}`;
  return [{ market, selection, api: price, source }];
}

/**
 * The offers of one side; `isWhole`: no rule drops such a market, because both sides and, if it is listed, the draw
 * have one price each.
 */
function offersOn(side: Side, offers: readonly Offer[], sides: ReadonlyMap<string, Side>) {
  const of = (one: Side): readonly Offer[] => offers.filter(({ name }) => sides.get(name) === one);
  const isWhole = offers.every(({ price }) => price !== null) && of('home').length === 1 && of('away').length === 1;
  return { offers: of(side), isWhole: isWhole && of('draw').length <= 1 };
}

const at = (path: string, body: unknown): readonly unknown[] =>
  valuesAt(path, { bodies: [body], row: body, variables: new Map() });
const textAt = (path: string, row: unknown): string => String(at(path, row)[0] ?? '');

function isOf(event: unknown, { homeName, awayName, sportKey }: ServedMatch): boolean {
  const names = [textAt('home_team', event), textAt('away_team', event)].sort();
  const own = [homeName, awayName].sort();
  return textAt('sport_key', event) === sportKey && names[0] === own[0] && names[1] === own[1];
}

/** If a market is listed twice, the first counts. */
function offersOf(event: unknown, market: MatchMarket): readonly Offer[] {
  const first = at('markets', event).find((one) => (textAt('market_type', one) || 'h2h') === market);
  return at('selections', first).map((row) => {
    const [price, point] = [at('price', row)[0], at('point', row)[0]];
    return { name: textAt('name', row), price: asPrice(price), point: typeof point === 'number' ? point + 0 : null };
  });
}

const folded = (name: string): string => name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
const DRAW = /^(the)?(draw|tie|x)$/;

/** The side of each name. One team may have another spelling; null if two names belong to no known side. */
function sidesOf(
  offers: readonly Offer[],
  market: MatchMarket,
  { homeName, awayName }: ServedMatch,
): ReadonlyMap<string, Side> | null {
  const known: readonly (readonly [Side, (name: string) => boolean])[] =
    market === 'totals'
      ? [
          ['home', (name) => name.startsWith('over')],
          ['away', (name) => name.startsWith('under')],
        ]
      : [
          ['draw', (name) => DRAW.test(name)],
          ['home', (name) => name === folded(homeName)],
          ['away', (name) => name === folded(awayName)],
        ];
  const sides = new Map<string, Side>();
  const others = new Set<string>();
  for (const { name } of offers) {
    const found = known.find(([, is]) => is(folded(name)));
    if (found) sides.set(name, found[0]);
    else others.add(name);
  }
  if (others.size === 0) return sides;
  const open = (['home', 'away'] as const).filter((side) => ![...sides.values()].includes(side));
  if (others.size > 1 || open.length !== 1) return null;
  return sides.set([...others][0]!, open[0]!);
}

const nameOf = (side: Side, market: MatchMarket, { homeName, awayName }: ServedMatch): string => {
  if (market === 'totals') return side === 'home' ? 'Over' : 'Under';
  if (side === 'draw') return 'Draw';
  return side === 'home' ? homeName : awayName;
};
