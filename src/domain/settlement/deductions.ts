// What scratchings take from a winning bet: from which amount a deduction is taken and how several add up. This rule stands nowhere else.
import type { FixedBet, PublishedDeduction, SettledRace, SettlementParts } from './settlement';
import { isOutAtBarrier } from './started';

export interface Deducted extends Pick<SettlementParts, 'deductions' | 'deductionsAssumed' | 'deductionsMissing'> {
  /** Fraction of the dollar, 0 to 1: the sum of those that count. */
  readonly fraction: number;
}

/** Decimal places kept of a sum of fractions: far below a cent in the dollar, far above floating-point noise. */
const STEPS = 1e6;

/** Scratched runners and their published deductions. */
type Scratched = Pick<SettledRace, 'deductions' | 'card' | 'runners'>;

/**
 * The deductions that count against a bet: of runners scratched after it was placed, added up, at most the whole dollar. Null when one that
 * counts is published for the other market only, or is no fraction. Source: docs/settlement.md, "Deductions".
 */
export function deductionsFrom(bet: FixedBet, race: Scratched): Deducted | null {
  const counting = race.deductions.flatMap((each) => {
    const { number } = each;
    const after = isAfter(bet.placedAt, each.scratched_at);
    const fraction = fractionOf(each, bet.market);
    if (after === 'no' || fraction === 0) return [];
    return [{ number, fraction, assumed: after === 'assumed' && !isOutAtBarrier(number, race) }];
  });
  const deductions = counting.flatMap(({ number, fraction }) => (fraction === null ? [] : [{ number, fraction }]));
  if (deductions.length < counting.length) return null;
  const sum = deductions.reduce((total, { fraction }) => total + fraction, 0);
  return {
    fraction: Math.min(1, Math.round(sum * STEPS) / STEPS),
    deductions: deductions.sort((a, b) => a.number - b.number),
    deductionsAssumed: counting.some(({ assumed }) => assumed),
    deductionsMissing: missingFrom(bet, race),
  };
}

/** Dollars for a winning part of the stake: the deduction is taken from the whole payout, the stake included ("face value"). */
export const payout = (bet: FixedBet, share: number, fraction: number): number =>
  bet.stake * bet.price * share * (1 - fraction);

/** Runners scratched after the bet, by the card's instants or at the barrier, without a published deduction. An emergency takes none. */
function missingFrom(bet: FixedBet, race: Scratched): number[] {
  const out = (race.card ?? []).filter(
    ({ scratched, scratchedAt, emergency }) =>
      scratched && emergency !== true && isAfter(bet.placedAt, scratchedAt) === 'yes',
  );
  const atBarrier = (race.runners ?? []).filter(({ number }) => isOutAtBarrier(number, race));
  const published = new Set(race.deductions.map(({ number }) => number));
  const numbers = new Set([...out, ...atBarrier].map(({ number }) => number));
  return [...numbers].filter((number) => !published.has(number)).sort((a, b) => a - b);
}

function isAfter(placedAt: string | null, scratchedAt: string | null): 'yes' | 'no' | 'assumed' {
  const [placed, scratched] = [Date.parse(placedAt ?? ''), Date.parse(scratchedAt ?? '')];
  if (Number.isNaN(placed) || Number.isNaN(scratched)) return 'assumed';
  return placed < scratched ? 'yes' : 'no';
}

/** 0: neither market has one. Null: unknown for this market. */
function fractionOf(published: PublishedDeduction, market: FixedBet['market']): number | null {
  const fraction = published[market];
  if (fraction === null) return (published.win ?? published.place ?? 0) === 0 ? 0 : null;
  return fraction >= 0 && fraction <= 1 ? fraction : null;
}
