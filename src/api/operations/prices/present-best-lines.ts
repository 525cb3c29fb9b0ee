// The best line per runner of a race (A 2.4), without ages, so that it can be cached; `best-race.ts` presents it with
// current ages.
import {
  type BestLine,
  type BookQuote,
  bestWin,
  marketPercentage,
  priceSpreadPct,
} from '../../../domain/prices/best-price';
import { winAndPlaceOnly } from '../../../domain/prices/win-and-place';
import { isVacantBox } from '../../../domain/race/runner';
import type { BoardBook, BoardRace } from '../../../store/reads/races/board';
import type { RunnerRow } from '../../../store/reads/races/runners';

/** A quote with the book it comes from. */
export interface LineQuote extends BookQuote {
  readonly book: BoardBook;
}

interface ToteQuote extends LineQuote {
  readonly product: string;
}

export type Line = BestLine<LineQuote>;

export interface RunnerLines {
  readonly runner: RunnerRow;
  readonly win: Line;
  readonly place: Line;
  readonly top2: Line;
  readonly top3: Line;
  readonly top4: Line;
  readonly tote: ToteQuote | null;
  readonly spreadPct: number | null;
}

export interface RaceLines {
  readonly race: BoardRace;
  readonly runners: readonly RunnerLines[];
  /** Of the best win prices, in percent. Null if a runner that may start has none. */
  readonly marketPct: number | null;
  /** Books that quote a win price on a runner that runs (A 2.4). */
  readonly winBooks: readonly BoardBook[];
  /** Books that quote any leg compared here. */
  readonly anyBooks: readonly BoardBook[];
}

type Leg = 'win' | 'place' | 'top2' | 'top3' | 'top4';

const NO_LINE: Line = bestWin<LineQuote>([]);

/** `nowMs` is used only to order equal prices: the fresher quote wins. */
export function bestLines(race: BoardRace, nowMs: number): RaceLines {
  const { books } = race;
  const ages = books.map((book) => Math.max(0, nowMs - book.polledAtMs) / 1000);
  const anyBooks = new Set<BoardBook>();
  const winBooks = new Set<BoardBook>();

  const lineOf = (number: number, leg: Leg, quoting?: Set<BoardBook>): Line => {
    const quotes: LineQuote[] = [];
    for (let i = 0; i < books.length; i++) {
      const book = books[i]!;
      const price = book[leg][book.numbers.indexOf(number)];
      if (price == null) continue;
      anyBooks.add(book);
      quoting?.add(book);
      quotes.push({ bookmaker: book.bookmaker, price, ageSeconds: ages[i]!, book });
    }
    return quotes.length === 0 ? NO_LINE : bestWin(quotes);
  };

  const simple = winAndPlaceOnly(race);
  const runners: RunnerLines[] = [];
  for (const runner of race.runners) {
    if (runner.scratched) continue;
    const { number } = runner;
    const win = lineOf(number, 'win', winBooks);
    runners.push({
      runner,
      win,
      place: lineOf(number, 'place'),
      top2: simple ? NO_LINE : lineOf(number, 'top2'),
      top3: simple ? NO_LINE : lineOf(number, 'top3'),
      top4: simple ? NO_LINE : lineOf(number, 'top4'),
      tote: simple ? null : bestTote(books, number, ages),
      spreadPct: priceSpreadPct(win.best?.price ?? null, win.worst),
    });
  }
  return { race, runners, marketPct: marketPctOf(runners), winBooks: [...winBooks], anyBooks: [...anyBooks] };
}

/** Null without the win price of a starter: the sum over the others would pass for a market without a margin. */
function marketPctOf(runners: readonly RunnerLines[]): number | null {
  const isOpen = runners.some(({ runner, win }) => win.best === null && mayStart(runner));
  return isOpen ? null : marketPercentage(runners.map(({ win }) => win.best?.price ?? null));
}

const mayStart = ({ emergency, name }: RunnerRow): boolean => emergency !== true && !isVacantBox(name);

/** The highest estimate of any product, which is biased upward (A 2.4 rule 3). */
function bestTote(books: readonly BoardBook[], number: number, ages: readonly number[]): ToteQuote | null {
  let best: ToteQuote | null = null;
  for (let i = 0; i < books.length; i++) {
    const book = books[i]!;
    for (const [product, price] of Object.entries(book.tote?.[number] ?? {})) {
      if (best !== null && price <= best.price) continue;
      best = { bookmaker: book.bookmaker, price, ageSeconds: ages[i]!, book, product };
    }
  }
  return best;
}
