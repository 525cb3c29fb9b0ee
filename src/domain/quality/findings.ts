// The findings of an audit: its figures, and each fault and outlier by bookmaker and race.
import { median } from '../market/median';
import {
  type AuditedRace,
  type AuditFigures,
  type Finding,
  LEAST_OTHERS,
  OUTLIER_RATIO,
  type ServedSelection,
} from './audit';
import { type ComparedPrice, distance, faultOf, type MarketPrices, type NamedRunner } from './comparison';
import { AUDITED_MARKETS, type AuditedMarket, MARKET_NAMES } from './markets';

/** What the API serves of one bookmaker on a race, scratched runners left out. */
export interface ServedBook {
  readonly bookmakerKey: string;
  readonly prices: MarketPrices;
  readonly ageSeconds: number;
  /** A stale price is neither an outlier nor part of a consensus. */
  readonly stale: boolean;
}

interface ReadBook {
  readonly bookmakerKey: string;
  /**
   * `served`: what was served before and after each reading. `mapped`: what is served, and what the mapper makes of the
   * same response. `pushed`: what is served of a push.
   */
  readonly against: 'served' | 'mapped' | 'pushed';
  readonly cells: readonly ComparedPrice[];
  /** Why no reading succeeded, as the rest of "Not read: …"; null: one did. */
  readonly failure: string | null;
}

/** One race as the audit left it. */
export interface RaceReadings {
  /** Nearer than an hour: only then are its outliers counted. */
  readonly near: boolean;
  readonly race: AuditedRace;
  /** With what was served of it last. */
  readonly runners: readonly NamedRunner[];
  readonly served: readonly ServedBook[];
  readonly read: readonly ReadBook[];
}

export function figuresOf(races: readonly RaceReadings[], crossChecks: number): AuditFigures {
  const books = races.flatMap(({ read }) => read.filter(({ failure }) => failure === null));
  const cells = books.flatMap((book) => book.cells);
  const both = cells.filter(({ api, source }) => api !== null && source !== null);
  const having = (fault: ReturnType<typeof faultOf>) => cells.filter((cell) => faultOf(cell) === fault).length;
  const priced = (side: 'api' | 'source') => cells.filter((cell) => cell[side] !== null).length;
  return {
    apiRows: priced('api'),
    sourceRows: priced('source'),
    commonRows: both.length,
    exactMatches: both.filter(({ agrees }) => agrees).length,
    diffRows: having('diff'),
    missingApi: having('missing_api'),
    missingSource: having('missing_source'),
    maxDelta: both.length === 0 ? null : greatestDelta(both),
    booksChecked: new Set(books.map(({ bookmakerKey }) => bookmakerKey)).size,
    racesChecked: races.filter(({ read }) => read.some(({ failure }) => failure === null)).length,
    outliers: races.flatMap(outliersOf).reduce((sum, { api }) => sum + api.length, 0),
    crossChecks,
  };
}

/** Of two parts of one run. A bookmaker that both have counts twice only if it is pushed and polled, which none is. */
export const together = (a: AuditFigures, b: AuditFigures): AuditFigures => ({
  apiRows: a.apiRows + b.apiRows,
  sourceRows: a.sourceRows + b.sourceRows,
  commonRows: a.commonRows + b.commonRows,
  exactMatches: a.exactMatches + b.exactMatches,
  diffRows: a.diffRows + b.diffRows,
  missingApi: a.missingApi + b.missingApi,
  missingSource: a.missingSource + b.missingSource,
  maxDelta: a.maxDelta === null || b.maxDelta === null ? (a.maxDelta ?? b.maxDelta) : Math.max(a.maxDelta, b.maxDelta),
  booksChecked: a.booksChecked + b.booksChecked,
  racesChecked: a.racesChecked + b.racesChecked,
  outliers: a.outliers + b.outliers,
  crossChecks: a.crossChecks + b.crossChecks,
});

/** By race, then by bookmaker. */
export const findingsOf = (races: readonly RaceReadings[]): readonly Finding[] =>
  races.flatMap((race) => [...race.read.flatMap((book) => faultsOf(race, book)), ...outliersOf(race)]);

const MESSAGES = {
  served: {
    diff: (count: string) => `${count} served differently from what the bookmaker shows, in every reading.`,
    missing_api: (count: string) => `${count} shown by the bookmaker and not served, in every reading.`,
    missing_source: (count: string) => `${count} served that the bookmaker did not show in any reading.`,
  },
  mapped: {
    diff: (count: string) => `${count} read from the bookmaker’s response otherwise than shown in it.`,
    missing_api: (count: string) => `${count} shown in the bookmaker’s response and not read from it.`,
    missing_source: (count: string) => `${count} read from the bookmaker’s response and not shown in it.`,
  },
  pushed: {
    diff: (count: string) => `${count} served differently from what the bookmaker pushed.`,
    missing_api: (count: string) => `${count} pushed by the bookmaker and not served.`,
    missing_source: (count: string) => `${count} served that the bookmaker did not push.`,
  },
};

function faultsOf(race: RaceReadings, book: ReadBook): readonly Finding[] {
  const { bookmakerKey, failure } = book;
  const about = { bookmakerKey, race: race.race, event: null };
  if (failure !== null) {
    const message = `Not read: ${failure}.`;
    return [{ ...about, market: null, status: 'unread', delta: null, message, api: [], source: {} }];
  }
  return AUDITED_MARKETS.flatMap((market) =>
    (['diff', 'missing_api', 'missing_source'] as const).flatMap((status): readonly Finding[] => {
      const cells = book.cells.filter((cell) => cell.market === market && faultOf(cell) === status);
      if (cells.length === 0) return [];
      return [
        {
          ...about,
          market,
          status,
          delta: status === 'diff' ? greatestDelta(cells) : null,
          message: MESSAGES[book.against][status](pricesAre(cells.length, market)) + lastPoll(race, bookmakerKey),
          api: cells.map((cell) => servedSelection(race, bookmakerKey, cell, market, cell.api)),
          source: Object.fromEntries(cells.map((cell) => [selectionOf(cell), cell.source])),
        },
      ];
    }),
  );
}

function lastPoll({ served }: RaceReadings, bookmakerKey: string): string {
  const book = served.find((one) => one.bookmakerKey === bookmakerKey);
  return book ? ` Its last poll is ${book.ageSeconds} s old.` : ' It was never polled.';
}

function outliersOf(race: RaceReadings): readonly Finding[] {
  if (!race.near) return [];
  return race.served.flatMap(
    ({ bookmakerKey, prices: { win = new Map<number, number>() }, stale }): readonly Finding[] => {
      const far = race.runners
        .filter(
          ({ number }) => !stale && isOutlier(win.get(number) ?? null, consensusOf(race, bookmakerKey, number, 'win')),
        )
        .map((runner) => ({
          runner,
          row: servedSelection(race, bookmakerKey, runner, 'win', win.get(runner.number)!),
        }));
      if (far.length === 0) return [];
      const cells = race.read.find((book) => book.bookmakerKey === bookmakerKey)?.cells ?? [];
      const shown = new Map(
        cells.filter(({ market }) => market === 'win').map((cell) => [selectionOf(cell), cell.source]),
      );
      const api = far.map(({ row }) => row);
      return [
        {
          bookmakerKey,
          race: race.race,
          event: null,
          market: 'win',
          status: 'outlier',
          delta: Math.max(...api.map(({ price, consensus }) => distance(price, consensus)!)),
          message: `${pricesAre(api.length, 'win')} more than twice or less than half the median of the other bookmakers.`,
          api,
          source: Object.fromEntries(api.map(({ selection }) => [selection, shown.get(selection) ?? null])),
        },
      ];
    },
  );
}

function servedSelection(
  race: RaceReadings,
  bookmakerKey: string,
  runner: NamedRunner,
  market: AuditedMarket,
  price: number | null,
): ServedSelection {
  const consensus = consensusOf(race, bookmakerKey, runner.number, market);
  const deviation = price === null || consensus === null ? null : (price / consensus - 1) * 100;
  return { selection: selectionOf(runner), price, consensus, deviationPct: deviation };
}

function consensusOf(
  { served }: RaceReadings,
  bookmakerKey: string,
  number: number,
  market: AuditedMarket,
): number | null {
  const others = served.filter((book) => book.bookmakerKey !== bookmakerKey && !book.stale);
  const prices = others.flatMap((book) => book.prices[market]?.get(number) ?? []);
  return prices.length < LEAST_OTHERS ? null : median(prices);
}

const isOutlier = (price: number | null, consensus: number | null): boolean =>
  price !== null && consensus !== null && (price > OUTLIER_RATIO * consensus || price < consensus / OUTLIER_RATIO);

const greatestDelta = (cells: readonly ComparedPrice[]): number =>
  Math.max(...cells.map(({ api, source }) => distance(api, source)!));

const selectionOf = ({ number, name }: NamedRunner): string => `${number}. ${name}`;

const pricesAre = (count: number, market: AuditedMarket): string =>
  count === 1 ? `1 ${MARKET_NAMES[market]} price is` : `${count} ${MARKET_NAMES[market]} prices are`;
