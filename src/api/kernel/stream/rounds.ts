// One timer for all open connections of a process, which looks at each of them once in a round. They are spread over
// the round, so that a thousand looks never come at once.

export interface Rounds {
  /** `look` must not throw; `nowMs`: of `performance.now`. Returns what ends it. */
  join(look: (nowMs: number) => void): () => void;
}

/** Each wakes the process: few, and yet a few hundred looks at most at a time. */
const PARTS = 5;

/** `everyMs`: wall time of a round. */
export function createRounds(everyMs: number): Rounds {
  const partMs = everyMs / PARTS;
  const parts = Array.from({ length: PARTS }, () => new Set<(nowMs: number) => void>());
  let size = 0;
  let at = 0;
  let timer: NodeJS.Timeout | undefined;
  let lastMs = 0;

  /** After a stall of the process the parts that were due meanwhile are looked at together. */
  const step = (): void => {
    const nowMs = performance.now();
    const due = Math.round((nowMs - lastMs) / partMs);
    lastMs = nowMs;
    for (let i = 0; i < Math.min(Math.max(due, 1), PARTS); i++) {
      at = (at + 1) % PARTS;
      for (const look of parts[at]!) look(nowMs);
    }
  };

  const start = (): NodeJS.Timeout => {
    lastMs = performance.now();
    return setInterval(step, partMs).unref();
  };

  const emptiest = (): Set<(nowMs: number) => void> =>
    parts.reduce((least, part) => (part.size < least.size ? part : least));

  return {
    join(look) {
      const part = emptiest();
      part.add(look);
      size++;
      timer ??= start();
      return () => {
        if (!part.delete(look)) return;
        size--;
        if (size > 0) return;
        clearInterval(timer);
        timer = undefined;
      };
    },
  };
}
