// What a watched connection does at intervals of its own.

/** `everyMs`: wall. Whether one of them is due now; it is due again after its interval. */
export function dueTimes<What extends string>(everyMs: Readonly<Record<What, number>>): (what: What) => boolean {
  const beganMs = performance.now();
  const last = new Map<What, number>();
  return (what) => {
    const nowMs = performance.now();
    if (nowMs < (last.get(what) ?? beganMs) + everyMs[what]) return false;
    last.set(what, nowMs);
    return true;
  };
}
