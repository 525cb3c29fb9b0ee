// Argument, fence and heartbeat of a poller of either tier. Nothing here polls.
import type { Fence } from '../../store/card/book-poll';
import type { RaceControl } from '../../store/polls/control';
import type { ActivityDeps } from '../deps';
import type { BookSchedule } from './due-books';

export interface PolledRace {
  readonly raceId: string;
  readonly epoch: number;
  /** Counts this race's pollers within the epoch: a later poller outranks every attempt of an earlier one. */
  readonly turn: number;
  /** Whether the workflow already has the market as closed: a market that closes early is still polled. */
  readonly marketShut: boolean;
  /** Reinstated by an operator: a book that still reports the abandonment does not undo that. */
  readonly reinstated?: boolean;
}

/**
 * Ends that the control row causes: the workflow has moved on, or a newer attempt has the race. `held`: the newest
 * epoch that the fence has, null if none; absent from an older version. The workflow has to move past it, or none of
 * its pollers will ever be admitted.
 */
export type ControlEnd =
  | { readonly kind: 'superseded'; readonly held?: number | null }
  | { readonly kind: 'fenced'; readonly held?: number | null };

export interface PollerHost {
  readonly attempt: number;
  readonly signal: AbortSignal;
  heartbeat(details: PollerProgress): void;
  /** Rejects when the activity is cancelled. Wall milliseconds. */
  wait(ms: number): Promise<void>;
}

/** Heartbeat details: visible under the pending activity, and the starting point of the next attempt. */
export interface PollerProgress {
  readonly polls: number;
  readonly books: readonly BookSchedule[];
}

const ATTEMPTS_PER_TURN = 1_000_000;

/**
 * Attempts start at 1 again with every new activity, but the fence may only grow within an epoch: so the turn comes
 * first.
 */
export const fenceOf = (race: PolledRace, attempt: number): Fence => ({
  epoch: race.epoch,
  attempt: race.turn * ATTEMPTS_PER_TURN + attempt,
});

/** With the epoch that the fence has. */
export const refusal = async (
  { stores }: Pick<ActivityDeps, 'stores'>,
  { raceId }: PolledRace,
  { kind }: ControlEnd,
): Promise<ControlEnd> => ({ kind, held: await stores.control.heldEpoch(raceId) });

/** Null: the attempt may continue. */
export function endByControl(row: RaceControl | null, fence: Fence): ControlEnd | null {
  if (!row || row.epoch !== fence.epoch || row.closed) return { kind: 'superseded' };
  return row.holderAttempt > fence.attempt ? { kind: 'fenced' } : null;
}
