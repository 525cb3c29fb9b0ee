// What a fixed-odds bet on a run race returns (docs/settlement.md has every rule with its source and worked examples).
// Settles only what the result proves; anything else is `unsettled` with the reason, never a guess (A 3: settle on
// final only).
import { deductionsFrom, payout } from './deductions';
import { possiblePlaces } from './field-size';
import { type Finish, finishOf } from './finish';
import type { FixedBet, Refund, SettledRace, Settlement, SettlementParts, Unsettled } from './settlement';
import { type Start, startOf } from './started';

export type { FixedBet, SettledRace, Settlement } from './settlement';

/**
 * Settles one bet on one race: `returns` and `profit` in the unit of the stake, not rounded. Never throws: a bet or a
 * race that makes no sense is `unsettled`.
 */
export function settleBet(bet: FixedBet, race: SettledRace): Settlement {
  if (!(bet.price > 1 && bet.stake > 0 && Number.isFinite(bet.price * bet.stake))) return unsettled('bet_invalid');
  if (race.status === 'abandoned') return refunded(bet, 'race_abandoned');
  if (race.status !== 'final') return unsettled('result_not_final');
  const start = startOf(bet.number, race);
  return start === 'ran' ? settleStarter(bet, race) : settleNonStarter(bet, start);
}

function settleNonStarter(bet: FixedBet, start: Exclude<Start, 'ran'>): Settlement {
  if (start === 'scratched') return refunded(bet, 'runner_scratched');
  if (start === 'reserve') return refunded(bet, 'reserve_did_not_run');
  if (start === 'contradictory') return unsettled('result_contradictory');
  return unsettled(start === 'unknown' ? 'runner_unknown' : 'start_not_proven');
}

function settleStarter(bet: FixedBet, race: SettledRace): Settlement {
  const possible = bet.market === 'win' ? [1] : possiblePlaces(race, bet.placedAt);
  if (possible.length === 0) return unsettled('places_unknown');
  if (possible.every((places) => places === 0)) return refunded(bet, 'no_place_betting');
  if (possible.some((places) => !Number.isInteger(places) || places < 1)) return unsettled('places_unknown');
  const finishes: Finish[] = [];
  for (const places of possible) {
    const finish = finishOf(bet.number, race, places);
    if (typeof finish === 'string') return unsettled(finish);
    finishes.push(finish);
  }
  const [finish] = finishes as [Finish];
  if (finishes.some(({ share }) => share !== finish.share)) return unsettled('places_unknown');
  const isCertain = possible.length === 1;
  return settleFinish(bet, race, finish.share, {
    places: isCertain ? possible[0]! : null,
    tied: finish.tied,
    placesLeft: isCertain ? finish.placesLeft : null,
  });
}

type Place = Pick<SettlementParts, 'places' | 'tied' | 'placesLeft'>;

function settleFinish(bet: FixedBet, race: SettledRace, share: number, place: Place): Settlement {
  if (share === 0) {
    const parts = { ...place, deductions: [], deductionsAssumed: false, deductionsMissing: [] };
    return { ...amounts(bet, 0), outcome: 'lost', reason: null, winningShare: 0, deduction: null, parts };
  }
  const deducted = deductionsFrom(bet, race);
  if (deducted === null) return unsettled('deduction_unknown');
  const { fraction, ...taken } = deducted;
  return {
    ...amounts(bet, payout(bet, share, fraction)),
    outcome: 'won',
    reason: null,
    winningShare: share,
    deduction: fraction,
    parts: { ...place, ...taken },
  };
}

const amounts = (bet: FixedBet, returns: number): Pick<Settlement, 'returns' | 'profit'> => ({
  returns,
  profit: returns - bet.stake,
});

const NOTHING_WON = { winningShare: null, deduction: null, parts: null };

const refunded = (bet: FixedBet, reason: Refund): Settlement => ({
  ...NOTHING_WON,
  ...amounts(bet, bet.stake),
  outcome: 'refunded',
  reason,
});

const unsettled = (reason: Unsettled): Settlement => ({
  ...NOTHING_WON,
  outcome: 'unsettled',
  reason,
  returns: null,
  profit: null,
});
