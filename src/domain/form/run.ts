// The facts of one run, from the card, the placings and the official field together. A result with placegetters only
// has no position for the other runners: theirs is unknown, not lost (A 2.11, B 2.1).
import { areDifferentRunners } from '../race/other-race';
import { PLACES_THAT_COUNT } from '../results/placings';
import type { ResultRunner } from '../results/result';

/** The runner as the card of that race had it under its number. */
export interface RunCard {
  readonly name: string;
  readonly barrier: number | null;
  readonly jockey: string | null;
  readonly trainer: string | null;
  readonly weightKg: number | null;
}

export interface RunPlacing {
  readonly position: number;
  readonly number: number;
  readonly name: string | null;
  readonly win_price: number | null;
  readonly place_price: number | null;
}

export interface RunSources<C extends RunCard = RunCard> {
  readonly number: number;
  /** From the source that takes precedence for this run. */
  readonly name: string;
  readonly card: C | null;
  /** Null where no full field is stored. */
  readonly official: ResultRunner | null;
  /** As stored. Positions behind the first four are not settled, and `results` does not publish them either. */
  readonly placings: readonly RunPlacing[];
}

export interface RunFacts<C extends RunCard = RunCard> {
  /** Null where the card has no runner, or a different one, under the number. */
  readonly card: C | null;
  readonly barrier: number | null;
  readonly jockey: string | null;
  readonly trainer: string | null;
  readonly weightKg: number | null;
  readonly position: number | null;
  /** Null: on the card and not reported out, but not proven to have started. */
  readonly status: 'ran' | null;
  /** Whether the result has its position, or the reason for none. */
  readonly finishKnown: boolean;
  readonly deadHeat: boolean | null;
  readonly winPrice: number | null;
  readonly placePrice: number | null;
}

/**
 * The official field takes precedence over placings and card, fact by fact. A different runner under the number
 * contributes nothing.
 */
export function runFacts<C extends RunCard>({ number, name, card, official, placings }: RunSources<C>): RunFacts<C> {
  const own = card !== null && !areDifferentRunners(card.name, name) ? card : null;
  const places = placings.filter((one) => one.position <= PLACES_THAT_COUNT);
  const placing = places.find((one) => one.number === number && !areDifferentRunners(one.name ?? name, name)) ?? null;
  const position = official?.position ?? placing?.position ?? null;
  const isTied = placing !== null && places.filter((one) => one.position === placing.position).length > 1;
  return {
    card: own,
    barrier: official?.box ?? own?.barrier ?? null,
    jockey: official?.jockey ?? own?.jockey ?? null,
    trainer: official?.trainer ?? own?.trainer ?? null,
    weightKg: own?.weightKg ?? null,
    position,
    status: official || placing ? 'ran' : null,
    finishKnown: position !== null || (official?.abnormal ?? null) !== null,
    deadHeat: position === null ? null : (official?.dead_heat ?? isTied),
    winPrice: placing?.win_price ?? null,
    placePrice: placing?.place_price ?? null,
  };
}

/**
 * Totals over these runs only, not a career. Places are counted only where the finish is known, so they are minimums.
 */
export interface RunRecord {
  readonly runs: number;
  readonly finishes_known: number;
  readonly wins: number;
  readonly seconds: number;
  readonly thirds: number;
}

export function recordOf(runs: readonly Pick<RunFacts, 'position' | 'finishKnown'>[]): RunRecord {
  const at = (place: number): number => runs.filter(({ position }) => position === place).length;
  return {
    runs: runs.length,
    finishes_known: runs.filter(({ finishKnown }) => finishKnown).length,
    wins: at(1),
    seconds: at(2),
    thirds: at(3),
  };
}
