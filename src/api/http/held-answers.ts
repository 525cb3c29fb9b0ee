// Answers of one whole second of race time: the same question is computed, serialised and tagged once, however many ask it. Never
// given later than a second of the wall after they were begun: the race clock may stand still. A failure is never held.
import { createCache } from '../../cache';
import type { Said } from './answer';

type Compute = () => Promise<Said>;

export interface HeldAnswers {
  /** As of the whole second `nowMs`. */
  inSecond(question: string, nowMs: number, compute: Compute): Promise<Said>;
  /** For what may not be held: one reading serves those who ask the same within 25 ms of its beginning. */
  inMoment(question: string, compute: Compute): Promise<Said>;
}

export interface Bounds {
  /** Of the wall. 0: every call computes its own. */
  readonly heldMs: number;
  readonly momentMs: number;
  readonly entries: number;
  /** Of bodies as they are; their packed forms are a fraction more. */
  readonly bytes: number;
}

export const BOUNDS: Bounds = { heldMs: 1000, momentMs: 25, entries: 2000, bytes: 128 * 1024 * 1024 };

export function createHeldAnswers(
  bounds: Bounds = BOUNDS,
  wallMs: () => number = () => performance.now(),
): HeldAnswers {
  if (bounds.heldMs === 0) return { inSecond: (_, __, compute) => compute(), inMoment: (_, compute) => compute() };
  const second = createSpan(bounds, bounds.heldMs, wallMs);
  const moment = createSpan(bounds, bounds.momentMs, wallMs);
  return { inSecond: second, inMoment: (question, compute) => moment(question, 0, compute) };
}

/** The answers of one instant `ms`, for `lastsMs` of the wall; with the next instant all are dropped. */
function createSpan({ entries, bytes }: Bounds, lastsMs: number, wallMs: () => number): HeldAnswers['inSecond'] {
  const answers = createCache<Said>(entries, { bytes, bytesOf: (said) => said.bytes.length });
  let began = { ms: Number.NaN, wallMs: 0 };
  return async (question, ms, compute) => {
    const atMs = wallMs();
    if (began.ms !== ms || atMs - began.wallMs >= lastsMs) {
      answers.clear();
      began = { ms, wallMs: atMs };
    }
    return (await answers.get(question, isForAll, compute)).value;
  };
}

const isForAll = (said: Said): boolean => !said.forOneOnly;
