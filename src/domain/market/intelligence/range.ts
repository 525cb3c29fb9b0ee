// The highest and lowest consensus of each runner over the capture window, each with the instant at which it was first so (A 2.6): found by
// looking at every instant at which any book changed any price.
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

/** Per runner of the field; null without a consensus in all the window. */
export function rangesOf(books: readonly BookLines[], rules: RangeRules): readonly (Range | null)[] {
  const changes = changesOf(books, rules);
  const consensus = new RunningConsensus(books.length, rules.size, rules.minBooks);
  const extremes = new Extremes(rules.size);
  const { order, book, runner, price } = changes;
  for (let i = 0; i < order.length; ) {
    const sinceMs = sinceOf(order[i]!);
    for (; i < order.length && sinceOf(order[i]!) === sinceMs; i++) {
      const change = indexOf(order[i]!);
      consensus.set(book[change]!, runner[change]!, price[change]!);
    }
    if (consensus.settle()) extremes.see(consensus.probabilities, rules.opensMs + sinceMs);
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

  see(probabilities: Float64Array, atMs: number): void {
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

/** Columns of changes, and the order in which they happened: milliseconds since the window opened and the column, in one number. */
interface Changes {
  readonly order: Float64Array;
  readonly book: number[];
  readonly runner: number[];
  readonly price: (number | null)[];
}

const COLUMNS = 2 ** 20;
const sinceOf = (order: number): number => Math.floor(order / COLUMNS);
const indexOf = (order: number): number => order % COLUMNS;

function changesOf(books: readonly BookLines[], rules: RangeRules): Changes {
  const order: number[] = [];
  const changes = { book: [] as number[], runner: [] as number[], price: [] as (number | null)[] };
  const add = (book: number, runner: number, atMs: number, price: number | null): void => {
    order.push((atMs - rules.opensMs) * COLUMNS + order.length);
    changes.book.push(book);
    changes.runner.push(runner);
    changes.price.push(price);
  };
  books.forEach(({ lines }, book) => {
    lines.forEach((line, runner) => {
      if (line) addLine(line, rules, (atMs, price) => add(book, runner, atMs, price));
    });
  });
  // A typed array sorts its numbers natively: several times faster than a list with a comparator.
  return { order: Float64Array.from(order).sort(), ...changes };
}

/** What stood when the window opened, each price after it, and the end of the last. */
function addLine(line: PriceLine, rules: RangeRules, add: (atMs: number, price: number | null) => void): void {
  const { opensMs, nowMs } = rules;
  const { atMs, prices, fromMs, untilMs } = line;
  if (untilMs <= opensMs) return;
  const last = countUpTo(atMs, nowMs);
  const first = Math.max(0, countUpTo(atMs, Math.max(opensMs, fromMs)) - 1);
  for (let i = first; i < last; i++) add(i === first ? Math.max(opensMs, fromMs) : atMs[i]!, prices[i]!);
  if (untilMs <= nowMs) add(untilMs, null);
}
