// What a poller of either tier is given, and how it is fenced. Nothing here polls.
import type { Fence } from '../../store/card/book-poll';
import type { RaceControl } from '../../store/polls/control';
import type { BookSchedule } from './due-books';

export interface PolledRace {
  readonly raceId: string;
  readonly epoch: number;
  /** Counts this race's pollers within the epoch: a later one outranks every attempt of an earlier one. */
  readonly turn: number;
  /** Whether the workflow knows the market as shut already: a market that shuts early is polled on. */
  readonly marketShut: boolean;
  /** By an operator, who is not overruled by a book that goes on saying that it was called off. */
  readonly reinstated?: boolean;
}

/** Why an attempt ends without a poll. */
export type ControlEnd = { readonly kind: 'superseded' } | { readonly kind: 'fenced' };

export interface PollerHost {
  readonly attempt: number;
  readonly signal: AbortSignal;
  heartbeat(details: PollerProgress): void;
  /** Rejects when the activity is cancelled. Wall milliseconds. */
  wait(ms: number): Promise<void>;
}

/** Heartbeat details: an operator reads them under the pending activity, and the next attempt goes on from them. */
export interface PollerProgress {
  readonly polls: number;
  readonly books: readonly BookSchedule[];
}

const ATTEMPTS_PER_TURN = 1_000_000;

/** Attempts start at 1 again with every new activity; what is fenced on must only ever grow within an epoch. */
export const fenceOf = (race: PolledRace, attempt: number): Fence => ({
  epoch: race.epoch,
  attempt: race.turn * ATTEMPTS_PER_TURN + attempt,
});

/** Why this attempt may not go on: the workflow has moved on, or a newer attempt has the race. */
export function endByControl(row: RaceControl | null, fence: Fence): ControlEnd | null {
  if (!row || row.epoch !== fence.epoch || row.closed) return { kind: 'superseded' };
  return row.holderAttempt > fence.attempt ? { kind: 'fenced' } : null;
}
