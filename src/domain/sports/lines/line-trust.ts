// Whether two sides of lines are what they seem: their books do not contradict each other, and they return no more than
// books of one match ever do.
import type { Arb } from '../arbitrage';
import { ageOf, isStaleAt, type PricedBook, type PricedMatch, seenOf } from '../match';
import type { LineMarket } from '../sports';
import { FAR_APART, isFarApart, movedBy } from '../trust/chances';
import { type Confidence, confidenceOf } from '../trust/confidence';
import { distanceFrom, mostProfitPct } from '../trust/plausible';
import type { LineRule, SuspectReason, Suspects } from '../trust/suspect';
import { type LineOffer, lineRuleOf } from './line-offers';

interface Compared {
  readonly match: PricedMatch;
  readonly market: LineMarket;
  readonly offers: readonly LineOffer[];
  readonly suspects: Suspects;
  readonly nowMs: number;
}

/** The chance of an offer's home side at another line. */
const chanceAt = ({ chance, point }: LineOffer, at: number, { scale, sign }: LineRule): number =>
  movedBy(chance, sign * (at - point), scale);

/** `one`: of the home side or Over; `other`: of the other side. Null: nothing speaks against the pair. */
export function refusalOf(
  one: LineOffer,
  other: LineOffer,
  arb: Arb | null,
  { match, market, ...compared }: Compared,
): SuspectReason | null {
  const chance = chanceAt(one, other.point, lineRuleOf(match.sportKey, market));
  // The long shots of a line far away are no exact science: only an arb makes them one.
  if (arb === null) return Math.abs(chance - other.chance) >= FAR_APART ? 'far_from_others' : null;
  const isTooMuch = arb.profitPct > mostProfitPct(soundByBook(compared).size);
  return isTooMuch || isFarApart(chance, other.chance) ? 'implausible_profit' : null;
}

/** Of each book its main line first. */
function soundByBook({ offers, suspects, nowMs }: Pick<Compared, 'offers' | 'suspects' | 'nowMs'>) {
  const sound = new Map<PricedBook, LineOffer[]>();
  for (const one of offers)
    if (!suspects.has(one.prices) && !isStaleAt(seenOf(one.book, one.prices), nowMs))
      sound.set(one.book, one.isMain ? [one, ...(sound.get(one.book) ?? [])] : [...(sound.get(one.book) ?? []), one]);
  return sound;
}

interface Leg {
  readonly offer: LineOffer;
}

/** The distance of each leg is from the same line of the other books, or where their main lines put it. */
export function trustIn(one: Leg, other: Leg, compared: Compared): Confidence {
  const { match, market, nowMs } = compared;
  const rule = lineRuleOf(match.sportKey, market);
  const sound = soundByBook(compared);
  const legs = [one, other].map(({ offer }) => {
    const { book, prices, point } = offer;
    const others = [...sound].flatMap(([key, lines]) =>
      key === book ? [] : [chanceAt(lines.find((line) => line.point === point) ?? lines[0]!, point, rule)],
    );
    return {
      bookmaker: book.bookmaker,
      ageSeconds: ageOf(seenOf(book, prices), nowMs),
      distance: distanceFrom(offer.chance, others),
      moves: book.moves ?? { offered: 0, moved: 0 },
    };
  });
  return confidenceOf(sound.size, legs);
}
