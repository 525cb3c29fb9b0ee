// Processor time that one caller may use without paying: a leaky bucket. It belongs to this process alone, like the
// thread that it protects.
import { createBoundedMap } from '../../../cache';
import { AppError } from '../../../errors';

export interface WorkBudget {
  /** Throws `rate_limit` with the time to wait if the bucket is full. */
  require(caller: string): void;
  spend(caller: string, ms: number): void;
}

const MOST_CALLERS = 50_000;
const MINUTE_MS = 60_000;

/** `perMinuteMs`: what leaks in a minute, and what may be spent at once. `nowMs`: monotonic. */
export function createWorkBudget(
  perMinuteMs: number,
  detail: string,
  nowMs: () => number = () => performance.now(),
): WorkBudget {
  const spent = createBoundedMap<{ ms: number; atMs: number }>(MOST_CALLERS);
  const levelOf = (caller: string): { ms: number; atMs: number } => {
    const atMs = nowMs();
    const last = spent.get(caller);
    const ms = last ? Math.max(0, last.ms - ((atMs - last.atMs) * perMinuteMs) / MINUTE_MS) : 0;
    return { ms, atMs };
  };
  return {
    require(caller) {
      const over = levelOf(caller).ms - perMinuteMs;
      if (over < 0) return;
      // A second more: exactly at the limit nothing is left.
      const waitSeconds = Math.floor((over * MINUTE_MS) / perMinuteMs / 1000) + 1;
      throw new AppError('rate_limit', detail, { retry_after_seconds: waitSeconds });
    },
    spend(caller, ms) {
      const { ms: before, atMs } = levelOf(caller);
      spent.set(caller, { ms: before + ms, atMs });
    },
  };
}
