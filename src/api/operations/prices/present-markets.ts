// Presents every market on one race (A 4.13). Best lines are those of best-odds. A race that takes no more bets has its
// last stored prices, which are never marked as live.
import type { Static } from '@sinclair/typebox';
import { priceSpreadPct } from '../../../domain/prices/best-price';
import { winAndPlaceOnly } from '../../../domain/prices/win-and-place';
import { type BoardState, boardState, isShown } from '../../../domain/race/board-state';
import type { BoardBook } from '../../../store/reads/races/board';
import type { LiveRace } from '../../../store/reads/races/find-races';
import type { RaceExotics } from '../../../store/reads/results/markets';
import { quoteFreshness, secsToJump } from '../../wire/present-freshness';
import { presentFacts, presentIdentity, presentRunner, presentScratching } from '../../wire/present-race';
import { roundPct, roundPrice } from '../../wire/rounded';
import { noteOf } from '../results/present-result';
import { type MarketName, QUOTED_MARKETS, type QuotedMarket, type RaceMarkets } from './markets-schema';
import { bestLines, type RunnerLines } from './present-best-lines';

type Wire = Static<typeof RaceMarkets>;
type Status = Wire['race']['status'];
type Quote = NonNullable<Wire['runners'][number]['markets']['win']>['quotes'][number];
type LastQuoteFreshness = Omit<Quote, 'price' | 'bookmaker' | 'source_url'>;

const NOTES: Readonly<Record<Status, string | null>> = {
  upcoming: null,
  jumped: 'The race has jumped. Prices are the last ones that each book showed; books drop off as they close.',
  off_board:
    'The race has left the live board. Prices are the last ones stored; they are no longer updated, and their ages are true.',
  abandoned: 'The race does not run. Prices are the last ones stored, and their ages are true.',
};

/** `requested`: markets that the race lacks are left out. `exotics`: those of the result; null without a result. */
export function presentMarkets(
  race: LiveRace,
  exotics: RaceExotics | null,
  requested: readonly MarketName[],
  nowMs: number,
): Wire {
  const status = statusOf(race, nowMs);
  const markets = winAndPlaceOnly(race) ? requested.filter((one) => one === 'win' || one === 'place') : requested;
  const quoted = QUOTED_MARKETS.filter((market) => markets.includes(market));
  const lines = bestLines(race, nowMs);
  const fresh = new Map(race.books.map((book) => [book, freshnessOf(book, race.startMs, status, nowMs)]));
  const runners = lines.runners.map((one) => presentMarketRunner(one, race, quoted, fresh));
  const books = booksOf(race, lines.runners, quoted, fresh);
  const ages = books.map((book) => book.age_seconds);
  return {
    race: {
      ...presentIdentity(race),
      ...presentFacts(race),
      places_paid: race.places_paid,
      secs_to_jump: secsToJump(race.startMs, nowMs),
      status,
    },
    as_of: new Date(nowMs).toISOString(),
    markets: [...markets],
    prices: isShown('current', race, nowMs) ? 'current' : 'last_held',
    market_percentage: quoted.includes('win') ? roundPct(lines.marketPct) : null,
    data_age_seconds: ages.length === 0 ? null : Math.max(...ages),
    freshest_age_seconds: ages.length === 0 ? null : Math.min(...ages),
    bookmakers: books,
    runners,
    scratchings: race.runners.filter((runner) => runner.scratched).map(presentScratching),
    ...(markets.includes('exotics') && { exotics: presentExotics(exotics) }),
    note: NOTES[status],
  };
}

const STATUSES: Readonly<Record<BoardState, Status>> = {
  ahead: 'upcoming',
  jumped: 'jumped',
  over: 'off_board',
  abandoned: 'abandoned',
};

const statusOf = (race: LiveRace, nowMs: number): Status =>
  race.status === 'abandoned' ? 'abandoned' : STATUSES[boardState(race, nowMs)];

/** Prices of a race that is over are no longer refreshed: they have no tier, and they are stale whatever their age. */
function freshnessOf(book: BoardBook, startMs: number, status: Status, nowMs: number): LastQuoteFreshness {
  const fresh = quoteFreshness(book, startMs, nowMs);
  return status === 'off_board' || status === 'abandoned' ? { ...fresh, stale: true, refresh_tier: null } : fresh;
}

type Fresh = ReadonlyMap<BoardBook, LastQuoteFreshness>;

function presentMarketRunner(
  lines: RunnerLines,
  race: LiveRace,
  quoted: readonly QuotedMarket[],
  fresh: Fresh,
): Wire['runners'][number] {
  const markets: Wire['runners'][number]['markets'] = {};
  for (const market of quoted) {
    const { best, worst, quoting, suspects } = lines[market];
    markets[market] = {
      best: best && quoteOf(best.book, best.price, fresh.get(best.book)!),
      books_quoting: quoting,
      price_spread_pct: roundPct(priceSpreadPct(best?.price ?? null, worst)),
      suspects: suspects.map(({ bookmaker, price, consensus }) => ({
        bookmaker,
        price,
        consensus: roundPrice(consensus),
      })),
      quotes: quotesOn(race.books, lines.runner.number, market).map(({ book, price }) =>
        quoteOf(book, price, fresh.get(book)!),
      ),
    };
  }
  return { ...presentRunner(lines.runner, race.category), markets };
}

/** Member by member: there are hundreds of quotes, and a spread costs twice as much. */
function quoteOf({ bookmaker, sourceUrl }: BoardBook, price: number, fresh: LastQuoteFreshness): Quote {
  const { last_update, age_seconds, stale, refresh_tier, age_basis } = fresh;
  return { price, bookmaker, last_update, age_seconds, stale, refresh_tier, age_basis, source_url: sourceUrl };
}

const priceOn = (book: BoardBook, number: number, market: QuotedMarket): number | null => {
  const at = book.numbers.indexOf(number);
  return at < 0 ? null : (book[market][at] ?? null);
};

/** Ordered as for choosing the best: highest price, then freshest, then key. */
function quotesOn(books: readonly BoardBook[], number: number, market: QuotedMarket) {
  const quotes: { readonly book: BoardBook; readonly price: number }[] = [];
  for (const book of books) {
    const price = priceOn(book, number, market);
    if (price !== null) quotes.push({ book, price });
  }
  return quotes.sort((a, b) => b.price - a.price || b.book.polledAtMs - a.book.polledAtMs || byKey(a.book, b.book));
}

const byKey = (a: BoardBook, b: BoardBook): number => (a.bookmaker < b.bookmaker ? -1 : 1);

/** The books that quote any of these markets on a runner that is not scratched. */
function booksOf(
  race: LiveRace,
  runners: readonly RunnerLines[],
  quoted: readonly QuotedMarket[],
  fresh: Fresh,
): Wire['bookmakers'] {
  return race.books.flatMap((book) => {
    const priced = quoted.map((market) => {
      const on = runners.filter(({ runner }) => priceOn(book, runner.number, market) !== null);
      return [market, on.length] as const;
    });
    if (priced.every(([, count]) => count === 0)) return [];
    const { bookmaker, sourceUrl } = book;
    return [{ bookmaker, runners_priced: Object.fromEntries(priced), ...fresh.get(book)!, source_url: sourceUrl }];
  });
}

function presentExotics(stored: RaceExotics | null): NonNullable<Wire['exotics']> {
  const settled = stored?.status === 'final';
  return {
    status: stored?.status ?? null,
    settled,
    status_note: stored && noteOf(stored),
    resulted_at: stored?.resulted_at ?? null,
    settled_at: settled ? stored.finalised_at : null,
    dividends: [...(stored?.exotics ?? [])],
  };
}
