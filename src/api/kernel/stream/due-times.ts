// What a watched connection does at intervals, together with the other connections of its process.

export interface DueTimes<What extends string> {
  /** Whether one of them is due at an instant of `performance.now`: once in each of its intervals. */
  isDue(what: What, nowMs: number): boolean;
  /** When the next of them is due. */
  nextMs(): number;
}

/**
 * `everyMs`: wall. The intervals begin at the same moment for all connections, so that what is sent for many at once is
 * sent once.
 */
export function dueTimes<What extends string>(everyMs: Readonly<Record<What, number>>): DueTimes<What> {
  const turnAt = (what: What, nowMs: number): number => Math.floor(nowMs / everyMs[what]);
  const beganMs = performance.now();
  const all = Object.keys(everyMs) as What[];
  const turns = Object.fromEntries(all.map((what) => [what, turnAt(what, beganMs)])) as Record<What, number>;
  return {
    isDue(what, nowMs) {
      const turn = turnAt(what, nowMs);
      if (turn === turns[what]) return false;
      turns[what] = turn;
      return true;
    },
    nextMs: () => Math.min(...all.map((what) => (turns[what] + 1) * everyMs[what])),
  };
}
