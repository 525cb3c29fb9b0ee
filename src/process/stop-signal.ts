// SIGTERM and SIGINT, from the first moment of a process: the first one asks it to drain, the second one ends it at
// once.

/** A shell's exit code for a process that a signal ended. */
const ENDED_BY_SIGNAL = { SIGTERM: 143, SIGINT: 130 } as const;

/** Aborted for the same reason, this many milliseconds (wall) after `stop`. */
export function afterwards(stop: AbortSignal, ms: number): AbortSignal {
  if (ms === 0) return stop;
  const later = new AbortController();
  const end = () => setTimeout(() => later.abort(stop.reason), ms);
  stop.addEventListener('abort', end, { once: true });
  return later.signal;
}

/** Aborted by the first signal, with its name as the reason. */
export function stopSignal(): AbortSignal {
  const stop = new AbortController();
  for (const name of ['SIGTERM', 'SIGINT'] as const) {
    process.on(name, () => {
      if (stop.signal.aborted) process.exit(ENDED_BY_SIGNAL[name]);
      stop.abort(name);
    });
  }
  return stop.signal;
}
