// A wait that a signal ends.

/** Rejects with the reason of the signal. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((done, failed) => {
    if (signal.aborted) return failed(signal.reason);
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', leave);
      done();
    }, ms);
    const leave = (): void => {
      clearTimeout(timer);
      failed(signal.reason);
    };
    signal.addEventListener('abort', leave, { once: true });
  });
}
