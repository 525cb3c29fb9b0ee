// Presents the best lines of a race with their ages (A 2.4 rule 5).
import type { Static } from '@sinclair/typebox';
import type { SuspectQuote } from '../../../domain/prices/best-price';
import type { BoardBook } from '../../../store/reads/races/board';
import type { AgeHoles, PresentedRace } from '../../wire/aged-race';
import type { QuoteFreshness } from '../../wire/present-freshness';
import { presentName, presentRunner, presentScratching } from '../../wire/present-race';
import { roundPct, roundPrice } from '../../wire/rounded';
import { type BetslipLinks, type BetslipLookup, betslipMembers } from '../betslip/present-betslip';
import type { BestOddsRace } from './best-odds-schema';
import type { Line, LineQuote, RaceLines, RunnerLines } from './present-best-lines';

type Wire = Static<typeof BestOddsRace>;
type WireRunner = Wire['runners'][number];

type Fresh = (book: BoardBook) => QuoteFreshness;

/** `links`: null below Plus, where the betslip members are absent (A 2.4 rule 6). */
export function presentBest(lines: RaceLines, ages: AgeHoles, links: BetslipLookup | null): PresentedRace {
  return { wire: presentBestRace(lines, ages, links), counted: winningBooks(lines.runners), shown: lines.anyBooks };
}

function presentBestRace(lines: RaceLines, ages: AgeHoles, links: BetslipLookup | null): Wire {
  const { race } = lines;
  const quoted = lines.runners.filter(isQuoted);
  return {
    ...presentName(race),
    race_name: race.race_name,
    track_condition: race.track_condition,
    market_percentage: roundPct(lines.marketPct),
    books_compared: lines.winBooks.length,
    scratchings: race.runners.filter((runner) => runner.scratched).map(presentScratching),
    runners: quoted.map((runner) => presentLines(runner, race, ages.quote, links)),
    ...ages.race,
  };
}

/**
 * Runners that no book quotes are left out: clients skip a race in which a runner has no best price, for emergencies in
 * vain.
 */
const isQuoted = ({ win, place, top2, top3, top4, tote }: RunnerLines): boolean =>
  tote !== null || [win, place, top2, top3, top4].some(({ quoting }) => quoting > 0);

/** Books with the best win or place price of some runner: only their ages count for the race. */
function winningBooks(runners: readonly RunnerLines[]): ReadonlySet<BoardBook> {
  const books = new Set<BoardBook>();
  for (const { win, place } of runners) {
    if (win.best) books.add(win.best.book);
    if (place.best) books.add(place.best.book);
  }
  return books;
}

function presentLines(
  lines: RunnerLines,
  race: RaceLines['race'],
  fresh: Fresh,
  links: BetslipLookup | null,
): WireRunner {
  const { runner, win, place, top2, top3, top4, tote } = lines;
  const linksOf = ({ best }: Line) => (links && best ? links(race.race_id, best.bookmaker, runner.number) : null);
  const winLinks = linksOf(win);
  const placeLinks = linksOf(place);
  return {
    ...presentRunner(runner, race.category),
    best_win: bestQuote(win, fresh, slip(links, winLinks, 'win')),
    best_place: bestQuote(place, fresh, slip(links, placeLinks, 'place')),
    best_tote: tote && {
      price: tote.price,
      bookmaker: tote.bookmaker,
      product: tote.product,
      ...fresh(tote.book),
    },
    ...bestLeg('best_top2', top2, fresh, slip(links, null, 'win')),
    ...bestLeg('best_top3', top3, fresh, slip(links, null, 'win')),
    ...bestLeg('best_top4', top4, fresh, slip(links, null, 'win')),
    books_quoting: win.quoting,
    books_quoting_win: win.quoting,
    books_quoting_place: place.quoting,
    price_spread_pct: roundPct(lines.spreadPct),
    suspect_win: worstSuspect(win.suspects),
    suspect_place: worstSuspect(place.suspects),
    ...(links && betslipMembers(winLinks, placeLinks)),
  };
}

function bestQuote(line: Line, fresh: Fresh, slip: Slip): WireRunner['best_win'] {
  return line.best && quoteMembers(line.best, fresh, slip);
}

function quoteMembers(quote: LineQuote, fresh: Fresh, slip: Slip) {
  const { price, bookmaker, book } = quote;
  return { price, bookmaker, ...fresh(book), source_url: book.sourceUrl, ...slip };
}

type Slip = { readonly betslip_url?: string | null };

/** Absent below Plus. Null for Top 2 to 4: books offer no link to them. */
const slip = (lookup: BetslipLookup | null, links: BetslipLinks | null, market: 'win' | 'place'): Slip =>
  lookup === null ? {} : { betslip_url: links?.[market] ?? null };

/** A leg that no book quotes is absent (A 2.4). */
function bestLeg<K extends 'best_top2' | 'best_top3' | 'best_top4'>(
  name: K,
  line: Line,
  fresh: Fresh,
  slip: Slip,
): Partial<Pick<WireRunner, K>> {
  if (!line.best) return {};
  const leg = { ...quoteMembers(line.best, fresh, slip), books_quoting: line.quoting };
  return { [name]: leg } as Partial<Pick<WireRunner, K>>;
}

/** The response has room for one suspect: of several, the highest price. */
function worstSuspect(suspects: readonly SuspectQuote[]): WireRunner['suspect_win'] {
  const [worst] = [...suspects].sort((a, b) => b.price - a.price || (a.bookmaker < b.bookmaker ? -1 : 1));
  return worst ? { bookmaker: worst.bookmaker, price: worst.price, consensus: roundPrice(worst.consensus) } : null;
}
