// The list of sports, and the matches of one sport with their best head-to-head prices. Pure.
import { compareH2h, DRAW } from '../../domain/sports/compare';
import type { PricedMatch } from '../../domain/sports/match';
import { SPORTS, type Sport } from '../../domain/sports/sports';
import type { MatchRow, Paged, SportCount, SportsIndex, SportView } from './model';
import type { SportReading } from './reading';
import { headOf, newestOf, shownPrice } from './shown-prices';

type Read = Pick<SportReading, 'readAtMs' | 'matches'>;

export function sportsIndex({ readAtMs, matches }: Read): SportsIndex {
  const bySport = Map.groupBy(matches, ({ sportKey }) => sportKey);
  return {
    atMs: readAtMs,
    newestMs: newestOf(matches),
    sports: SPORTS.map((sport) => countOf(sport, bySport.get(sport.key) ?? [])),
  };
}

const countOf = ({ key, title, group }: Sport, matches: readonly PricedMatch[]): SportCount => ({
  ...{ key, title, group },
  matches: matches.length,
  books: new Set(matches.flatMap(({ books }) => books.map(({ bookmaker }) => bookmaker))).size,
  next: matches.length > 0 ? headOf(matches[0]!) : null,
});

export interface SportChoice {
  readonly competition: string | null;
  readonly page: number;
}

const ROWS_A_PAGE = 30;

/** Rows of one page; a page beyond the last is the last. */
export function shownRows<T>(rows: readonly T[], page: number): Paged & { readonly rows: readonly T[] } {
  const pages = Math.max(1, Math.ceil(rows.length / ROWS_A_PAGE));
  const at = Math.min(Math.max(1, page), pages);
  return { page: at, pages, total: rows.length, rows: rows.slice((at - 1) * ROWS_A_PAGE, at * ROWS_A_PAGE) };
}

/** `reading`: of this sport. A competition that none of its matches has is no choice. */
export function sportView({ key, title, group }: Sport, reading: SportReading, choice: SportChoice): SportView {
  const { atMs, readAtMs, matches } = reading;
  const competitions = reading.once('competitions', () => competitionsOf(matches));
  const competition = competitions.find(({ name }) => name === choice.competition)?.name ?? null;
  const chosen = competition === null ? matches : matches.filter((one) => one.competition === competition);
  const { rows, page, pages, total } = shownRows(chosen, choice.page);
  return reading.once(`page ${page} of ${competition}`, () => {
    const shown = rows.map((match) => rowOf(match, atMs));
    return {
      ...{ key, title, group, atMs: readAtMs, page, pages, total, competition, competitions },
      newestMs: newestOf(rows),
      hasDraw: shown.some(({ draw }) => draw !== null),
      rows: shown,
    };
  });
}

function competitionsOf(matches: readonly PricedMatch[]): SportView['competitions'] {
  const counts = new Map<string, number>();
  for (const { competition } of matches)
    if (competition !== null) counts.set(competition, (counts.get(competition) ?? 0) + 1);
  return [...counts].map(([name, count]) => ({ name, matches: count })).sort((a, b) => (a.name < b.name ? -1 : 1));
}

function rowOf(match: PricedMatch, nowMs: number): MatchRow {
  const { selections, arb } = compareH2h(match, SPORTS.find(({ key }) => key === match.sportKey)!, nowMs);
  const best = (name: string) => {
    const quote = selections.find((one) => one.name === name)?.quotes[0];
    return quote ? shownPrice(quote, nowMs) : null;
  };
  return {
    ...headOf(match),
    books: match.books.length,
    home: best(match.homeTeam),
    draw: best(DRAW),
    away: best(match.awayTeam),
    arbPct: arb?.profitPct ?? null,
  };
}
