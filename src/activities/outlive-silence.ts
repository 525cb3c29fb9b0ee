// While Temporal is silent, its SDK cancels an attempt whose heartbeats do not get through, although no other worker can take the race. A live
// poller outlives that: its prices are lost otherwise. It ends when the fence has a newer attempt, or some time after Temporal answers again, so
// that the slot is free for that attempt. Every other cancellation ends it at once.
import { setTimeout as delay } from 'node:timers/promises';
import type { Context } from '@temporalio/activity';
import { WorkflowNotFoundError } from '@temporalio/client';
import { raceWorkflowId } from '../workflows/contract';
import type { ActivityDeps } from './deps';
import { workerStops } from './wait';

/** Wall. */
interface Times {
  readonly askEveryMs: number;
  readonly answerWithinMs: number;
  /** Of the next attempt, from Temporal's answer on: its own timer ends, a retry's pause, a slot. */
  readonly takenOverWithinMs: number;
}

const TIMES: Times = { askEveryMs: 2000, answerWithinMs: 5000, takenOverWithinMs: 30_000 };

export interface OutlivingSignal {
  /** Aborted with what the attempt is to fail with. */
  readonly signal: AbortSignal;
  /** Whether the SDK has given the attempt up. */
  isGivenUp(): boolean;
  release(): void;
}

type Cancellable = Pick<Context, 'cancellationSignal' | 'cancellationDetails'>;

/** `answers` rejects while Temporal is silent. `stopping`: of the process, because the SDK cancels an attempt only once. */
export function outliveSilence(
  context: Cancellable,
  answers: (withinMs: number) => Promise<unknown>,
  stopping?: AbortSignal,
  times = TIMES,
): OutlivingSignal {
  const { cancellationSignal: cancelled } = context;
  const ending = new AbortController();
  const released = new AbortController();
  const stop = (): void => ending.abort(workerStops());
  const end = async (): Promise<void> => {
    if (!context.cancellationDetails?.timedOut) return ending.abort(cancelled.reason);
    stopping?.addEventListener('abort', stop, { once: true });
    if (stopping?.aborted) stop();
    await answered(answers, released.signal, times);
    await delay(times.takenOverWithinMs, undefined, { signal: released.signal });
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

/** Rejects when `signal` is aborted. */
async function answered(
  answers: (withinMs: number) => Promise<unknown>,
  signal: AbortSignal,
  { askEveryMs, answerWithinMs }: Times,
): Promise<void> {
  for (;;) {
    const isSilent = await answers(answerWithinMs).then(
      () => false,
      () => true,
    );
    signal.throwIfAborted();
    if (!isSilent) return;
    await delay(askEveryMs, undefined, { signal });
  }
}

/** Whether Temporal answers about the race: from the part of it that keeps workflows, not only from its frontend. */
export const askAbout =
  ({ client }: Pick<ActivityDeps, 'client'>, raceId: string) =>
  (withinMs: number): Promise<unknown> =>
    client
      .withDeadline(Date.now() + withinMs, () => client.workflow.getHandle(raceWorkflowId(raceId)).describe())
      .catch((error: unknown) => {
        if (!(error instanceof WorkflowNotFoundError)) throw error;
      });
