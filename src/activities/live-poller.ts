// The live tier of one race: asks every listed book when it falls due, writes under the fence, and ends when there is something
// the workflow must know. Knows nothing of Temporal: its host supplies attempt, heartbeat, cancellation and waiting.
// A book's failure never ends it; only our own control row does.
import type { Fence, RaceControl } from '../store/store';
import { BookRound } from './book-round';
import { type ActivityDeps, instantNow } from './deps';
import type { BookSchedule } from './due-books';
import type { HealthTally } from './health-tally';
import type { Sighting } from './sightings';

export interface PolledRace {
  readonly raceId: string;
  readonly epoch: number;
  /** Counts this race's pollers within the epoch: a later one outranks every attempt of an earlier one. */
  readonly turn: number;
  /** Whether the workflow knows the market as shut already: a market that shuts early is polled on. */
  readonly marketShut: boolean;
}

export type PollOutcome = Sighting | { readonly kind: 'superseded' } | { readonly kind: 'fenced' };

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

export async function runLivePoller(
  deps: ActivityDeps,
  race: PolledRace,
  host: PollerHost,
  tally: HealthTally,
  resume?: PollerProgress,
): Promise<PollOutcome> {
  const { control } = deps.stores;
  const fence = fenceOf(race, host.attempt);
  if (!(await control.claim(race.raceId, fence.epoch, fence.attempt, instantNow(deps)))) return { kind: 'fenced' };
  const round = new BookRound(deps, race, fence, host, tally, resume);
  try {
    for (;;) {
      const row = await control.readControl(race.raceId);
      const end = refusal(row, fence) ?? round.news();
      if (end) return end;
      await round.refreshBooks();
      const { advertisedStart } = row!;
      round.askDue(advertisedStart);
      host.heartbeat(round.progress());
      await tally.flush(Date.now());
      await host.wait(round.waitMs(advertisedStart));
    }
  } finally {
    await round.stop();
    await tally.flush(Date.now(), true);
  }
}

const ATTEMPTS_PER_TURN = 1_000_000;

/** Attempts start at 1 again with every new activity; what is fenced on must only ever grow within an epoch. */
export const fenceOf = (race: PolledRace, attempt: number): Fence => ({
  epoch: race.epoch,
  attempt: race.turn * ATTEMPTS_PER_TURN + attempt,
});

/** Why this attempt may not go on: the workflow has moved on, or a newer attempt has the race. */
export function refusal(row: RaceControl | null, fence: Fence): PollOutcome | null {
  if (!row || row.epoch !== fence.epoch || row.closed) return { kind: 'superseded' };
  return row.holderAttempt > fence.attempt ? { kind: 'fenced' } : null;
}
