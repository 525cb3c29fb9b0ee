// Caches responses for one whole second of race time: equal queries are computed, serialised and tagged once. Never
// serves a response more than a second of wall time after its second was opened, because the race clock may stand
// still. Never caches a failure.
import { createCache } from '../../../../cache';
import type { PreparedResponse } from './prepared';

type Compute = () => Promise<PreparedResponse>;

export interface ResponseCache {
  /** The response for the whole second `nowMs`. */
  forSecond(query: string, nowMs: number, compute: Compute): Promise<PreparedResponse>;
  /** For responses that may not be cached: equal queries within 25 ms share one computation. */
  coalesce(query: string, compute: Compute): Promise<PreparedResponse>;
}

export interface Bounds {
  /** Wall time. 0: nothing is cached or shared. */
  readonly cachedMs: number;
  readonly coalesceMs: number;
  readonly entries: number;
  /** Of uncompressed bodies; the compressed ones add a fraction. */
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
  return { forSecond: second, coalesce: (query, compute) => moment(query, 0, compute) };
}

/** Caches the responses of one instant `ms` for `lastsMs` of wall time; the next instant drops them all. */
function createSpan({ entries, bytes }: Bounds, lastsMs: number, wallMs: () => number): ResponseCache['forSecond'] {
  const responses = createCache<PreparedResponse>(entries, { bytes, bytesOf: (response) => response.bytes.length });
  let opened = { ms: Number.NaN, wallMs: 0 };
  return async (query, ms, compute) => {
    const atMs = wallMs();
    if (opened.ms !== ms || atMs - opened.wallMs >= lastsMs) {
      responses.clear();
      opened = { ms, wallMs: atMs };
    }
    return (await responses.get(query, isShareable, compute)).value;
  };
}

const isShareable = (response: PreparedResponse): boolean => !response.forOneOnly;
