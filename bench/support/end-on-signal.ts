// Ends a benchmark that is stopped, so that what must not outlive it (`process.once('exit', …)`) ends too.
export function endOnSignal(): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1));
}
