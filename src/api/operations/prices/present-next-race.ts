// Presents a race that is next to jump, with the quotes of every visible book (A 2.3). A scratched runner is never
// priced.
import type { Static } from '@sinclair/typebox';
import { winAndPlaceOnly } from '../../../domain/prices/win-and-place';
import type { BoardBook, BoardRace } from '../../../store/reads/races/board';
import type { RunnerRow } from '../../../store/reads/races/runners';
import { type Audience, marketStateFor } from '../../kernel/endpoint/visibility';
import type { AgeHoles, PresentedRace } from '../../wire/aged-race';
import type { QuoteFreshness } from '../../wire/present-freshness';
import { marketState, presentFacts, presentIdentity, presentRunner, presentScratching } from '../../wire/present-race';
import { type BetslipLinks, type BetslipLookup, betslipMembers } from '../betslip/present-betslip';
import type { NextRace } from './next-to-go-schema';

type Wire = Static<typeof NextRace>;
type BookQuotes = Wire['runners'][number]['bookmakers'][number];
/** One book's links by saddlecloth number. */
type Slips = (number: number) => BetslipLinks | null;

/** `links`: null below Plus, where quotes have no betslip members (A 2.3). */
export function presentNext(
  race: BoardRace,
  audience: Audience,
  ages: AgeHoles,
  links: BetslipLookup | null,
): PresentedRace {
  const quotes = new Map<number, BookQuotes[]>();
  const running = race.runners.filter((runner) => !runner.scratched);
  for (const runner of running) quotes.set(runner.number, []);
  const simple = winAndPlaceOnly(race);
  const quoting = race.books.filter((book) => {
    const slips = links && ((number: number) => links(race.race_id, book.bookmaker, number));
    const shown = simple ? { ...book, top2: [], top3: [], top4: [], tote: null } : book;
    return addQuotes(quotes, shown, ages.quote(book), slips);
  });
  const { market_closed_at, inplay_at, market_state_source } = marketStateFor(audience, marketState(race));
  const wire: Wire = {
    ...presentIdentity(race),
    source_id: null,
    ...presentFacts(race),
    places_paid: race.places_paid,
    market_closed_at,
    inplay_at,
    market_state_source,
    scratchings: race.runners.filter((runner) => runner.scratched).map(presentScratching),
    runners: running.map((runner) => presentPriced(runner, race, quotes)),
    ...ages.race,
  };
  return { wire, counted: quoting, shown: quoting };
}

function presentPriced(runner: RunnerRow, race: BoardRace, quotes: ReadonlyMap<number, BookQuotes[]>) {
  return { ...presentRunner(runner, race.category), bookmakers: quotes.get(runner.number)! };
}

/** Adds the book's quotes; returns whether it quotes any of these runners. */
function addQuotes(
  quotes: ReadonlyMap<number, BookQuotes[]>,
  book: BoardBook,
  fresh: QuoteFreshness,
  slips: Slips | null,
): boolean {
  let any = false;
  book.numbers.forEach((number, at) => {
    const list = quotes.get(number);
    const row = list && quotesOf(book, at, fresh, slips);
    if (row) any = list.push(row) > 0;
  });
  return any;
}

/** A leg that is not quoted has no key (D3); a book that quotes nothing on the runner has no row. */
function quotesOf(book: BoardBook, at: number, fresh: QuoteFreshness, slips: Slips | null): BookQuotes | null {
  const win = book.win[at] ?? null;
  const legs: Partial<Record<'place_price' | 'top2_price' | 'top3_price' | 'top4_price', number>> = {};
  if (book.place[at] != null) legs.place_price = book.place[at];
  if (book.top2[at] != null) legs.top2_price = book.top2[at];
  if (book.top3[at] != null) legs.top3_price = book.top3[at];
  if (book.top4[at] != null) legs.top4_price = book.top4[at];
  const tote = book.tote?.[book.numbers[at]!];
  if (win === null && !tote && Object.keys(legs).length === 0) return null;
  const source = book.sourceUrl === null ? {} : { source_url: book.sourceUrl };
  const totes = tote && { tote_win: tote };
  return { key: book.bookmaker, win_price: win, ...legs, ...totes, ...source, ...slipOf(book, at, slips), ...fresh };
}

/** A market that the book does not quote has no link. */
function slipOf(book: BoardBook, at: number, slips: Slips | null) {
  if (slips === null) return {};
  const links = slips(book.numbers[at]!);
  return betslipMembers(book.win[at] == null ? null : links, book.place[at] == null ? null : links);
}
