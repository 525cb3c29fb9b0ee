// Measures how long this thread has worked. On a busy machine a span of wall time is mostly that of other processes,
// and reading processor time takes a system call: so short spans use the wall clock, and long ones the processor if
// that is less.

/** Milliseconds, never going back; only differences are meaningful. */
export type ProcessorClock = () => number;

/** A longer span is measured by the processor at both ends. */
const SHORT_MS = 1;

/** `wallMs`: monotonic. `cpuMs`: processor time of this thread. */
export function createProcessorClock(
  wallMs: () => number = () => performance.now(),
  cpuMs: () => number = threadMs,
): ProcessorClock {
  let workedMs = 0;
  let last = wallMs();
  let read = { wallMs: last, cpuMs: cpuMs(), workedMs };
  return () => {
    const now = wallMs();
    workedMs += Math.max(0, now - last);
    last = now;
    if (now - read.wallMs > SHORT_MS) {
      const cpu = cpuMs();
      workedMs = Math.max(read.workedMs, Math.min(workedMs, read.workedMs + Math.max(0, cpu - read.cpuMs)));
      read = { wallMs: now, cpuMs: cpu, workedMs };
    }
    return workedMs;
  };
}

function threadMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
