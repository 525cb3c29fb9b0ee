// Answers of one whole second of race time: the same question is computed, serialised and tagged once, however many ask it. Never
// given later than a second of the wall after they were begun: the race clock may stand still. A failure is never held.
import { createCache } from '../../cache';
import type { PreparedResponse } from './prepared-response';

type Compute = () => Promise<PreparedResponse>;

export interface ResponseCache {
  /** As of the whole second `nowMs`. */
  forSecond(question: string, nowMs: number, compute: Compute): Promise<PreparedResponse>;
  /** For what may not be held: one reading serves those who ask the same within 25 ms of its beginning. */
  coalesce(question: string, compute: Compute): Promise<PreparedResponse>;
}

export interface Bounds {
  /** Of the wall. 0: every call computes its own. */
  readonly cachedMs: number;
  readonly coalesceMs: number;
  readonly entries: number;
  /** Of bodies as they are; their packed forms are a fraction more. */
  readonly bytes: number;
}

export const BOUNDS: Bounds = { cachedMs: 1000, coalesceMs: 25, entries: 2000, bytes: 128 * 1024 * 1024 };

export function createResponseCache(
  bounds: Bounds = BOUNDS,
  wallMs: () => number = () => performance.now(),
): ResponseCache {
  if (bounds.cachedMs === 0) return { forSecond: (_, __, compute) => compute(), coalesce: (_, compute) => compute() };
  const second = createSpan(bounds, bounds.cachedMs, wallMs);
  const moment = createSpan(bounds, bounds.coalesceMs, wallMs);
  return { forSecond: second, coalesce: (question, compute) => moment(question, 0, compute) };
}

/** The answers of one instant `ms`, for `lastsMs` of the wall; with the next instant all are dropped. */
function createSpan({ entries, bytes }: Bounds, lastsMs: number, wallMs: () => number): ResponseCache['forSecond'] {
  const answers = createCache<PreparedResponse>(entries, { bytes, bytesOf: (said) => said.bytes.length });
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

const isForAll = (said: PreparedResponse): boolean => !said.forOneOnly;
