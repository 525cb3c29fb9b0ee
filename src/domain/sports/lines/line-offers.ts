// The lines that the books of a match offer in a market, main ones and alternates, and which of them are suspect.
import { isStaleAt, type PricedMatch, seenOf } from '../match';
import { isUnderRound } from '../quality';
import { type LineMarket, lineMarketOf, sportOf } from '../sports';
import { chancesOf, contradict, movedBy } from '../trust/chances';
import { type LineRule, type Offer, type SuspectReason, type Suspects, suspectsOf } from '../trust/suspect';

export interface LineOffer extends Offer {
  /** Of the home side, or the total. */
  readonly point: number;
  readonly isMain: boolean;
  /** Of the home side, or of Over, at its own line: 0 to 1. */
  readonly chance: number;
}

export const lineRuleOf = (sportKey: string, market: LineMarket): LineRule => ({
  scale: sportOf(sportKey)!.scale[market],
  sign: market === 'totals' ? -1 : 1,
});

export const lineOffersOf = ({ books }: PricedMatch, market: LineMarket): readonly LineOffer[] =>
  books.flatMap((book) =>
    book.markets.flatMap((prices): LineOffer[] => {
      if (lineMarketOf(prices.market) !== market) return [];
      const { home } = chancesOf(prices);
      return home === null
        ? []
        : [{ book, prices, point: prices.homePoint!, isMain: prices.market === market, chance: home }];
    }),
  );

/**
 * An alternate may be this far from where the book's main line puts it: books do not bend their lines as a logistic
 * does.
 */
const FAR_FROM_OWN_LINE = 0.25;

/**
 * Main lines are compared over books wherever they stand, alternates with the book's own main line and with the same
 * line of other books. If a book's main line is suspect, so are its others: they are made from it.
 */
export function suspectLines(offers: readonly LineOffer[], rule: LineRule, nowMs: number): Suspects {
  const mains = new Map(offers.flatMap((one) => (one.isMain ? [[one.book, one] as const] : [])));
  const suspects = suspectsOf([...mains.values()], nowMs, rule);
  const alternates = offers.filter(({ isMain }) => !isMain);
  for (const one of alternates) {
    const main = mains.get(one.book);
    const own = main && (suspects.get(main.prices) ?? (isFarFromMain(one, main, rule) ? 'far_from_own_line' : null));
    const reason: SuspectReason | null = own ?? (isUnderRound(one.prices) ? 'under_round' : null);
    if (reason) suspects.set(one.prices, reason);
  }
  const sound = offers.filter(({ prices }) => !suspects.has(prices));
  const atPoint = new Map<number, LineOffer[]>();
  for (const one of sound) atPoint.set(one.point, [...(atPoint.get(one.point) ?? []), one]);
  for (const [one, reason] of [...atPoint.values()].flatMap((same) => outvotedAt(same, nowMs)))
    suspects.set(one.prices, reason);
  return suspects;
}

const isFarFromMain = (one: LineOffer, main: LineOffer, { scale, sign }: LineRule): boolean =>
  Math.abs(movedBy(main.chance, sign * (one.point - main.point), scale) - one.chance) >= FAR_FROM_OWN_LINE;

/** Alternates that more of the same line's other fresh offers contradict than support. */
function outvotedAt(same: readonly LineOffer[], nowMs: number): (readonly [LineOffer, SuspectReason])[] {
  if (same.length < 2 || same.every(({ isMain }) => isMain)) return [];
  const judged = same.map((one) => ({
    one,
    chances: chancesOf(one.prices),
    isFresh: !isStaleAt(seenOf(one.book, one.prices), nowMs),
  }));
  return judged.flatMap(({ one, chances }) => {
    const others = judged.filter(({ one: other, isFresh }) => isFresh && other.book !== one.book);
    const against = others.filter((other) => contradict(chances, other.chances));
    return one.isMain || against.length * 2 <= others.length ? [] : [[one, 'far_from_others'] as const];
  });
}
