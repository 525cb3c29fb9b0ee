// Bets over several races of one meeting: their legs and their dividends. They belong to the last leg's race and are
// declared with its exotics. A bet with a leg that was called off or has no result pays nothing.

import type { Meeting, Race } from '../race';
import { hashText, unit } from '../random';
import { NEVER_MS } from './race-times';
import { type Dividend, dividendsOf, finishingOrders, type MultiProduct, type Tote } from './tote';

const TAKEOUT = 0.2;
const MOST_WINNERS = 4;

export interface MultiBet {
  readonly product: MultiProduct;
  /** Race numbers, first leg first. */
  readonly legs: readonly number[];
}

/** The multi-race bets a meeting offers: the quaddie on its last four races, and so on. */
export function multiBets(meeting: Meeting): MultiBet[] {
  const races = meeting.races.map((race) => race.number);
  const last = (count: number): number[] => races.slice(-count);
  const bets: MultiBet[] = [
    { product: 'Quaddie', legs: last(4) },
    { product: 'EarlyQuaddie', legs: races.slice(-8, -4) },
    { product: 'Treble', legs: last(3) },
    { product: 'DailyDouble', legs: [...races.slice(-3, -2), ...last(1)] },
    { product: 'Big6', legs: last(6) },
  ];
  return bets.filter((bet) => bet.legs.length === LEGS[bet.product]);
}

const LEGS: Record<MultiProduct, number> = { DailyDouble: 2, Treble: 3, EarlyQuaddie: 4, Quaddie: 4, Big6: 6 };

/**
 * Dividends of the bets whose last leg is `race`. `numbers` are the legs' winners; a dead heat pays every combination.
 */
export function multiDividends(race: Race, tote: Tote): Dividend[] {
  const { meeting } = race;
  return multiBets(meeting)
    .filter((bet) => bet.legs.at(-1) === race.number)
    .flatMap((bet) => {
      const legs = bet.legs.map((number) => meeting.races.find((leg) => leg.number === number)!);
      return legs.some(({ story }) => story.abandoned || story.finalMs >= NEVER_MS)
        ? []
        : payout(bet.product, legs, tote);
    });
}

function payout(product: MultiProduct, legs: readonly Race[], tote: Tote): Dividend[] {
  const winners = combinations(legs.map((leg) => [...new Set(finishingOrders(leg.story.settled, 1).flat())])).slice(
    0,
    MOST_WINNERS,
  );
  const seed = legs.at(-1)!.seed;
  const poolSize = Math.round(18_000 * (0.4 + unit(seed, 930, hashText(product), hashText(tote))) * 100) / 100;
  return winners.map((numbers) => {
    const fair = numbers.reduce((product, number, leg) => product * fairWin(legs[leg]!, tote, number), 1 - TAKEOUT);
    const amount = Math.max(1, Math.floor((Math.min(fair, poolSize * 6) / winners.length) * 10) / 10);
    return { product, numbers, amount, poolSize };
  });
}

/** The win dividend without its takeout. */
function fairWin(leg: Race, tote: Tote, number: number): number {
  const win = dividendsOf(leg, tote).straight.find((row) => row.product === 'Win' && row.numbers[0] === number);
  return (win?.amount ?? 1) / 0.855;
}

function combinations(lists: readonly (readonly number[])[]): number[][] {
  return lists.reduce<number[][]>((found, list) => found.flatMap((row) => list.map((value) => [...row, value])), [[]]);
}
