// One timer for all open connections of a process, which looks in each round at those that have something to do. They
// are spread over the round, so that a thousand looks never come at once.

/**
 * Must not throw; `nowMs`: of `performance.now`. Returns the instant until which it need not be repeated, unless the
 * keys change.
 */
export type Look = (nowMs: number) => number;

export interface Rounds {
  /** `changes` rises whenever the connection must be looked at although it rests. Returns what ends it. */
  join(look: Look, changes: () => number): () => void;
}

interface Member {
  readonly look: Look;
  readonly changes: () => number;
  restsUntilMs: number;
  /** Of `changes`, at its last look. */
  seen: number;
}

/** Each wakes the process: few, and yet a few hundred looks at most at a time. */
const PARTS = 5;

function lookAt(member: Member, nowMs: number): void {
  const changes = member.changes();
  if (nowMs < member.restsUntilMs && changes === member.seen) return;
  member.seen = changes;
  member.restsUntilMs = member.look(nowMs);
}

/** `everyMs`: wall time of a round. */
export function createRounds(everyMs: number): Rounds {
  const partMs = everyMs / PARTS;
  const parts = Array.from({ length: PARTS }, () => new Set<Member>());
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
      for (const member of parts[at]!) lookAt(member, nowMs);
    }
  };

  const start = (): NodeJS.Timeout => {
    lastMs = performance.now();
    return setInterval(step, partMs).unref();
  };

  const emptiest = (): Set<Member> => parts.reduce((least, part) => (part.size < least.size ? part : least));

  return {
    join(look, changes) {
      const part = emptiest();
      const member: Member = { look, changes, restsUntilMs: Number.NEGATIVE_INFINITY, seen: 0 };
      part.add(member);
      size++;
      timer ??= start();
      return () => {
        if (!part.delete(member)) return;
        size--;
        if (size > 0) return;
        clearInterval(timer);
        timer = undefined;
      };
    },
  };
}
