// The runners of one race, a row each: best price, every book's cell with its placeholder and movement, and the
// scratching with its deductions. Pure.
import { bookmaker } from '../../domain/bookmakers';
import type { BestLine } from '../../domain/prices/best-price';
import type { MultiLeg, PricedAt, ToteEstimate } from './course/course';
import { NO_FLUCTUATIONS } from './course/fluctuations';
import type { PriceCell, PriceLine, PriceMovement, RunnerRow, ShownScratching } from './model';
import type { Marks } from './price-paths';
import type { RaceMarket, RunnerMarket } from './race-market';
import type { CardChanges, Deduction, VisibleBook, VisibleRace, VisibleRunner, VisibleTote } from './source';

export const priceOf = (book: VisibleBook, leg: 'win' | 'place' | MultiLeg, number: number): number | null => {
  const at = book.numbers.indexOf(number);
  return at < 0 ? null : (book[leg][at] ?? null);
};

export const titleOfBook = (book: VisibleBook): string => bookmaker(book.bookmaker)?.title ?? book.bookmaker;

export interface RunnerReadings {
  /** Each book's earlier price. */
  readonly marks: Marks;
  readonly changes: CardChanges;
  readonly market: RaceMarket;
}

/** By number, scratched ones included; cells in the order of `books`. */
export function runnerRows(
  { runners, jumpedMs }: Pick<VisibleRace, 'runners' | 'jumpedMs'>,
  books: readonly VisibleBook[],
  readings: RunnerReadings,
): RunnerRow[] {
  const favourite = favouriteOf(runners);
  return runners.map((runner) => {
    const prices = pricesOf(runner, { books, stands: jumpedMs !== null }, readings.marks);
    return {
      ...cardOf(runner, readings.changes.deductions),
      favourite: runner.number === favourite,
      ...prices,
      ...marketOf(readings.market.runners.get(runner.number), prices.win.best?.price),
      fluctuations: readings.market.fluctuations.runners.get(runner.number) ?? NO_FLUCTUATIONS,
    };
  });
}

/** A stale book's price may be the best shown, but has no part in the consensus: then nothing is compared. */
function marketOf(market: RunnerMarket | undefined, best: number | undefined): Pick<RunnerRow, 'consensus' | 'hour'> {
  if (market === undefined || best === undefined) return { consensus: null, hour: null };
  const { consensus, hour } = market;
  if (consensus === null) return { consensus, hour };
  return {
    consensus: { price: consensus.price, bestPct: consensus.bestPrice === best ? consensus.bestPct : null },
    hour,
  };
}

/** The shortest of the best prices; null when several runners share it. */
function favouriteOf(runners: readonly VisibleRunner[]): number | null {
  const priced = runners.flatMap(({ number, win }) => (win.best ? [{ number, price: win.best.price }] : []));
  const shortest = Math.min(...priced.map(({ price }) => price));
  const [only, ...others] = priced.filter(({ price }) => price === shortest);
  return only && others.length === 0 ? only.number : null;
}

function cardOf(runner: VisibleRunner, deductions: readonly Deduction[]) {
  const { number, name, barrier, jockey, trainer, weightKg, form, emergency } = runner;
  const scratching = scratchingOf(runner, deductions);
  return {
    number,
    name,
    barrier,
    jockey,
    trainer,
    weightKg,
    form,
    emergency: emergency === true,
    position: null,
    scratching,
  };
}

function scratchingOf(runner: VisibleRunner, deductions: readonly Deduction[]): ShownScratching | null {
  if (!runner.scratched) return null;
  const { win = null, place = null } = deductions.find(({ number }) => number === runner.number) ?? {};
  return { atMs: runner.scratchedMs, late: runner.late === true, winDeduction: win, placeDeduction: place };
}

interface Quoted {
  readonly books: readonly VisibleBook[];
  /** After the jump: no book becomes stale any more. */
  readonly stands: boolean;
}

type Prices = Pick<RunnerRow, 'win' | 'place' | 'legs' | 'tote'>;

function pricesOf({ number, scratched, win, place, legs, tote }: VisibleRunner, quoted: Quoted, marks: Marks): Prices {
  const { books } = quoted;
  if (scratched)
    return { win: unpriced(books), place: unpriced(books), legs: { top2: null, top3: null, top4: null }, tote: null };
  const leg = (line: BestLine, name: 'place' | MultiLeg): PriceLine =>
    lineOf(
      line,
      (book) => priceOf(book, name, number),
      quoted,
      () => null,
    );
  const mark = (book: VisibleBook) => marks(book.bookmaker, number);
  const best = (name: MultiLeg): PriceLine['best'] => leg(legs[name], name).best;
  return {
    win: lineOf(win, (book) => priceOf(book, 'win', number), quoted, mark),
    place: leg(place, 'place'),
    legs: { top2: best('top2'), top3: best('top3'), top4: best('top4') },
    tote: tote && toteOf(tote, quoted),
  };
}

const toteOf = (tote: VisibleTote, { stands }: Quoted): ToteEstimate => ({
  amount: tote.amount,
  product: tote.product,
  book: bookmaker(tote.bookmaker)?.title ?? tote.bookmaker,
  polledMs: tote.polledAtMs,
  stale: tote.stale,
  staleFromMs: stands ? null : tote.staleFromMs,
});

const unpriced = (books: readonly VisibleBook[]): PriceLine => ({ best: null, cells: books.map(() => null) });

function lineOf(
  line: BestLine,
  price: (book: VisibleBook) => number | null,
  { books, stands }: Quoted,
  mark: (book: VisibleBook) => PricedAt | null,
): PriceLine {
  const cells = books.map((book) => cellOf(line, book, price(book), mark(book)));
  const best = line.best;
  const at = books.filter((_, i) => cells[i]?.best);
  if (best === null || at.length === 0) return { best: null, cells };
  const ordered = freshFirst(at);
  const titles = ordered.map(titleOfBook);
  const shared = titles.length > 1 && titles.length === cells.filter((cell) => cell?.suspectAgainst === null).length;
  const stale = at.every((book) => book.stale);
  return {
    best: {
      price: best.price,
      books: titles,
      shared,
      polledMs: ordered[0]!.polledAtMs,
      stale,
      staleFromMs: stands ? null : lastStaleFromMs(at),
    },
    cells,
  };
}

/** When all of them become stale. */
export const lastStaleFromMs = (books: readonly VisibleBook[]): number =>
  Math.max(0, ...books.map((book) => book.staleFromMs));

const FRESH_WITHIN_MS = 60_000;

/**
 * Books that responded about as lately as the freshest come first; otherwise they stay in the order of the table, so
 * that names do not alternate.
 */
function freshFirst(books: readonly VisibleBook[]): VisibleBook[] {
  const freshestMs = Math.max(...books.map(({ polledAtMs }) => polledAtMs));
  const isFresh = ({ polledAtMs }: VisibleBook): boolean => freshestMs - polledAtMs <= FRESH_WITHIN_MS;
  return [...books.filter(isFresh), ...books.filter((book) => !isFresh(book))];
}

function cellOf(line: BestLine, book: VisibleBook, price: number | null, mark: PricedAt | null): PriceCell | null {
  if (price === null) return null;
  const suspect = line.suspects.find((one) => one.bookmaker === book.bookmaker);
  return {
    price,
    best: suspect === undefined && price === line.best?.price,
    suspectAgainst: suspect?.consensus ?? null,
    move: moveOf(price, mark),
  };
}

function moveOf(price: number, mark: PricedAt | null): PriceMovement | null {
  if (mark === null || mark.price === price) return null;
  const direction = price < mark.price ? 'firming' : 'drifting';
  return { direction, from: mark.price, fromMs: mark.atMs };
}
