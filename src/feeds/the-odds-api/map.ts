// Maps The Odds API's replies, pure. Every event, book and market is mapped or counted. Exchange prices and lay markets
// are withheld (A 1).
import { SPORT_BOOKS, visibleToCustomers } from '../../domain/bookmakers';
import type { Instant } from '../../domain/race/race';
import type { SourceSport } from '../../domain/sports/feed-plan';
import { readMarket } from '../../domain/sports/read-market';
import { MARKETS, type MatchMarket, type Sport, sportOf } from '../../domain/sports/sports';
import { countDrops, type Drops } from '../reading/drops';
import { asRow, flagOf, instantOf, type JsonObject, listOf, numberOf, textOf } from '../reading/read';
import type { FeedMarket, FeedMatch, FeedOdds } from '../sports-feed';
import type { Mapped } from '../transport/reply';
import { BOOK_KEYS_THERE, SPORT_KEYS_THERE, SPORT_PREFIXES_THERE } from './keys.data';

const SPORTS = new Map(SPORT_KEYS_THERE);
const BOOKS = new Map(BOOK_KEYS_THERE);

/** The longest name that our own limits allow (`IngestEvent`). */
const LONGEST_NAME = 100;

function sportKeyOf(theirs: string): string | null {
  return SPORTS.get(theirs) ?? SPORT_PREFIXES_THERE.find(([prefix]) => theirs.startsWith(prefix))?.[1] ?? null;
}

/** Null if the reply is not a list. */
export function mapSports(payload: unknown): Mapped<readonly SourceSport[]> | null {
  if (!Array.isArray(payload)) return null;
  const drops = countDrops();
  const found = new Map<string, SourceSport>();
  for (const raw of payload) {
    const row = asRow(raw);
    const sourceKey = textOf(row?.key);
    if (!row || sourceKey === null) drops.add('sport_unreadable');
    // A winner of a season is not a match; out of season there are no matches.
    else if (flagOf(row.has_outrights) === true || flagOf(row.active) === false) continue;
    else {
      const sportKey = sportKeyOf(sourceKey);
      if (sportKey === null) drops.add('sport_unknown');
      else if (found.has(sourceKey)) drops.add('sport_repeated');
      else found.set(sourceKey, { sourceKey, sportKey });
    }
  }
  return { value: [...found.values()], bookAt: null, dropped: drops.counts() };
}

/** The starts of a sport's events. Null if the reply is not a list. */
export function mapStarts(payload: unknown): Mapped<readonly Instant[]> | null {
  if (!Array.isArray(payload)) return null;
  const drops = countDrops();
  const value = payload.flatMap((raw) => instantOf(asRow(raw)?.commence_time) ?? dropped(drops, 'event_unreadable'));
  return { value, bookAt: null, dropped: drops.counts() };
}

/** `sport`: the sport whose key was called. Null if the reply is not a list. */
export function mapOdds(payload: unknown, { sourceKey, sportKey }: SourceSport): Mapped<FeedOdds> | null {
  const sport = sportOf(sportKey);
  if (!Array.isArray(payload) || !sport) return null;
  const drops = countDrops();
  const starts: Instant[] = [];
  const books = new Map<string, FeedMatch[]>();
  const seen = new Set<string>();
  for (const raw of payload) {
    const row = asRow(raw);
    const head = row && headOf(row, sport, drops);
    if (!row || !head) {
      if (!row) drops.add('event_unreadable');
      continue;
    }
    if (textOf(row.sport_key) !== sourceKey) drops.add('event_of_another_sport');
    else if (seen.has(head.sourceId)) drops.add('event_repeated');
    else {
      seen.add(head.sourceId);
      starts.push(head.commenceTime);
      for (const [book, match] of offersOf(row, head, drops)) books.set(book, [...(books.get(book) ?? []), match]);
    }
  }
  return { value: { starts, books }, bookAt: null, dropped: drops.counts() };
}

type Head = Omit<FeedMatch, 'markets'>;

function headOf(row: JsonObject, sport: Sport, drops: Drops): Head | null {
  const sourceId = textOf(row.id, 200);
  const commenceTime = instantOf(row.commence_time);
  const [homeTeam, awayTeam] = [textOf(row.home_team, LONGEST_NAME), textOf(row.away_team, LONGEST_NAME)];
  if (sourceId === null || commenceTime === null) drops.add('event_unreadable');
  else if (homeTeam === null || awayTeam === null) drops.add('event_without_teams');
  else return { sport, sourceId, homeTeam, awayTeam, competition: textOf(row.sport_title, LONGEST_NAME), commenceTime };
  return null;
}

function offersOf(row: JsonObject, head: Head, drops: Drops): ReadonlyMap<string, FeedMatch> {
  const offers = new Map<string, FeedMatch>();
  for (const raw of listOf(row.bookmakers)) {
    const book = asRow(raw);
    const theirs = textOf(book?.key);
    const ours = theirs === null ? undefined : BOOKS.get(theirs);
    if (!book || theirs === null) drops.add('book_unreadable');
    else if (ours === undefined) drops.add('book_unknown');
    else if (!visibleToCustomers(ours)) drops.add('exchange_withheld', listOf(book.markets).length);
    else if (!SPORT_BOOKS.includes(ours)) drops.add('book_unknown');
    else if (offers.has(ours)) drops.add('book_repeated');
    else {
      const markets = marketsOf(book, head, drops);
      if (markets.length > 0) offers.set(ours, { ...head, markets });
    }
  }
  return offers;
}

function marketsOf(book: JsonObject, head: Head, drops: Drops): readonly FeedMarket[] {
  const found = new Map<MatchMarket, FeedMarket>();
  for (const raw of listOf(book.markets)) {
    const row = asRow(raw);
    const key = textOf(row?.key);
    const market = MARKETS.find((one) => one === key);
    if (!row || key === null) drops.add('market_unreadable');
    else if (key.endsWith('_lay')) drops.add('lay_withheld');
    else if (market === undefined) drops.add('market_unknown');
    else if (found.has(market)) drops.add(`${market}_repeated`);
    else {
      const read = marketOf(row, market, head, instantOf(row.last_update) ?? instantOf(book.last_update), drops);
      if (read) found.set(market, read);
    }
  }
  return [...found.values()];
}

function marketOf(
  row: JsonObject,
  market: MatchMarket,
  { sport, homeTeam, awayTeam }: Head,
  sourceUpdatedAt: Instant | null,
  drops: Drops,
): FeedMarket | null {
  const selections = listOf(row.outcomes).flatMap((raw) => {
    const outcome = asRow(raw);
    const name = textOf(outcome?.name, LONGEST_NAME);
    // An unreadable outcome leaves its market without a side, which is counted.
    return name === null ? [] : [{ name, price: numberOf(outcome!.price), point: numberOf(outcome!.point) }];
  });
  const { prices, dropped: reasons } = readMarket(market, selections, {
    sportKey: sport.key,
    home: homeTeam,
    away: awayTeam,
  });
  for (const reason of reasons) drops.add(reason);
  const isOffered = prices !== null && (prices.home ?? prices.draw ?? prices.away) !== null;
  return isOffered ? { market, prices, sourceUpdatedAt } : null;
}

function dropped(drops: Drops, reason: string): readonly [] {
  drops.add(reason);
  return [];
}
