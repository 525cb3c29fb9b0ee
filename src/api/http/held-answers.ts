// Answers of one whole second of race time: the same question is computed, serialised and tagged once, however many ask it. Never
// given later than a second of the wall after they were begun: the race clock may stand still. A failure is never held.
import type { Said } from './answer';

type Compute = () => Promise<Said>;
/** Once it is there it is given without waiting. */
type Answer = Said | Promise<Said>;

export interface HeldAnswers {
  /** As of the whole second `nowMs`. */
  inSecond(question: string, nowMs: number, compute: Compute): Answer;
  /** For what may not be held: one reading serves those who ask the same within 25 ms of its beginning. */
  inMoment(question: string, compute: Compute): Answer;
}

export interface Bounds {
  /** Of the wall. 0: every call computes its own. */
  readonly heldMs: number;
  readonly momentMs: number;
  readonly entries: number;
  /** Of bodies as they are; their packed forms are a fraction more. */
  readonly bytes: number;
}

export const BOUNDS: Bounds = { heldMs: 1000, momentMs: 25, entries: 2000, bytes: 128 * 1024 * 1024 };

/** The answers of one second, or of one moment; with the next one they are all let go. */
class Span {
  private readonly answers = new Map<string, Answer>();
  private bytes = 0;

  constructor(
    readonly ms: number,
    readonly beganMs: number,
    private readonly bounds: Bounds,
  ) {}

  give(question: string, compute: Compute): Answer {
    const held = this.answers.get(question);
    if (held === undefined) return this.begin(question, compute);
    if (!('then' in held)) return held;
    // What was another's alone was told to nobody else: the next one is for all who are left.
    return held.then((said) =>
      said.forOneOnly ? (this.answers.get(question) ?? this.begin(question, compute)) : said,
    );
  }

  private begin(question: string, compute: Compute): Promise<Said> {
    const answer = compute();
    if (this.answers.size >= this.bounds.entries || this.bytes >= this.bounds.bytes) return answer;
    this.answers.set(question, answer);
    answer.then(
      (said) => this.keep(question, said),
      () => this.answers.delete(question),
    );
    return answer;
  }

  private keep(question: string, said: Said): void {
    if (said.forOneOnly) {
      this.answers.delete(question);
      return;
    }
    this.bytes += said.bytes.length;
    this.answers.set(question, said);
  }
}

export function createHeldAnswers(
  bounds: Bounds = BOUNDS,
  wallMs: () => number = () => performance.now(),
): HeldAnswers {
  if (bounds.heldMs === 0) return { inSecond: (_, __, compute) => compute(), inMoment: (_, compute) => compute() };
  let current = new Span(Number.NaN, 0, bounds);
  let moment = new Span(0, Number.NEGATIVE_INFINITY, bounds);
  return {
    inSecond(question, nowMs, compute) {
      const atMs = wallMs();
      if (current.ms !== nowMs || atMs - current.beganMs >= bounds.heldMs) current = new Span(nowMs, atMs, bounds);
      return current.give(question, compute);
    },
    inMoment(question, compute) {
      const atMs = wallMs();
      if (atMs - moment.beganMs >= bounds.momentMs) moment = new Span(0, atMs, bounds);
      return moment.give(question, compute);
    },
  };
}
