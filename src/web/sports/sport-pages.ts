// Composes the pages of sports. Many viewers cost one reading: a reading and what is made of it are cached for seconds,
// and end before time makes them wrong.
import { createCache } from '../../cache';
import type { MatchListings } from '../../domain/sports/match-listings';
import { sportOf } from '../../domain/sports/sports';
import { arbsEndMs, arbsOf } from './arb-views';
import { linesView } from './match/line-views';
import { matchView } from './match/match-views';
import type { ArbRow, ArbsView, LinesView, MatchView, SportSource, SportsIndex, SportView } from './model';
import { type SportReading, sharedReadings } from './reading';
import { newestOf } from './shown-prices';
import { type SportChoice, shownRows, sportsIndex, sportView } from './sport-views';

export interface SportPages {
  index(): Promise<SportsIndex>;
  /** Null: there is no such sport. */
  sport(key: string, choice: SportChoice): Promise<SportView | null>;
  /** Null: there is no such match. A text: the id of the match that it was joined to. */
  match(eventId: string): Promise<MatchView | string | null>;
  /** Every line of a match; null and a text as of `match`. */
  lines(eventId: string): Promise<LinesView | string | null>;
  arbs(page: number): Promise<ArbsView>;
}

/** Race time. To compare every line of every match takes longer than any other page. */
const ARBS_CACHED_MS = 10_000;
const LISTED_CACHED_MS = 2000;
const MOST_LISTED = 500;
const EVENT_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

interface Found {
  readonly readAtMs: number;
  readonly atMs: number;
  readonly untilMs: number;
  readonly newestMs: number | null;
  readonly arbs: readonly ArbRow[];
  readonly pages: Map<number, ArbsView>;
}

interface Listed {
  readonly atMs: number;
  readonly found: MatchListings | null;
}

export function createSportPages({ source, now }: { readonly source: SportSource; now(): number }): SportPages {
  const readings = sharedReadings(source);
  const arbsCache = createCache<Found>(1);
  const listedCache = createCache<Listed>(MOST_LISTED);

  const arbs = async (nowMs: number): Promise<Found> => {
    const isGood = ({ atMs, untilMs }: Found): boolean => nowMs >= atMs && nowMs < untilMs;
    return (await arbsCache.get('arbs', isGood, () => findArbs(source, nowMs))).value;
  };
  const listed = async (eventId: string, nowMs: number): Promise<MatchListings | null> => {
    const isGood = ({ atMs }: Listed): boolean => nowMs >= atMs && nowMs < atMs + LISTED_CACHED_MS;
    const read = async (): Promise<Listed> => ({ atMs: nowMs, found: await source.match(eventId) });
    return (await listedCache.get(eventId, isGood, read)).value.found;
  };
  /** A text: the id of the match that it was joined to. */
  const known = async (eventId: string, nowMs: number): Promise<MatchListings | string | null> => {
    const found = EVENT_ID.test(eventId) ? await listed(eventId, nowMs) : null;
    if (found === null || !sportOf(found.sportKey)) return null;
    return found.joinedInto ?? found;
  };
  return {
    async index() {
      const reading = await readings.of(null, now());
      return reading.once('index', () => sportsIndex(reading));
    },
    async sport(key, choice) {
      const sport = sportOf(key);
      return sport ? sportView(sport, await readings.of(key, now()), choice) : null;
    },
    async match(eventId) {
      const nowMs = now();
      const found = await known(eventId, nowMs);
      if (found === null || typeof found === 'string') return found;
      const [reading, { arbs: all }] = await Promise.all([readings.of(found.sportKey, nowMs), arbs(nowMs)]);
      return matchOf(found, reading, all, nowMs);
    },
    async lines(eventId) {
      const nowMs = now();
      const found = await known(eventId, nowMs);
      if (found === null || typeof found === 'string') return found;
      if (found.startMs <= nowMs) return linesView(found, null, nowMs);
      return linesOf(found, await readings.of(found.sportKey, nowMs, true));
    },
    async arbs(page) {
      const found = await arbs(now());
      const { rows, ...paged } = shownRows(found.arbs, page);
      const { readAtMs: atMs, newestMs, pages } = found;
      if (!pages.has(paged.page)) pages.set(paged.page, { ...paged, rows, atMs, newestMs });
      return pages.get(paged.page)!;
    },
  };
}

/** The prices are made once for a reading, while the stored match is the same; an arb ends by its own reading. */
function matchOf(found: MatchListings, reading: SportReading, arbs: readonly ArbRow[], nowMs: number): MatchView {
  if (found.startMs <= nowMs) return matchView(found, null, nowMs);
  const match = reading.matches.find(({ eventId }) => eventId === found.eventId) ?? null;
  const view = reading.once(`match ${JSON.stringify(found)}`, () => matchView(found, match, reading.atMs));
  const own = arbs.filter((arb) => arb.eventId === found.eventId && agrees(arb, view.markets));
  return { ...view, atMs: reading.readAtMs, arbs: own };
}

/** Of a match that has not started. */
function linesOf(found: MatchListings, reading: SportReading): LinesView {
  const match = reading.matches.find(({ eventId }) => eventId === found.eventId) ?? null;
  const view = reading.once(`lines ${JSON.stringify(found)}`, () => linesView(found, match, reading.atMs));
  return { ...view, atMs: reading.readAtMs };
}

/** Arbs have a reading of their own: one with another price than the table of the match is not shown beside it. */
const agrees = ({ market, legs }: ArbRow, markets: MatchView['markets']): boolean => {
  const table = markets.find((one) => one.market === market);
  return legs.every(({ name, point, price }) => {
    const side = table?.sides.findIndex((one) => one.name === name) ?? -1;
    const cell = table?.books.find(({ bookmaker }) => bookmaker === price.bookmaker)?.cells[side] ?? null;
    if (cell === null) return market !== 'h2h';
    return cell.point !== point || cell.price === price.price;
  });
};

async function findArbs(source: SportSource, atMs: number): Promise<Found> {
  const { matches, readAtMs } = await source.upcoming(null, true, atMs);
  const arbs = arbsOf(matches, atMs);
  const untilMs = Math.min(atMs + ARBS_CACHED_MS, arbsEndMs(arbs));
  return { readAtMs, atMs, untilMs, newestMs: newestOf(matches), arbs, pages: new Map() };
}
