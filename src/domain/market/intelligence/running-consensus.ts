// The consensus of a field whose prices change one after another: only the book that moved is recomputed. After any
// sequence of changes it equals `fieldConsensus` of the prices that stand then.
import { mayHoldPlaceholder } from '../../prices/best-price';
import { bookShare, placeholdersOf } from '../field-consensus';
import { insertInto, removeFrom, replaceIn } from './ascending';

const NONE: readonly number[] = [];

export class RunningConsensus {
  /** Per runner, scaled to 1; meaningful after a `settle` that returned true. */
  readonly probabilities: Float64Array;
  /** Per book, aligned to the field; null where it quotes none. */
  private readonly prices: (number | null)[][];
  /** The same prices per runner, by book; 0 where none is quoted. */
  private readonly quotes: Float64Array[];
  private readonly shares: (readonly number[] | null)[];
  /** Per runner: the probabilities of included books, ascending. */
  private readonly columns: number[][];
  /** Per runner: books whose quote on it is a placeholder (A 2.4 rule 2). */
  private dropped: (readonly number[])[];
  private readonly isBookDue: Uint8Array;
  private readonly isRunnerDue: Uint8Array;

  constructor(
    private readonly books: number,
    private readonly size: number,
    private readonly minBooks: number,
  ) {
    this.probabilities = new Float64Array(size);
    this.prices = Array.from({ length: books }, () => new Array<number | null>(size).fill(null));
    this.quotes = Array.from({ length: size }, () => new Float64Array(books));
    this.shares = new Array<null>(books).fill(null);
    this.columns = Array.from({ length: size }, () => []);
    this.dropped = new Array(size).fill(NONE);
    this.isBookDue = new Uint8Array(books);
    this.isRunnerDue = new Uint8Array(size);
  }

  /** `price` 0: withdrawn. */
  set(book: number, runner: number, price: number): void {
    this.prices[book]![runner] = price || null;
    this.quotes[runner]![book] = price;
    this.isBookDue[book] = 1;
    this.isRunnerDue[runner] = 1;
  }

  /** Applies all changes since the last call. False if fewer than `minBooks` are included. */
  settle(): boolean {
    for (let runner = 0; runner < this.size; runner++) if (this.isRunnerDue[runner]) this.findPlaceholders(runner);
    for (let book = 0; book < this.books; book++) if (this.isBookDue[book]) this.weigh(book);
    return this.scale();
  }

  private findPlaceholders(runner: number): void {
    this.isRunnerDue[runner] = 0;
    const before = this.dropped[runner]!;
    const now = this.mayHoldPlaceholder(runner) ? this.placeholders(runner) : NONE;
    this.dropped[runner] = now;
    for (const book of before) this.isBookDue[book] = 1;
    for (const book of now) this.isBookDue[book] = 1;
  }

  private mayHoldPlaceholder(runner: number): boolean {
    const quotes = this.quotes[runner]!;
    let best = 0;
    let worst = Number.POSITIVE_INFINITY;
    let quoting = 0;
    for (let book = 0; book < quotes.length; book++) {
      const price = quotes[book]!;
      if (price === 0) continue;
      quoting++;
      if (price > best) best = price;
      if (price < worst) worst = price;
    }
    return mayHoldPlaceholder(best, worst, quoting);
  }

  private placeholders(runner: number): readonly number[] {
    const column = this.prices.map((prices, book) => ({ bookmaker: String(book), prices: [prices[runner]!] }));
    return placeholdersOf(column, 1).map(({ bookmaker }) => Number(bookmaker));
  }

  private weigh(book: number): void {
    this.isBookDue[book] = 0;
    const before = this.shares[book]!;
    const isWhole = !this.dropped.some((books) => books.includes(book));
    const now = isWhole ? bookShare({ bookmaker: '', prices: this.prices[book]! }, 'power').probabilities : null;
    this.shares[book] = now;
    if (before === null && now === null) return;
    for (let runner = 0; runner < this.size; runner++) {
      const column = this.columns[runner]!;
      if (before === null) insertInto(column, now![runner]!);
      else if (now === null) removeFrom(column, before[runner]!);
      else replaceIn(column, before[runner]!, now[runner]!);
    }
  }

  private scale(): boolean {
    const included = this.columns[0]?.length ?? 0;
    if (included === 0 || included < this.minBooks) return false;
    const middle = included >> 1;
    const isOdd = included % 2 === 1;
    let sum = 0;
    for (let runner = 0; runner < this.size; runner++) {
      const column = this.columns[runner]!;
      const median = isOdd ? column[middle]! : (column[middle - 1]! + column[middle]!) / 2;
      this.probabilities[runner] = median;
      sum += median;
    }
    for (let runner = 0; runner < this.size; runner++) this.probabilities[runner]! /= sum;
    return true;
  }
}
