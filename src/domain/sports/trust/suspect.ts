// Prices that are probably wrong, such as 19 for 1.9, the two sides exchanged or a total of 16.5 for 165.5: the idea of
// placeholders (D22, D66) with the measure of sports (`chances.ts`). They are shown with the reason, are best only if
// there is no other, and are never part of an arb or a middle.
//
// Books vote: an offer that more of the other fresh books contradict than support is suspect. So of two books that
// contradict each other both are, unless one of them has just jumped away from the other; of three the one that stands
// alone.

import { isStaleAt, type PricedBook, type PricedMarket, STALE_AFTER_SECONDS, seenOf } from '../match';
import { isUnderRound } from '../quality';
import type { MarketPrices } from '../sports';
import { type Chances, chancesOf, contradict, FAR_APART, movedBy, turned } from './chances';

/**
 * `under_round`: the book's own prices add up to less than 100 %. `sides_exchanged`: with its sides exchanged the
 * market would fit the other books. `sign_turned`: with its handicap turned it would. `far_from_others`: more books
 * contradict it than support it. `far_from_own_history`: the same, or there is no other book, and it jumped there
 * within 30 minutes. `far_from_own_line`: an alternate that contradicts the book's main line. `implausible_profit`:
 * with other prices it returns more than books of one match ever do.
 */
export const SUSPECT_REASONS = [
  'under_round',
  'sides_exchanged',
  'sign_turned',
  'far_from_others',
  'far_from_own_history',
  'far_from_own_line',
  'implausible_profit',
] as const;
export type SuspectReason = (typeof SUSPECT_REASONS)[number];

/** A book's prices of a market: head to head, or of one line. */
export interface Offer {
  readonly book: PricedBook;
  readonly prices: PricedMarket;
}

/** By the offer's `prices`. */
export type Suspects = Map<PricedMarket, SuspectReason>;

/** How lines of a market compare. Null: head to head. */
export interface LineRule {
  readonly scale: number;
  /** What a higher point of the home side does to its chance: of spreads 1, of totals -1. */
  readonly sign: 1 | -1;
}

interface View {
  readonly chances: Chances;
  readonly point: number | null;
}

interface Judged extends View {
  readonly offer: Offer;
  readonly isFresh: boolean;
  readonly before: View | null;
}

const viewOf = (prices: MarketPrices): View => ({ chances: chancesOf(prices), point: prices.homePoint });

/** Null: nothing that ended lately. */
function viewBefore({ before }: PricedMarket, nowMs: number): View | null {
  if (!before || (before.home ?? before.away) === null) return null;
  return nowMs - before.endedAtMs > STALE_AFTER_SECONDS * 1000 ? null : viewOf(before);
}

/** Handicaps of one size and opposite signs: one of them has its sign turned. Of smaller ones books may differ. */
const TURNED_POINTS = 2;

/** `offers`: of the same outcomes; of lines each book's main one. */
export function suspectsOf(offers: readonly Offer[], nowMs: number, rule: LineRule | null = null): Suspects {
  const suspects: Suspects = new Map();
  const judged: Judged[] = [];
  for (const offer of offers) {
    const { book, prices } = offer;
    if (isUnderRound(prices)) suspects.set(prices, 'under_round');
    else {
      const isFresh = !isStaleAt(seenOf(book, prices), nowMs);
      judged.push({ ...viewOf(prices), offer, isFresh, before: viewBefore(prices, nowMs) });
    }
  }
  const outvoted = outvotedOf(judged, rule);
  for (const [one, against] of outvoted) {
    const isLeftBehind = against.every((other) => outvoted.has(other) && leaves(other, one, rule));
    if (one.isFresh && against.length > 0 && !hasJumped(one, rule) && isLeftBehind) continue;
    suspects.set(one.offer.prices, reasonOf(one, against, rule));
  }
  return suspects;
}

/** With the fresh offers that contradict each; none: there is no other book, and it has jumped. */
function outvotedOf(judged: readonly Judged[], rule: LineRule | null): Map<Judged, readonly Judged[]> {
  const fresh = judged.filter(({ isFresh }) => isFresh);
  const found = new Map<Judged, readonly Judged[]>();
  for (const one of judged) {
    const against = fresh.filter((other) => other.offer.book !== one.offer.book && disagree(one, other, rule));
    const others = fresh.length - (one.isFresh ? 1 : 0);
    if (against.length * 2 > others || (others === 0 && hasJumped(one, rule))) found.set(one, against);
  }
  return found;
}

function disagree(a: View, b: View, rule: LineRule | null): boolean {
  if (rule === null || a.point === b.point) return contradict(a.chances, b.chances);
  const isTurned = rule.sign === 1 && a.point === -b.point! && Math.abs(b.point!) >= TURNED_POINTS;
  return isTurned || Math.max(apartAt(a, b, rule), apartAt(b, a, rule)) >= FAR_APART;
}

/** Between the chances of the home side, at the line of `b`. */
function apartAt(a: View, b: View, { scale, sign }: LineRule): number {
  return Math.abs(movedBy(a.chances.home!, sign * (b.point! - a.point!), scale) - b.chances.home!);
}

const hasJumped = (one: Judged, rule: LineRule | null): boolean =>
  one.before !== null && disagree(one.before, one, rule);

/** Whether it supported `other` until it jumped. */
const leaves = (one: Judged, other: Judged, rule: LineRule | null): boolean =>
  hasJumped(one, rule) && !disagree(one.before!, other, rule);

function reasonOf(one: Judged, against: readonly Judged[], rule: LineRule | null): SuspectReason {
  const { chances, point } = one;
  const fits = (view: View): boolean => against.length > 0 && against.every((other) => !disagree(view, other, rule));
  const opposite = point === null || rule?.sign !== 1 ? point : 0 - point;
  if (opposite !== point && fits({ chances, point: opposite })) return 'sign_turned';
  if (fits({ chances: turned(chances), point: opposite })) return 'sides_exchanged';
  return hasJumped(one, rule) ? 'far_from_own_history' : 'far_from_others';
}
