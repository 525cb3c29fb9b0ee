// Measures how long the machine, or this process with everything that it simulates, stood still. In race time, for any
// period, so that tests expect nothing of the service while nothing could run.

export interface Standstills {
  /** Race milliseconds between the two instants during which nothing ran. */
  within(fromMs: number, toMs: number): number;
  close(): void;
}

const BEAT_MS = 50;
/** A beat this late is more than a timer's inaccuracy. Wall time. */
const LATE_MS = 250;

/** `now`: race time. */
export function watchStandstills(now: () => number): Standstills {
  const still: { fromMs: number; toMs: number }[] = [];
  let last = { wallMs: Date.now(), raceMs: now() };
  const beat = () => {
    const next = { wallMs: Date.now(), raceMs: now() };
    if (next.wallMs - last.wallMs > LATE_MS) still.push({ fromMs: last.raceMs, toMs: next.raceMs });
    last = next;
  };
  const beating = setInterval(beat, BEAT_MS);
  return {
    within: (fromMs, toMs) => {
      beat();
      return still.reduce(
        (sum, { fromMs: a, toMs: b }) => sum + Math.max(0, Math.min(b, toMs) - Math.max(a, fromMs)),
        0,
      );
    },
    close: () => clearInterval(beating),
  };
}
