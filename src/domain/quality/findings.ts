// What an audit found: its figures, and each fault and outlier by bookmaker and race.
import { median } from '../market/median';
import {
  type AuditedRace,
  type AuditFigures,
  type Finding,
  LEAST_OTHERS,
  OUTLIER_RATIO,
  type ServedSelection,
} from './audit';
import { type Cell, distance, faultOf, type NamedRunner, type Prices } from './comparison';

/** What the API serves of one bookmaker on a race, scratched runners left out. */
export interface ServedBook {
  readonly bookmakerKey: string;
  readonly prices: Prices;
  readonly ageSeconds: number;
  /** A stale price is neither an outlier nor part of a consensus. */
  readonly stale: boolean;
}

interface ReadBook {
  readonly bookmakerKey: string;
  readonly cells: readonly Cell[];
  /** Why no reading succeeded, as the rest of "Not read: …"; null: one did. */
  readonly failure: string | null;
}

/** One race as the audit left it. */
export interface RaceReadings {
  readonly race: AuditedRace;
  /** With what was served of it last. */
  readonly runners: readonly NamedRunner[];
  readonly served: readonly ServedBook[];
  readonly read: readonly ReadBook[];
}

export function figuresOf(races: readonly RaceReadings[]): AuditFigures {
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
  };
}

/** By race, then by bookmaker. */
export const findingsOf = (races: readonly RaceReadings[]): readonly Finding[] =>
  races.flatMap((race) => [...race.read.flatMap((book) => faultsOf(race, book)), ...outliersOf(race)]);

const MESSAGES = {
  diff: (count: string) => `${count} served differently from what the bookmaker shows, in every reading.`,
  missing_api: (count: string) => `${count} shown by the bookmaker and not served, in every reading.`,
  missing_source: (count: string) => `${count} served that the bookmaker did not show in any reading.`,
};

function faultsOf(race: RaceReadings, book: ReadBook): readonly Finding[] {
  const { bookmakerKey, failure } = book;
  const about = { bookmakerKey, race: race.race };
  if (failure !== null)
    return [{ ...about, status: 'unread', delta: null, message: `Not read: ${failure}.`, api: [], source: {} }];
  const age = race.served.find((one) => one.bookmakerKey === bookmakerKey);
  const polled = age ? ` Its last poll is ${age.ageSeconds} s old.` : ' It was never polled.';
  return (['diff', 'missing_api', 'missing_source'] as const).flatMap((status): readonly Finding[] => {
    const cells = book.cells.filter((cell) => faultOf(cell) === status);
    if (cells.length === 0) return [];
    return [
      {
        ...about,
        status,
        delta: status === 'diff' ? greatestDelta(cells) : null,
        message: MESSAGES[status](pricesAre(cells.length)) + polled,
        api: cells.map((cell) => servedSelection(race, bookmakerKey, cell, cell.api)),
        source: Object.fromEntries(cells.map((cell) => [selectionOf(cell), cell.source])),
      },
    ];
  });
}

function outliersOf(race: RaceReadings): readonly Finding[] {
  return race.served.flatMap(({ bookmakerKey, prices, stale }): readonly Finding[] => {
    const far = race.runners
      .filter(({ number }) => !stale && isOutlier(prices.get(number) ?? null, consensusOf(race, bookmakerKey, number)))
      .map((runner) => ({ runner, row: servedSelection(race, bookmakerKey, runner, prices.get(runner.number)!) }));
    if (far.length === 0) return [];
    const cells = race.read.find((book) => book.bookmakerKey === bookmakerKey)?.cells ?? [];
    const shown = new Map(cells.map((cell) => [selectionOf(cell), cell.source]));
    const api = far.map(({ row }) => row);
    return [
      {
        bookmakerKey,
        race: race.race,
        status: 'outlier',
        delta: Math.max(...api.map(({ price, consensus }) => distance(price, consensus)!)),
        message: `${pricesAre(api.length)} more than twice or less than half the median of the other bookmakers.`,
        api,
        source: Object.fromEntries(api.map(({ selection }) => [selection, shown.get(selection) ?? null])),
      },
    ];
  });
}

function servedSelection(
  race: RaceReadings,
  bookmakerKey: string,
  runner: NamedRunner,
  price: number | null,
): ServedSelection {
  const consensus = consensusOf(race, bookmakerKey, runner.number);
  const deviation = price === null || consensus === null ? null : (price / consensus - 1) * 100;
  return { selection: selectionOf(runner), price, consensus, deviationPct: deviation };
}

function consensusOf({ served }: RaceReadings, bookmakerKey: string, number: number): number | null {
  const others = served.filter((book) => book.bookmakerKey !== bookmakerKey && !book.stale);
  const prices = others.flatMap((book) => book.prices.get(number) ?? []);
  return prices.length < LEAST_OTHERS ? null : median(prices);
}

const isOutlier = (price: number | null, consensus: number | null): boolean =>
  price !== null && consensus !== null && (price > OUTLIER_RATIO * consensus || price < consensus / OUTLIER_RATIO);

const greatestDelta = (cells: readonly Cell[]): number =>
  Math.max(...cells.map(({ api, source }) => distance(api, source)!));

const selectionOf = ({ number, name }: NamedRunner): string => `${number}. ${name}`;

const pricesAre = (count: number): string => (count === 1 ? '1 price is' : `${count} prices are`);
