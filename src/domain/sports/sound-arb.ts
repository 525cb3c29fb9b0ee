// The best head-to-head arb of a match that is not a mistake. Its legs are at books that do not contradict each other,
// and it returns no more than books of one match ever do; otherwise the leg furthest from the other books is suspect,
// and the next best prices are tried.
import { type Arb, arbitrage } from './arbitrage';
import { ageOf, isStaleAt, seenOf } from './match';
import { type Chances, chancesOf, contradict, type Side } from './trust/chances';
import { type Confidence, confidenceOf } from './trust/confidence';
import { distanceFrom, mostProfitPct } from './trust/plausible';
import type { Offer, Suspects } from './trust/suspect';

interface ArbLeg {
  readonly side: Side;
  readonly price: number;
  readonly offer: Offer;
  readonly chances: Chances;
}

interface SoundArb {
  readonly arb: Arb;
  readonly legs: readonly ArbLeg[];
  readonly confidence: Confidence;
}

/** Adds to `suspects` the prices that only an arb shows to be wrong. */
export function soundArb(
  offers: readonly Offer[],
  sides: readonly Side[],
  suspects: Suspects,
  nowMs: number,
): SoundArb | null {
  for (;;) {
    const sound = offers.filter(({ book, prices }) => !suspects.has(prices) && !isStaleAt(seenOf(book, prices), nowMs));
    const legs = sides.flatMap((side) => bestLeg(sound, side));
    const arb = legs.length < sides.length ? null : arbitrage(legs.map(({ price }) => price));
    if (arb === null) return null;
    const distances = legs.map((leg) => distanceOf(leg, sound));
    if (arb.profitPct <= mostProfitPct(sound.length) && !legs.some((a) => legs.some((b) => isAgainst(a, b)))) {
      return { arb, legs, confidence: trusted(legs, distances, sound.length, nowMs) };
    }
    const furthest = Math.max(...distances);
    for (const [i, { offer }] of legs.entries())
      if (distances[i]! >= furthest - NOISE) suspects.set(offer.prices, 'implausible_profit');
  }
}

/** The tolerance between equal distances. */
const NOISE = 1e-9;

const isAgainst = (a: ArbLeg, b: ArbLeg): boolean => contradict(a.chances, b.chances);

/** The highest price; of equal ones the newer, then by key. */
function bestLeg(offers: readonly Offer[], side: Side): ArbLeg[] {
  let best: Offer | null = null;
  for (const one of offers) {
    const price = one.prices[side];
    if (price !== null && (best === null || isBetter(one, best, side))) best = one;
  }
  if (best === null) return [];
  return [{ side, price: best.prices[side]!, offer: best, chances: chancesOf(best.prices) }];
}

function isBetter(one: Offer, best: Offer, side: Side): boolean {
  const [price, most] = [one.prices[side]!, best.prices[side]!];
  if (price !== most) return price > most;
  const newer = seenOf(one.book, one.prices).observedAtMs - seenOf(best.book, best.prices).observedAtMs;
  return newer === 0 ? one.book.bookmaker < best.book.bookmaker : newer > 0;
}

function distanceOf({ side, offer, chances }: ArbLeg, sound: readonly Offer[]): number {
  const others = sound.filter(({ book }) => book !== offer.book);
  return distanceFrom(
    chances[side]!,
    others.flatMap(({ prices }) => chancesOf(prices)[side] ?? []),
  );
}

const trusted = (legs: readonly ArbLeg[], distances: readonly number[], books: number, nowMs: number): Confidence =>
  confidenceOf(
    books,
    legs.map(({ offer: { book, prices } }, i) => ({
      bookmaker: book.bookmaker,
      ageSeconds: ageOf(seenOf(book, prices), nowMs),
      distance: distances[i]!,
      moves: book.moves ?? { offered: 0, moved: 0 },
    })),
  );
