// Limits work that takes a signal to a wall-clock deadline. Never use `AbortSignal.any` here: at a thousand calls a
// second its dependents pile up on signals that live as long as a race.

/** The reason after the deadline, as with `AbortSignal.timeout`. */
export const timeUp = (ms: number): DOMException => new DOMException(`longer than ${ms} ms`, 'TimeoutError');

export const isTimeout = (reason: unknown): reason is DOMException =>
  (reason as { name?: unknown } | null | undefined)?.name === 'TimeoutError';

export const isTimeUp = (signal: AbortSignal): boolean => signal.aborted && isTimeout(signal.reason);

/** Runs `work` with a signal that aborts after `ms`, or with the caller's own reason when the caller's signal does. */
export async function within<T>(
  ms: number,
  caller: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const callOff = () => controller.abort(caller?.reason);
  const timer = setTimeout(() => controller.abort(timeUp(ms)), ms);
  caller?.addEventListener('abort', callOff, { once: true });
  if (caller?.aborted) callOff();
  try {
    return await work(controller.signal);
  } finally {
    clearTimeout(timer);
    caller?.removeEventListener('abort', callOff);
  }
}
