// What a fixed-odds bet on a run race returns (docs/settlement.md has every rule with its source and worked examples). Settles only what
// the result proves: what it does not prove is `unsettled` with the reason, never a guess (A 3: settle on final only).
import type { Instant } from '../race';
import type { ResultRunner } from '../result';

/** A single at a fixed price on the final field; never an ante-post ("all-in") bet, which has no refunds and no deductions. */
export interface FixedBet {
  readonly market: 'win' | 'place';
  /** Saddlecloth, rug or box number. */
  readonly number: number;
  /** Decimal odds, above 1. */
  readonly price: number;
  /** Dollars, above 0. */
  readonly stake: number;
  /** Null: unknown, and then every published deduction counts. */
  readonly placedAt: Instant | null;
}

/** A deduction as the result row publishes it: fractions of the dollar, 0 to 1 (A 2.11). Null: not published for that market. */
export interface PublishedDeduction {
  readonly name: string | null;
  readonly number: number;
  readonly win: number | null;
  readonly place: number | null;
  readonly scratched_at: Instant | null;
}

/** One entry of the card that the books held at the jump: what is known of the starters where no full field is published. */
export interface CardEntry {
  readonly number: number;
  readonly scratched: boolean;
  readonly scratchedAt: Instant | null;
  /** True: on the card as an emergency, so its start is not proven by being listed. Null: the books do not say. */
  readonly emergency: boolean | null;
}

export interface SettledRace {
  readonly status: 'interim' | 'final' | 'abandoned';
  /** Runners of a dead heat share a position. */
  readonly placings: readonly { readonly position: number; readonly number: number }[];
  /** The full field; null where none is held (NZ, harness, not collected yet). */
  readonly runners: readonly Pick<ResultRunner, 'number' | 'position' | 'status' | 'abnormal'>[] | null;
  /** Null: the card is not held. */
  readonly card: readonly CardEntry[] | null;
  readonly deductions: readonly PublishedDeduction[];
  /** Places that a place bet paid by the race's own word (`places_paid`); null: derived from the size of the field. */
  readonly placesPaid: number | null;
}

export type Refund =
  /** The race was abandoned, postponed or transferred. */
  | 'race_abandoned'
  /** Scratched, scratched late, or at the barrier. */
  | 'runner_scratched'
  /** A reserve (emergency) that got no start. */
  | 'reserve_did_not_run'
  /** Too few runners for place betting, and the race's own word does not say otherwise. */
  | 'no_place_betting';

export type Unsettled =
  /** Interim: a protest may still change it. */
  | 'result_not_final'
  /** Neither the placings, the field nor the card has this number. */
  | 'runner_unknown'
  /** Not among the placings, and that it started cannot be proven. */
  | 'start_not_proven'
  /** The placings do not fill the places that matter to this bet. */
  | 'placings_incomplete'
  /** The placings and the field contradict each other on this runner. */
  | 'result_contradictory'
  /** Neither the race's own word nor the size of the field says how many places were paid. */
  | 'places_unknown'
  /** The price is not above 1 or the stake not above 0, or one is not finite. */
  | 'bet_invalid';

/** What a settled amount is made of, so that it can be shown and checked. */
export interface SettlementParts {
  /** Runners that the market pays: 1 to win, the places paid to place. Null where the outcome did not depend on it. */
  readonly places: number | null;
  /** Runners that shared the bet's position; 1 without a dead heat, null when it was not placed. */
  readonly tied: number | null;
  /** Places that were left for those. */
  readonly placesLeft: number | null;
  /** Deductions that count against this bet, in order of their runner's number. */
  readonly deductions: readonly { readonly number: number; readonly fraction: number }[];
  /** True: the bet's or a scratching's instant is unknown, so a deduction was taken that may not have applied. */
  readonly deductionsAssumed: boolean;
}

export interface Settlement {
  readonly outcome: 'won' | 'lost' | 'refunded' | 'unsettled';
  /** Why it was refunded or could not be settled; null when won or lost. */
  readonly reason: Refund | Unsettled | null;
  /** Part of the stake that won, 0 to 1: below 1 in a dead heat. Null when refunded or unsettled. */
  readonly winningShare: number | null;
  /** Fraction of the dollar taken from the payout, 0 to 1. Null when nothing was won. */
  readonly deduction: number | null;
  /** Dollars paid back, the stake included; to the cent. Null when unsettled. */
  readonly returns: number | null;
  /** `returns` less the stake. Null when unsettled. */
  readonly profit: number | null;
  readonly parts: SettlementParts | null;
}

/** Settles one bet on one race. Total: a bet or a race that makes no sense is `unsettled`, nothing is thrown. */
export function settleBet(bet: FixedBet, race: SettledRace): Settlement {
  void bet;
  void race;
  throw new Error('not written yet');
}
