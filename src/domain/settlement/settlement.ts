// The types of a settlement: a fixed-odds bet, the race it is settled on, and the settlement. Rules:
// docs/settlement.md.
import type { Instant } from '../race/race';
import type { ResultRunner } from '../results/result';

/**
 * A single at a fixed price on the final field; never an ante-post ("all-in") bet, which has no refunds and no
 * deductions.
 */
export interface FixedBet {
  readonly market: 'win' | 'place';
  /** Saddlecloth, rug or box number. */
  readonly number: number;
  /** Decimal odds, above 1. */
  readonly price: number;
  /** Above 0, in any unit of money; the return is in the same unit. */
  readonly stake: number;
  /**
   * Null: unknown. Deductions then count as for a bet an hour before the start, and the settlement marks them as
   * assumed.
   */
  readonly placedAt: Instant | null;
}

/**
 * A deduction as the result row publishes it: fractions of the dollar, 0 to 1 (A 2.11). Null: not published for that
 * market.
 */
export interface PublishedDeduction {
  readonly name: string | null;
  readonly number: number;
  readonly win: number | null;
  readonly place: number | null;
  readonly scratched_at: Instant | null;
}

/** One entry of the card as the books report it: the only evidence of starters if no full field is published. */
export interface CardEntry {
  readonly number: number;
  readonly scratched: boolean;
  readonly scratchedAt: Instant | null;
  /** True: listed as an emergency, so being listed does not prove its start. Null: not reported. */
  readonly emergency: boolean | null;
}

export interface Placed {
  readonly position: number;
  readonly number: number;
}

export interface SettledRace {
  readonly status: 'interim' | 'final' | 'abandoned';
  /** Advertised start. Null: unknown. */
  readonly startTime: Instant | null;
  /** The placings on which bets were paid. Runners of a dead heat share a position. */
  readonly placings: readonly Placed[];
  /** The full field; null if none is stored (NZ, harness, not collected yet). */
  readonly runners: readonly Pick<ResultRunner, 'number' | 'position' | 'status' | 'abnormal'>[] | null;
  /** Null: the card is not stored. */
  readonly card: readonly CardEntry[] | null;
  readonly deductions: readonly PublishedDeduction[];
  /** Places that the race reports as paid (`places_paid`); null: derived from the size of the field. */
  readonly placesPaid: number | null;
}

export type Refund =
  /** The race was abandoned, postponed or transferred. */
  | 'race_abandoned'
  /** Scratched, scratched late, or at the barrier. */
  | 'runner_scratched'
  /** A reserve (emergency) that got no start. */
  | 'reserve_did_not_run'
  /** Too few runners for place betting. */
  | 'no_place_betting';

export type Unsettled =
  /** Interim: a protest may still change it. */
  | 'result_not_final'
  /** Neither the placings, the field nor the card has this number. */
  | 'runner_unknown'
  /** Not among the placings, and its start is not proven. */
  | 'start_not_proven'
  /** The placings do not fill the places that matter to this bet. */
  | 'placings_incomplete'
  /** A number has two positions, or a runner that did not start has one. */
  | 'result_contradictory'
  /** How many places were paid is unknown, and it matters. */
  | 'places_unknown'
  /** A scratching that counts has no deduction published for this market, only for the other. */
  | 'deduction_unknown'
  /** The price is not above 1, or the stake not above 0. */
  | 'bet_invalid';

/** The inputs of a won or lost bet's settlement, so that the settlement can be shown and checked. */
export interface SettlementParts {
  /**
   * Places that the market pays: 1 for a win bet, the places paid for a place bet. Null: unknown, and it made no
   * difference.
   */
  readonly places: number | null;
  /** Runners that shared the bet's position; 1 without a dead heat. Null if it is not paid. */
  readonly tied: number | null;
  /** Paid places left for the runners at that position; 0 if it is not paid. Null if `places` is. */
  readonly placesLeft: number | null;
  /** Deductions taken, by number of the scratched runner. Empty if nothing was won. */
  readonly deductions: readonly { readonly number: number; readonly fraction: number }[];
  /** True: the bet's or a scratching's instant is unknown, so a deduction was taken or left out on an assumption. */
  readonly deductionsAssumed: boolean;
  /**
   * Runners that were certainly scratched after the bet and have no published deduction: the amount is unknown, and
   * nothing was deducted.
   */
  readonly deductionsMissing: readonly number[];
}

export interface Settlement {
  readonly outcome: 'won' | 'lost' | 'refunded' | 'unsettled';
  /** Why it was refunded or could not be settled; null if won or lost. */
  readonly reason: Refund | Unsettled | null;
  /** Part of the stake that won, 0 to 1: below 1 in a dead heat. Null if refunded or unsettled. */
  readonly winningShare: number | null;
  /** Fraction of the dollar taken from the payout, 0 to 1. Null unless won. */
  readonly deduction: number | null;
  /**
   * The amount paid back, including the winning part of the stake, not rounded (`toCents` rounds). Null if unsettled.
   */
  readonly returns: number | null;
  /** `returns` less the stake. Null if unsettled. */
  readonly profit: number | null;
  /** Null if refunded or unsettled. */
  readonly parts: SettlementParts | null;
}
