// Which of the polls that wait is next by one order. Not all are compared for each turn: the best few are kept in order
// for a while.

/** Polls that are ordered at once, and for how long the order holds. */
const ORDERED = 64;
const ORDERED_FOR_MS = 250;

interface Turn<P> {
  readonly poll: P;
  readonly merit: number;
}

export class Turns<P> {
  /** Best first. */
  private turns: Turn<P>[] = [];
  private orderedAtMs = Number.NEGATIVE_INFINITY;

  /** `meritOf`: the most is first; null: it has no place in this order. */
  constructor(
    private readonly waiting: ReadonlySet<P>,
    private readonly meritOf: (poll: P, nowMs: number) => number | null,
  ) {}

  /** It has just begun to wait. */
  add(poll: P, nowMs: number): void {
    if (this.turns.length > 0) this.place(poll, nowMs, this.turns.length);
  }

  /** Null: none of those that wait has a place. */
  next(nowMs: number): P | null {
    if (Math.abs(nowMs - this.orderedAtMs) > ORDERED_FOR_MS) this.turns = [];
    return this.take(nowMs) ?? this.order(nowMs);
  }

  /** It may have lost its place since it was ordered. */
  private take(nowMs: number): P | null {
    for (let turn = this.turns.shift(); turn; turn = this.turns.shift())
      if (this.waiting.has(turn.poll) && this.meritOf(turn.poll, nowMs) !== null) return turn.poll;
    return null;
  }

  private order(nowMs: number): P | null {
    this.orderedAtMs = nowMs;
    for (const poll of this.waiting) this.place(poll, nowMs, ORDERED);
    return this.take(nowMs);
  }

  /** Keeps the best `most` in order; of equals the earlier is first. */
  private place(poll: P, nowMs: number, most: number): void {
    const merit = this.meritOf(poll, nowMs);
    const { turns } = this;
    if (merit === null || (turns.length >= most && merit <= turns.at(-1)!.merit)) return;
    let from = 0;
    let to = turns.length;
    while (from < to) {
      const middle = (from + to) >> 1;
      if (turns[middle]!.merit >= merit) from = middle + 1;
      else to = middle;
    }
    turns.splice(from, 0, { poll, merit });
    if (turns.length > most) turns.pop();
  }
}
