// How scratchings reduce a winning bet: from which amount a deduction is taken, and how several add up. This is the
// only definition of the rule.
import { CAPTURE_MS } from '../market/intelligence/captured';
import type { Instant } from '../race/race';
import type { FixedBet, PublishedDeduction, SettledRace, SettlementParts } from './settlement';
import { isOutAtBarrier } from './started';

export interface Deducted extends Pick<SettlementParts, 'deductions' | 'deductionsAssumed' | 'deductionsMissing'> {
  /** Fraction of the dollar, 0 to 1: the sum of the deductions that count. */
  readonly fraction: number;
}

/**
 * Decimal places kept in a sum of fractions: far finer than a cent in the dollar, far coarser than floating-point
 * noise.
 */
const STEPS = 1e6;

/** Scratched runners and their published deductions. */
type Scratched = Pick<SettledRace, 'startTime' | 'deductions' | 'card' | 'runners'>;

/**
 * The sum of the deductions that count against a bet, those of runners scratched after it was placed; at most the whole
 * dollar. Null if one that counts is published only for the other market, or is not a fraction. Source:
 * docs/settlement.md, "Deductions".
 */
export function deductionsFrom(bet: FixedBet, race: Scratched): Deducted | null {
  const placedMs = bet.placedAt === null ? assumedPlacingMs(race.startTime) : Date.parse(bet.placedAt);
  const published = race.deductions
    .map((each) => ({ ...each, fraction: fractionOf(each, bet.market), atBarrier: isOutAtBarrier(each.number, race) }))
    .filter(({ fraction }) => fraction !== 0)
    .map((each) => ({ ...each, after: each.atBarrier ? 'yes' : isAfter(placedMs, each.scratched_at) }));
  const counting = published.filter(({ after }) => after !== 'no');
  const deductions = counting.flatMap(({ number, fraction }) => (fraction === null ? [] : [{ number, fraction }]));
  if (deductions.length < counting.length) return null;
  const sum = deductions.reduce((total, { fraction }) => total + fraction, 0);
  return {
    fraction: Math.min(1, Math.round(sum * STEPS) / STEPS),
    deductions: deductions.sort((a, b) => a.number - b.number),
    deductionsAssumed: published.some(
      ({ after, atBarrier }) => !atBarrier && (after === 'assumed' || bet.placedAt === null),
    ),
    deductionsMissing: missingFrom(bet, race),
  };
}

/**
 * A bet whose time is unknown counts as placed one hour before the start. A runner scratched a day before was out for
 * most bets, and their prices allowed for it.
 */
const assumedPlacingMs = (startTime: Instant | null): number => Date.parse(startTime ?? '') - CAPTURE_MS;

/**
 * Dollars for a winning part of the stake: the deduction is taken from the whole payout, the stake included ("face
 * value").
 */
export const payout = (bet: FixedBet, share: number, fraction: number): number =>
  bet.stake * bet.price * share * (1 - fraction);

/**
 * The number of runners scratched after the bet, by the card's instants or at the barrier, without a published
 * deduction. An emergency has none.
 */
function missingFrom(bet: FixedBet, race: Scratched): number[] {
  const out = (race.card ?? []).filter(
    ({ scratched, scratchedAt, emergency }) =>
      scratched && emergency !== true && isAfter(Date.parse(bet.placedAt ?? ''), scratchedAt) === 'yes',
  );
  const atBarrier = (race.runners ?? []).filter(({ number }) => isOutAtBarrier(number, race));
  const published = new Set(race.deductions.map(({ number }) => number));
  const numbers = new Set([...out, ...atBarrier].map(({ number }) => number));
  return [...numbers].filter((number) => !published.has(number)).sort((a, b) => a - b);
}

function isAfter(placedMs: number, scratchedAt: Instant | null): 'yes' | 'no' | 'assumed' {
  const scratchedMs = Date.parse(scratchedAt ?? '');
  if (Number.isNaN(placedMs) || Number.isNaN(scratchedMs)) return 'assumed';
  return placedMs < scratchedMs ? 'yes' : 'no';
}

/** 0: neither market has a deduction. Null: unknown for this market. */
function fractionOf(published: PublishedDeduction, market: FixedBet['market']): number | null {
  const fraction = published[market];
  if (fraction === null) return (published.win ?? published.place ?? 0) === 0 ? 0 : null;
  return fraction >= 0 && fraction <= 1 ? fraction : null;
}
