// A process's queries to a Temporal that does not answer. One query at a time for all of its races, and ever fewer: a
// query from each of hundreds of races every two seconds makes an overloaded server worse, and its log grow by
// gigabytes.
import { setTimeout as delay } from 'node:timers/promises';
import { WorkflowNotFoundError } from '@temporalio/client';
import { raceWorkflowId } from '../workflows/contract';
import type { ActivityDeps } from './deps';

/** Wall. */
interface Times {
  readonly answerWithinMs: number;
  /** After a query without an answer. Doubles with each in a row. */
  readonly pauseMs: number;
  readonly longestPauseMs: number;
}

const TIMES: Times = { answerWithinMs: 5000, pauseMs: 2000, longestPauseMs: 15_000 };

export interface Silence {
  /** Resolves when Temporal has answered about the race; never after `signal` is aborted. */
  over(raceId: string, signal: AbortSignal): Promise<void>;
}

/** Rejects while Temporal does not answer about the race. */
export type Ask = (raceId: string, withinMs: number) => Promise<unknown>;

interface Waiting {
  readonly raceId: string;
  readonly signal: AbortSignal;
  readonly answered: () => void;
}

/** `random`: in [0, 1), so that processes do not query in step. `wait`: for this many wall milliseconds. */
export function createSilence(ask: Ask, random: () => number, wait: (ms: number) => Promise<unknown> = delay): Silence {
  // In the order of their turns. Each race is queried separately: one part of Temporal may stay silent when the others
  // answer.
  const waiting = new Set<Waiting>();
  let isAsking = false;

  async function askInTurn(): Promise<void> {
    isAsking = true;
    let pauseMs = TIMES.pauseMs;
    for (let [next] = waiting; next; [next] = waiting) {
      waiting.delete(next);
      if (await answers(next.raceId)) {
        pauseMs = TIMES.pauseMs;
        next.answered();
        continue;
      }
      if (!next.signal.aborted) waiting.add(next);
      await wait(pauseMs * (0.5 + random()));
      pauseMs = Math.min(2 * pauseMs, TIMES.longestPauseMs);
    }
    isAsking = false;
  }

  async function answers(raceId: string): Promise<boolean> {
    try {
      await ask(raceId, TIMES.answerWithinMs);
      return true;
    } catch {
      return false;
    }
  }

  return {
    over: (raceId, signal) =>
      new Promise((resolve) => {
        if (signal.aborted) return;
        const own = { raceId, signal, answered: resolve };
        waiting.add(own);
        signal.addEventListener('abort', () => waiting.delete(own), { once: true });
        if (!isAsking) void askInTurn();
      }),
  };
}

/**
 * From the part of Temporal that keeps the race's workflow, not only from its frontend. A race without a workflow is an
 * answer.
 */
export const askAbout =
  ({ client }: Pick<ActivityDeps, 'client'>): Ask =>
  (raceId, withinMs) =>
    client
      .withDeadline(Date.now() + withinMs, () => client.workflow.getHandle(raceWorkflowId(raceId)).describe())
      .catch((error: unknown) => {
        if (!(error instanceof WorkflowNotFoundError)) throw error;
      });
