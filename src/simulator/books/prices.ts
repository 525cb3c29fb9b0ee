// One book's price list for one race at one repricing: from the truth as the book reads it, its opinion, its margin,
// its rungs, and occasionally a mistake. Pure.
import type { Race } from '../world/race';
import { normal, unit } from '../world/random';
import { firstStartMs, truthOf } from '../world/story/race-times';
import { chances, placeChances, placesPaid } from '../world/story/truth';
import { rungNear } from './ladder';
import type { BookProfile } from './profiles';

/** By runner index; 0 means no price. */
export interface PriceList {
  readonly atMs: number;
  readonly win: readonly number[];
  readonly place: readonly number[];
}

export interface PriceRequest {
  readonly race: Race;
  readonly book: BookProfile;
  readonly atMs: number;
  /** The instant at which the book reads the truth. */
  readonly readMs: number;
  /** Whether the book has opened. */
  readonly open: boolean;
  /** Whether the book has scratched this number. */
  readonly gone: (number: number) => boolean;
}

const LONGEST = 501;
const PLACE_MARGIN = 1.16;
/** Early markets carry at most this much more margin than the last one. */
const EARLY_MARGIN = 0.035;
const PLACEHOLDER = 201;
const MISTAKE_LASTS_MS = 10 * 60_000;
const PLACEHOLDER_CHANCE = 0.0006;
const MISSING_CHANCE = 0.0008;

export function priceList(request: PriceRequest): PriceList {
  const { race, book, atMs, readMs, gone } = request;
  const none = race.runners.map(() => 0);
  if (!request.open) return { atMs, win: none, place: none };
  const started = new Set(race.story.promotions.filter((row) => row.atMs <= atMs).map((row) => row.number));
  const isIn = (i: number): boolean => {
    const runner = race.runners[i]!;
    return !gone(runner.number) && (!runner.emergency || started.has(runner.number));
  };
  const estimated = opinion(race, book, chances(truthOf(race), readMs, isIn));
  const early = Math.min(1, Math.max(0, (firstStartMs(race) - atMs) / 3_600_000));
  const margin = book.margin[race.meeting.track.category] + EARLY_MARGIN * early;
  const win = withMargin(estimated, margin).map((implied) => (implied > 0 ? priceOf(book, implied) : 0));
  const place = placePrices(book, estimated, win);
  return { atMs, win: win.map((price, i) => mistaken(race, book, atMs, i, price)), place };
}

/** The truth, adjusted by the trader's opinion of each runner. Sums to 1. */
function opinion(race: Race, book: BookProfile, truth: readonly number[]): number[] {
  const weights = truth.map((chance, i) =>
    chance > 0
      ? chance * Math.exp(0.025 * normal(race.seed, 910, book.house, i) + 0.012 * normal(race.seed, 911, book.index, i))
      : 0,
  );
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return weights.map((weight) => weight / total);
}

/**
 * Raises every chance to the same power, so that they sum to the margin: outsiders carry more of it than favourites,
 * and none exceeds 1.
 */
function withMargin(chances: readonly number[], margin: number): number[] {
  const inIt = chances.filter((chance) => chance > 0);
  // Newton's method from the left of the root of a falling convex function: it never overshoots.
  let power = 0.5;
  for (let i = 0; i < 8; i++) {
    let total = 0;
    let slope = 0;
    for (const chance of inIt) {
      const implied = chance ** power;
      total += implied;
      slope += implied * Math.log(chance);
    }
    power -= (total - margin) / slope;
  }
  return chances.map((chance) => (chance > 0 ? chance ** power : 0));
}

const priceOf = (book: BookProfile, implied: number): number => rungNear(book.ladder, Math.min(LONGEST, 1 / implied));

/** No place betting if only the winner is paid; a place price never exceeds the win price. */
function placePrices(book: BookProfile, estimated: readonly number[], win: readonly number[]): number[] {
  const places = placesPaid(estimated.filter((chance) => chance > 0).length);
  if (places === 1) return win.map(() => 0);
  return placeChances(estimated, places).map((chance, i) =>
    win[i]! > 0 ? Math.min(win[i]!, priceOf(book, Math.min(0.97, chance * PLACE_MARGIN))) : 0,
  );
}

/** For some minutes a runner has a placeholder price or none. */
function mistaken(race: Race, book: BookProfile, atMs: number, runner: number, price: number): number {
  if (price === 0 || !race.mistakes) return price;
  const draw = unit(race.seed, 912, book.index, runner, Math.floor(atMs / MISTAKE_LASTS_MS));
  if (draw < PLACEHOLDER_CHANCE) return price < 41 ? PLACEHOLDER : price;
  return draw < PLACEHOLDER_CHANCE + MISSING_CHANCE ? 0 : price;
}
