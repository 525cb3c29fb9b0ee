// What a watched connection does at intervals, together with the other connections of its process.

/**
 * `everyMs`: wall. Whether one of them is due at an instant of `performance.now`: once in each of its intervals, which
 * begin at the same moment for all connections, so that what is sent for many at once is sent once.
 */
export function dueTimes<What extends string>(
  everyMs: Readonly<Record<What, number>>,
): (what: What, nowMs: number) => boolean {
  const turnAt = (what: What, nowMs: number): number => Math.floor(nowMs / everyMs[what]);
  const beganMs = performance.now();
  const turns = Object.fromEntries(Object.keys(everyMs).map((what) => [what, turnAt(what as What, beganMs)]));
  return (what, nowMs) => {
    const turn = turnAt(what, nowMs);
    if (turn === turns[what]) return false;
    turns[what] = turn;
    return true;
  };
}
