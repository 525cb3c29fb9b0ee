// Best lines in the words of the wire, with the ages of the moment (A 2.4 rule 5).
import type { Static } from '@sinclair/typebox';
import type { SuspectQuote } from '../../domain/best-price';
import type { BoardBook } from '../../store/reads/board';
import type { BestOddsRace } from '../schemas/best-odds';
import type { Line, Quote, RaceLines, RunnerLines } from './best-lines';
import { type QuoteFreshness, quoteFreshness, raceFreshness, secsToJump } from './freshness';
import { presentRunner, presentScratching } from './race';

type Wire = Static<typeof BestOddsRace>;
type WireRunner = Wire['runners'][number];

type Fresh = (book: BoardBook) => QuoteFreshness;
type RaceAges = ReturnType<typeof raceFreshness>;

export interface Ages {
  readonly quote: Fresh;
  readonly race: RaceAges;
}

/** `betslip`: Plus and above carry the betslip members (A 2.4 rule 6); absent below. */
export function presentBestRace(lines: RaceLines, ages: Ages, betslip: boolean): Wire {
  const { race } = lines;
  const { race_id, venue, race_number, category, country, start_time, race_name, track_condition } = race;
  return {
    race_id,
    venue,
    race_number,
    category,
    country,
    start_time,
    race_name,
    track_condition,
    market_percentage: round(lines.marketPct),
    books_compared: lines.winBooks.length,
    scratchings: race.runners.filter((runner) => runner.scratched).map(presentScratching),
    runners: lines.runners.map((runner) => presentLines(runner, race.category, ages.quote, betslip)),
    ...ages.race,
  };
}

/** The ages of a race at `nowMs`; `heldSeconds` is how long ago its lines were computed, null: for this request. */
export function agesOf(lines: RaceLines, nowMs: number, heldSeconds: number | null): Ages {
  const { race } = lines;
  const fresh = new Map(race.books.map((book) => [book, quoteFreshness(book, race.startMs, nowMs)]));
  const quote: Fresh = (book) => fresh.get(book)!;
  const winning = winningBooks(lines.runners).map(quote);
  const compared = new Map(lines.anyBooks.map((book) => [book.bookmaker, quote(book)]));
  return { quote, race: raceFreshness(winning, compared, secsToJump(race.startMs, nowMs), heldSeconds) };
}

/** Books with the best win or place price of some runner: theirs are the ages that matter. */
function winningBooks(runners: readonly RunnerLines[]): BoardBook[] {
  const books = new Set<BoardBook>();
  for (const { win, place } of runners) {
    if (win.best) books.add(win.best.book);
    if (place.best) books.add(place.best.book);
  }
  return [...books];
}

function presentLines(lines: RunnerLines, category: Wire['category'], fresh: Fresh, betslip: boolean): WireRunner {
  const { runner, win, place, top2, top3, top4, tote } = lines;
  return {
    ...presentRunner(runner, category),
    best_win: bestQuote(win, fresh, betslip),
    best_place: bestQuote(place, fresh, betslip),
    best_tote: tote && {
      price: tote.price,
      bookmaker: tote.bookmaker,
      product: tote.product,
      ...fresh(tote.book),
    },
    ...bestLeg('best_top2', top2, fresh, betslip),
    ...bestLeg('best_top3', top3, fresh, betslip),
    ...bestLeg('best_top4', top4, fresh, betslip),
    books_quoting: win.quoting,
    books_quoting_win: win.quoting,
    books_quoting_place: place.quoting,
    price_spread_pct: round(lines.spreadPct),
    suspect_win: worstSuspect(win.suspects),
    suspect_place: worstSuspect(place.suspects),
    // No book of the table has a provable betslip route yet: the members are there on Plus, and say so.
    ...(betslip && { betslip_win_url: null, betslip_place_url: null, betslip_app_only: null }),
  };
}

function bestQuote(line: Line, fresh: Fresh, betslip: boolean): WireRunner['best_win'] {
  return line.best && quoteMembers(line.best, fresh, betslip);
}

function quoteMembers(quote: Quote, fresh: Fresh, betslip: boolean) {
  const { price, bookmaker, book } = quote;
  const link = { source_url: book.sourceUrl, ...(betslip && { betslip_url: null }) };
  return { price, bookmaker, ...fresh(book), ...link };
}

/** A leg that no book quotes is absent (A 2.4). */
function bestLeg<K extends 'best_top2' | 'best_top3' | 'best_top4'>(
  name: K,
  line: Line,
  fresh: Fresh,
  betslip: boolean,
): Partial<Pick<WireRunner, K>> {
  if (!line.best) return {};
  const leg = { ...quoteMembers(line.best, fresh, betslip), books_quoting: line.quoting };
  return { [name]: leg } as Partial<Pick<WireRunner, K>>;
}

/** The contract's member holds one: the furthest from the market when a runner has two. */
function worstSuspect(suspects: readonly SuspectQuote[]): WireRunner['suspect_win'] {
  const [worst] = [...suspects].sort((a, b) => b.price - a.price || (a.bookmaker < b.bookmaker ? -1 : 1));
  return worst ? { bookmaker: worst.bookmaker, price: worst.price, consensus: round(worst.consensus)! } : null;
}

const round = (value: number | null): number | null => (value === null ? null : Math.round(value * 100) / 100);
