// While Temporal is silent, its SDK cancels an attempt whose heartbeats do not get through, although no other worker
// can take the race. A live poller outlives that, because its prices would be lost. It ends when the fence has a newer
// attempt, or some time after Temporal answers again, so that the slot is free for that attempt. Every other
// cancellation ends it at once.
import { setTimeout as delay } from 'node:timers/promises';
import type { Context } from '@temporalio/activity';
import { workerStops } from './wait';

/** Wall time for the next attempt, from Temporal's answer on: its own timeout, a retry's pause, a slot. */
const TAKEN_OVER_WITHIN_MS = 30_000;

export interface OutlivingSignal {
  /** Aborted with the attempt's failure. */
  readonly signal: AbortSignal;
  /** Whether the SDK has given the attempt up. */
  isGivenUp(): boolean;
  release(): void;
}

type Cancellable = Pick<Context, 'cancellationSignal' | 'cancellationDetails'>;

interface Silent {
  /** Resolves when Temporal answers again. */
  readonly over: (signal: AbortSignal) => Promise<void>;
  /** In [0, 1): the attempts of a process do not all end at one moment. */
  readonly random: () => number;
  /** Kept by the process, because the SDK cancels an attempt only once. */
  readonly stopping?: AbortSignal | undefined;
  readonly takenOverWithinMs?: number;
}

export function outliveSilence(
  context: Cancellable,
  { over, random, stopping, takenOverWithinMs = TAKEN_OVER_WITHIN_MS }: Silent,
): OutlivingSignal {
  const { cancellationSignal: cancelled } = context;
  const ending = new AbortController();
  const released = new AbortController();
  const stop = (): void => ending.abort(workerStops());
  const end = async (): Promise<void> => {
    if (!context.cancellationDetails?.timedOut) return ending.abort(cancelled.reason);
    stopping?.addEventListener('abort', stop, { once: true });
    if (stopping?.aborted) stop();
    await over(released.signal);
    await delay(takenOverWithinMs * (1 + random() / 2), undefined, { signal: released.signal });
    ending.abort(cancelled.reason);
  };
  const given = (): void => void end().catch(() => undefined);
  cancelled.addEventListener('abort', given, { once: true });
  if (cancelled.aborted) given();
  return {
    signal: ending.signal,
    isGivenUp: () => cancelled.aborted,
    release: () => {
      released.abort();
      cancelled.removeEventListener('abort', given);
      stopping?.removeEventListener('abort', stop);
    },
  };
}
