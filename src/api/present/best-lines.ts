// The best line per runner of a race (A 2.4), computed once and kept without ages: `best-race.ts` says it with the ages of the moment.
import { type BestLine, type BookQuote, bestWin, marketPercentage, priceSpreadPct } from '../../domain/best-price';
import type { BoardBook, BoardRace } from '../../store/reads/board';
import type { RunnerRow } from '../../store/reads/runners';

/** A quote with the book it comes from. */
export interface Quote extends BookQuote {
  readonly book: BoardBook;
}

export interface ToteQuote extends Quote {
  readonly product: string;
}

export type Line = BestLine<Quote>;

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
  readonly marketPct: number | null;
  /** Books that quote a win price on a runner that runs (A 2.4). */
  readonly winBooks: readonly BoardBook[];
  /** Books that quote any leg compared here. */
  readonly anyBooks: readonly BoardBook[];
}

const LEGS = ['win', 'place', 'top2', 'top3', 'top4'] as const;
type Leg = (typeof LEGS)[number];

/** `nowMs` only orders equal prices: the fresher quote wins. */
export function bestLines(race: BoardRace, nowMs: number): RaceLines {
  const ages = new Map(race.books.map((book) => [book, Math.max(0, nowMs - book.polledAtMs) / 1000]));
  const places = race.books.map((book) => new Map(book.numbers.map((number, at) => [number, at])));
  const winBooks = new Set<BoardBook>();
  const anyBooks = new Set<BoardBook>();

  const quotesOf = (runner: RunnerRow, leg: Leg): Quote[] => {
    const quotes: Quote[] = [];
    race.books.forEach((book, i) => {
      const at = places[i]!.get(runner.number);
      const price = at === undefined ? null : (book[leg][at] ?? null);
      if (price === null) return;
      anyBooks.add(book);
      if (leg === 'win') winBooks.add(book);
      quotes.push({ bookmaker: book.bookmaker, price, ageSeconds: ages.get(book)!, book });
    });
    return quotes;
  };

  const runners = race.runners
    .filter((runner) => !runner.scratched)
    .map((runner) => {
      const [win, place, top2, top3, top4] = LEGS.map((leg) => bestWin(quotesOf(runner, leg))) as FiveLines;
      const tote = bestTote(race.books, runner.number, ages);
      const spreadPct = priceSpreadPct(win.best?.price ?? null, win.worst);
      return { runner, win, place, top2, top3, top4, tote, spreadPct };
    });
  const marketPct = marketPercentage(runners.map(({ win }) => win.best?.price ?? null));
  return { race, runners, marketPct, winBooks: [...winBooks], anyBooks: [...anyBooks] };
}

type FiveLines = [Line, Line, Line, Line, Line];

/** The highest estimate of any product; upward biased, as the contract says of it (A 2.4 rule 3). */
function bestTote(books: readonly BoardBook[], number: number, ages: ReadonlyMap<BoardBook, number>): ToteQuote | null {
  let best: ToteQuote | null = null;
  for (const book of books) {
    for (const [product, price] of Object.entries(book.tote?.[number] ?? {})) {
      if (best !== null && price <= best.price) continue;
      best = { bookmaker: book.bookmaker, price, ageSeconds: ages.get(book)!, book, product };
    }
  }
  return best;
}
