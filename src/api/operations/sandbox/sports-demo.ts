// The sandbox's samples of sports: a few matches, computed once in 45 or 90 seconds for all API processes (shapes 3.8).
import type { Static } from '@sinclair/typebox';
import { bookmaker, SPORT_BOOKS } from '../../../domain/bookmakers';
import { compareH2h, DRAW } from '../../../domain/sports/compare';
import { onlyWanted, type PricedMatch, seenOf } from '../../../domain/sports/match';
import { SPORTS, type Sport, sportOf } from '../../../domain/sports/sports';
import type { InputProblem } from '../../../errors';
import { didYouMean } from '../../../nearest';
import type { SharedAnswers } from '../../../store/redis/shared-answers';
import { CUSTOMERS } from '../../kernel/endpoint/visibility';
import { updateOf } from '../sports/present-match';
import type { SportsBoard } from '../sports/sports-board';
import {
  type DemoBestOdds,
  type DemoBookMatch,
  type DemoBookSport,
  MOST_EVENTS,
  RACING_SLUGS,
} from './sports-demo-schema';

type BestSample = Pick<Static<typeof DemoBestOdds>, 'sport' | 'events' | 'truncated' | 'cached'>;
type DemoMatch = Static<typeof DemoBookMatch>;
type BookSample = Pick<Static<typeof DemoBookSport>, 'has_data' | 'truncated' | 'cached'> & { items: DemoMatch[] };

export interface SportsDemo {
  /** Null: the sport that most books price now. */
  bestOdds(sportKey: string | null, nowMs: number): Promise<BestSample>;
  bookSport(bookmakerKey: string, sportKey: string, nowMs: number): Promise<BookSample>;
}

const BEST_CACHED_MS = 45_000;
const BOOK_CACHED_MS = 90_000;
/** Part of the cache keys: raise it when a sample changes in form or content. */
const FORM = 'demo sports 1';
const MAX_AGE_SECONDS = 6 * 3600;

export function createSportsDemo(sports: SportsBoard, shared: SharedAnswers): SportsDemo {
  const read = async (sportKey: string | null, bookmakers: readonly string[], nowMs: number) => {
    const wanted = { bookmakers, markets: ['h2h'] as const, maxAgeSeconds: MAX_AGE_SECONDS, nowMs };
    const { matches } = await sports.upcoming(sportKey, nowMs);
    return matches.flatMap((one) => onlyWanted(one, wanted) ?? []);
  };
  return {
    async bestOdds(sportKey, nowMs) {
      const { value, fresh } = await shared.get(`${FORM} best ${sportKey}`, BEST_CACHED_MS, nowMs, async () => {
        const matches = await read(sportKey, CUSTOMERS.compared, nowMs);
        const sport = sportKey ?? mostPriced(matches);
        const own = matches.filter((one) => one.sportKey === sport);
        const events = own.slice(0, MOST_EVENTS).map((one) => bestOf(one, nowMs));
        return { sport, events, truncated: own.length > MOST_EVENTS };
      });
      return { ...value, events: notStarted(value.events, nowMs), cached: !fresh };
    },
    async bookSport(key, sportKey, nowMs) {
      const { value, fresh } = await shared.get(`${FORM} book ${key} ${sportKey}`, BOOK_CACHED_MS, nowMs, async () => {
        const matches = await read(sportKey, [key], nowMs);
        const items = matches.slice(0, MOST_EVENTS).map(itemOf);
        return { items, truncated: matches.length > MOST_EVENTS };
      });
      const items = notStarted(value.items, nowMs);
      return { ...value, items, has_data: items.length > 0, cached: !fresh };
    },
  };
}

const notStarted = <T extends { readonly commence_time: string }>(rows: readonly T[], nowMs: number): T[] =>
  rows.filter(({ commence_time }) => Date.parse(commence_time) > nowMs);

/** With the most prices; among equals the first of the list. */
function mostPriced(matches: readonly PricedMatch[]): string | null {
  const prices = ({ key }: Sport) =>
    matches.reduce((sum, { sportKey, books }) => sum + (sportKey === key ? books.length : 0), 0);
  const [first] = [...SPORTS].sort((a, b) => prices(b) - prices(a));
  return prices(first!) > 0 ? first!.key : null;
}

function bestOf(match: PricedMatch, nowMs: number): BestSample['events'][number] {
  const { homeTeam, awayTeam, commenceTime } = match;
  const { selections, arb } = compareH2h(match, sportOf(match.sportKey)!, nowMs);
  return {
    home_team: homeTeam,
    away_team: awayTeam,
    commence_time: commenceTime,
    selections: selections.map(({ name, quotes: [best] }) => ({
      name,
      best_price: best!.price,
      best_bookmaker: best!.book.bookmaker,
      last_update: updateOf(best!.seen),
    })),
    arb_exists: arb !== null,
    arb_profit_pct: arb?.profitPct ?? 0,
  };
}

function itemOf({ homeTeam, awayTeam, commenceTime, books: [book] }: PricedMatch): DemoMatch {
  const { homeName, awayName, markets } = book!;
  const { home, draw, away } = markets[0]!;
  const sides = [
    { name: homeName, price: home },
    { name: awayName, price: away },
    { name: DRAW, price: draw },
  ];
  return {
    home_team: homeTeam,
    away_team: awayTeam,
    commence_time: commenceTime,
    last_update: updateOf(seenOf(book!, markets[0]!)),
    prices: sides.flatMap(({ name, price }) => (price === null ? [] : [{ name, price }])),
  };
}

const slug = (text: string): string => text.toLowerCase().replace(/[^a-z0-9]+/g, '-');

/**
 * The sandbox's own names, in which `-` and `_` are one: `ladbrokes` beside `ladbrokes_au`, `tennis-atp` beside
 * `tennis_atp`.
 */
const BOOKS_BY_SLUG = new Map(
  SPORT_BOOKS.flatMap((key) => [key, bookmaker(key)!.title].map((name) => [slug(name), key] as const)),
);
const SPORTS_BY_SLUG = new Map(SPORTS.map(({ key }) => [slug(key), key]));

export const bookOfSlug = (text: string): string | undefined => BOOKS_BY_SLUG.get(slug(text));
export const sportOfSlug = (text: string): string | undefined => SPORTS_BY_SLUG.get(slug(text));
export const racingOfSlug = (text: string) => RACING_SLUGS.find((one) => one === slug(text));

const unknown = (parameter: string, sent: string, valid: readonly string[]): InputProblem => ({
  parameter,
  detail: `${parameter} '${sent}' is not known; valid values are ${valid.join(', ')}.${didYouMean([sent], valid)}`,
  valid_values: valid,
});

interface Slugs {
  readonly book?: string;
  readonly sport?: string;
}

/** From the parameters that were sent. `racing`: whether a racing code counts as a sport too. */
export function slugProblems({ book, sport }: Slugs, racing = false): InputProblem[] {
  const problems: InputProblem[] = [];
  const books = SPORT_BOOKS.map((key) => slug(bookmaker(key)!.title));
  if (book !== undefined && !bookOfSlug(book)) problems.push(unknown('book', book, books));
  const isSport = sport === undefined || sportOfSlug(sport) || (racing && racingOfSlug(sport));
  const sports = [...SPORTS_BY_SLUG.keys(), ...(racing ? RACING_SLUGS : [])];
  if (!isSport) problems.push(unknown('sport', sport, sports));
  return problems;
}
