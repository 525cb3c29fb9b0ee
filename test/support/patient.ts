/**
 * How long a test waits for an event: longer than the second attempt of lost work takes, and shorter than a test may
 * take (600 s). Wall time.
 */
export const PATIENT_MS = 420_000;

/** A longer pause between two checks counts as this much. */
const MOST_AT_ONCE_MS = 1000;

/** A time limit that counts only while this process runs: a standstill of the machine uses none of it. */
export function createPatience(withinMs: number): { isOver(): boolean } {
  let lookedAtMs = performance.now();
  let leftMs = withinMs;
  return {
    isOver: () => {
      const nowMs = performance.now();
      leftMs -= Math.min(nowMs - lookedAtMs, MOST_AT_ONCE_MS);
      lookedAtMs = nowMs;
      return leftMs < 0;
    },
  };
}
