// Answers of one whole second of race time: the same question is computed, serialised and tagged once, however many ask it. Never
// given later than a second of the wall after they were begun: the race clock may stand still. A failure is never held.
import type { Said } from './answer';

type Compute = () => Promise<Said>;

export interface HeldAnswers {
  /** As of the whole second `nowMs`. */
  inSecond(question: string, nowMs: number, compute: Compute): Promise<Said>;
  /** For what may not be held: only those who ask while it is being read share the reading. */
  whileRead(question: string, compute: Compute): Promise<Said>;
}

export interface Bounds {
  /** Of the wall. 0: every call computes its own. */
  readonly heldMs: number;
  readonly entries: number;
  /** Of bodies as they are; their packed forms are a fraction more. */
  readonly bytes: number;
}

export const BOUNDS: Bounds = { heldMs: 1000, entries: 2000, bytes: 128 * 1024 * 1024 };

/** The answers of one second; with the next one they are all let go. */
interface Second {
  readonly ms: number;
  readonly beganMs: number;
  readonly answers: Map<string, Promise<Said>>;
  bytes: number;
}

export function createHeldAnswers(
  bounds: Bounds = BOUNDS,
  wallMs: () => number = () => performance.now(),
): HeldAnswers {
  if (bounds.heldMs === 0) return { inSecond: (_, __, compute) => compute(), whileRead: (_, compute) => compute() };
  let current = emptySecond(Number.NEGATIVE_INFINITY, 0);
  const reading = new Map<string, Promise<Said>>();

  const secondOf = (nowMs: number): Second => {
    const atMs = wallMs();
    if (current.ms !== nowMs || atMs - current.beganMs >= bounds.heldMs) current = emptySecond(nowMs, atMs);
    return current;
  };

  const begin = (question: string, second: Second, compute: Compute): Promise<Said> => {
    const { answers } = second;
    const answer = compute();
    if (answers.size >= bounds.entries || second.bytes >= bounds.bytes) return answer;
    answers.set(question, answer);
    answer.then(
      (said) => {
        second.bytes += said.bytes.length;
        if (said.forOneOnly) answers.delete(question);
      },
      () => answers.delete(question),
    );
    return answer;
  };

  return {
    async inSecond(question, nowMs, compute) {
      const second = secondOf(nowMs);
      const held = second.answers.get(question);
      if (!held) return begin(question, second, compute);
      const answer = await held;
      // It was another's alone: the next one is for all who are left.
      return answer.forOneOnly ? (second.answers.get(question) ?? begin(question, second, compute)) : answer;
    },
    whileRead(question, compute) {
      const held = reading.get(question);
      if (held) return held;
      const answer = compute();
      reading.set(question, answer);
      const end = () => void reading.delete(question);
      answer.then(end, end);
      return answer;
    },
  };
}

const emptySecond = (ms: number, beganMs: number): Second => ({ ms, beganMs, answers: new Map(), bytes: 0 });
