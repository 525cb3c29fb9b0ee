// The highest and lowest consensus of each runner over the capture window, each with its first instant (A 2.6):
// computed at every instant at which any book changed any price.
import { type BookLines, countUpTo, type PriceLine } from './captured';
import { RunningConsensus } from './running-consensus';

/** A win probability and when it began to stand, epoch milliseconds. */
export interface Extreme {
  readonly probability: number;
  readonly atMs: number;
}

/** `high` is the highest price, so the lowest probability. */
export interface Range {
  readonly high: Extreme;
  readonly low: Extreme;
}

export interface RangeRules {
  readonly size: number;
  readonly minBooks: number;
  readonly opensMs: number;
  readonly nowMs: number;
}

/** Per runner of the field; null if the window has no consensus at all. */
export function rangesOf(books: readonly BookLines[], rules: RangeRules): readonly (Range | null)[] {
  const changes = new Changes(books, rules);
  const order = changes.inTime();
  const consensus = new RunningConsensus(books.length, rules.size, rules.minBooks);
  const extremes = new Extremes(rules.size);
  for (let i = 0; i < order.length; ) {
    const sinceMs = sinceOf(order[i]!);
    for (; i < order.length && sinceOf(order[i]!) === sinceMs; i++) {
      const change = indexOf(order[i]!);
      consensus.set(changes.book[change]!, changes.runner[change]!, changes.price[change]!);
    }
    if (consensus.settle()) extremes.observe(consensus.probabilities, rules.opensMs + sinceMs);
  }
  return extremes.ranges();
}

class Extremes {
  private readonly least: Float64Array;
  private readonly most: Float64Array;
  private readonly leastAtMs: Float64Array;
  private readonly mostAtMs: Float64Array;

  constructor(private readonly size: number) {
    this.least = new Float64Array(size).fill(2);
    this.most = new Float64Array(size).fill(-1);
    this.leastAtMs = new Float64Array(size);
    this.mostAtMs = new Float64Array(size);
  }

  observe(probabilities: Float64Array, atMs: number): void {
    for (let i = 0; i < this.size; i++) {
      const probability = probabilities[i]!;
      if (probability < this.least[i]!) {
        this.least[i] = probability;
        this.leastAtMs[i] = atMs;
      }
      if (probability > this.most[i]!) {
        this.most[i] = probability;
        this.mostAtMs[i] = atMs;
      }
    }
  }

  ranges(): (Range | null)[] {
    return Array.from({ length: this.size }, (_, i) => {
      if (this.most[i]! < 0) return null;
      const high = { probability: this.least[i]!, atMs: this.leastAtMs[i]! };
      return { high, low: { probability: this.most[i]!, atMs: this.mostAtMs[i]! } };
    });
  }
}

const INDICES = 2 ** 20;
const sinceOf = (order: number): number => Math.floor(order / INDICES);
const indexOf = (order: number): number => order % INDICES;

/** Every change of the window, in columns. */
class Changes {
  readonly book: Uint8Array;
  readonly runner: Uint8Array;
  /** 0: withdrawn. */
  readonly price: Float64Array;
  /** Milliseconds since the window opened and the change's index, in one number. */
  private readonly order: Float64Array;
  private count = 0;

  constructor(
    books: readonly BookLines[],
    private readonly rules: RangeRules,
  ) {
    const most = mostChanges(books);
    this.book = new Uint8Array(most);
    this.runner = new Uint8Array(most);
    this.price = new Float64Array(most);
    this.order = new Float64Array(most);
    for (let book = 0; book < books.length; book++) {
      const { lines } = books[book]!;
      for (let runner = 0; runner < lines.length; runner++) {
        const line = lines[runner]!;
        if (line !== null) this.addLine(book, runner, line);
      }
    }
  }

  /** A typed array sorts its numbers natively: several times faster than a list with a comparator. */
  inTime(): Float64Array {
    return this.order.subarray(0, this.count).sort();
  }

  /** Adds the price at the opening of the window, each later price, and the end of the last one. */
  private addLine(book: number, runner: number, { atMs, prices, fromMs, untilMs }: PriceLine): void {
    const { opensMs, nowMs } = this.rules;
    if (untilMs <= opensMs) return;
    const beginsMs = Math.max(opensMs, fromMs);
    const last = countUpTo(atMs, nowMs);
    const first = Math.max(0, countUpTo(atMs, beginsMs) - 1);
    this.add(book, runner, beginsMs, prices[first]!);
    for (let i = first + 1; i < last; i++) this.add(book, runner, atMs[i]!, prices[i]!);
    if (untilMs <= nowMs) this.add(book, runner, untilMs, 0);
  }

  private add(book: number, runner: number, atMs: number, price: number): void {
    const index = this.count++;
    this.book[index] = book;
    this.runner[index] = runner;
    this.price[index] = price;
    this.order[index] = (atMs - this.rules.opensMs) * INDICES + index;
  }
}

function mostChanges(books: readonly BookLines[]): number {
  let most = 0;
  for (const { lines } of books) for (const line of lines) if (line !== null) most += line.atMs.length + 1;
  return most;
}
