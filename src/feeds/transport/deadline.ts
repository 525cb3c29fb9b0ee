// Limits work that takes a signal to a wall-clock deadline. Never use `AbortSignal.any` here: at a thousand calls a
// second its dependents pile up on signals that live as long as a race.
import { setMaxListeners } from 'node:events';

/** The reason of the signal after the deadline, as with `AbortSignal.timeout`. */
const timeUp = (ms: number): DOMException => new DOMException(`longer than ${ms} ms`, 'TimeoutError');

export const isTimeUp = (signal: AbortSignal): boolean =>
  signal.aborted && (signal.reason as { name?: unknown } | null)?.name === 'TimeoutError';

/** Runs `work` with a signal that aborts after `ms`, or with the caller's own reason when the caller's signal does. */
export async function within<T>(
  ms: number,
  caller: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const callOff = () => controller.abort(caller?.reason);
  const timer = setTimeout(() => controller.abort(timeUp(ms)), ms);
  // One listener per call under this signal: a race has one for every book.
  if (caller) setMaxListeners(0, caller);
  caller?.addEventListener('abort', callOff, { once: true });
  if (caller?.aborted) callOff();
  try {
    return await work(controller.signal);
  } finally {
    clearTimeout(timer);
    caller?.removeEventListener('abort', callOff);
  }
}
