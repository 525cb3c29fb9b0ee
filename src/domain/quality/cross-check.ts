// Watches what each bookmaker's mapper stores, from all races at once: a misread field shows in the shape of its
// prices, whatever the bookmaker sends. Three figures of each book, each with a bound; the distance from the others
// also against the book's own history.
import { median } from '../market/median';
import { type FindingMarket, LEAST_OTHERS } from './audit';
import { type BookLevel, isFar, nextLevel } from './book-level';
import { bookOf, isOutside } from './book-sums';
import type { Prices } from './comparison';
import type { ServedBook } from './findings';
import { MARKET_NAMES } from './markets';

/** A race with what is served of it. */
export interface CheckedRace {
  /** Numbers of those that run. */
  readonly running: readonly number[];
  readonly books: readonly ServedBook[];
}

export interface CrossFinding {
  readonly bookmakerKey: string;
  readonly market: FindingMarket;
  /** The median distance from the consensus, as a ratio less 1; null of the other figures. */
  readonly delta: number | null;
  readonly message: string;
}

export interface CrossChecked {
  readonly findings: readonly CrossFinding[];
  /** By bookmaker key, of those whose distance could be measured and is not far. */
  readonly levels: ReadonlyMap<string, BookLevel>;
}

/** Runners or races below which a share means nothing. */
const LEAST_PAIRS = 20;
const LEAST_RACES = 3;
const LEAST_COMPARED = 20;
/** More than one in this many is a fault of the reading, not of the bookmaker. */
const BELOW_OF = 10;
const OUTSIDE_OF = 4;
/** A favourite's place price may equal its win price. */
const EQUAL_UNTIL = 1.5;
const SUMMED = ['win', 'place', 'top2', 'top3', 'top4'] as const;

/** Stale prices are ignored. `levels`: of the previous runs, by bookmaker key. */
export function crossCheck(races: readonly CheckedRace[], levels: ReadonlyMap<string, BookLevel>): CrossChecked {
  const keys = [...new Set(races.flatMap(({ books }) => books.map(({ bookmakerKey }) => bookmakerKey)))].sort();
  const findings: CrossFinding[] = [];
  const next = new Map<string, BookLevel>();
  for (const key of keys) {
    findings.push(...belowPlace(races, key), ...SUMMED.flatMap((market) => outsideSums(races, key, market)));
    const distance = distanceOf(races, key);
    if (distance === null) continue;
    const level = levels.get(key) ?? null;
    if (isFar(distance, level)) findings.push(farFinding(key, distance, level));
    else next.set(key, nextLevel(distance, level));
  }
  return { findings, levels: next };
}

const freshIn = ({ books }: CheckedRace, key: string): ServedBook | undefined =>
  books.find(({ bookmakerKey, stale }) => bookmakerKey === key && !stale);

function belowPlace(races: readonly CheckedRace[], key: string): readonly CrossFinding[] {
  const pairs = races.flatMap((race) => {
    const { win, place } = freshIn(race, key)?.prices ?? {};
    return race.running.flatMap((number): [number, number][] => {
      const [forWin, forPlace] = [win?.get(number), place?.get(number)];
      return forWin === undefined || forPlace === undefined || forPlace <= EQUAL_UNTIL ? [] : [[forWin, forPlace]];
    });
  });
  const below = pairs.filter(([win, place]) => win <= place).length;
  if (pairs.length < LEAST_PAIRS || below * BELOW_OF <= pairs.length) return [];
  const message = `Of ${pairs.length} runners with a place price above ${EQUAL_UNTIL}, ${below} have a win price that is not above it.`;
  return [{ bookmakerKey: key, market: 'win', delta: null, message }];
}

function outsideSums(
  races: readonly CheckedRace[],
  key: string,
  market: (typeof SUMMED)[number],
): readonly CrossFinding[] {
  const books = races.flatMap((race) => {
    const prices = freshIn(race, key)?.prices[market];
    const book = prices && bookOf(prices, race.running);
    return book && (book.isWhole || isOutside(market, book)) ? [book] : [];
  });
  const outside = books.filter((book) => isOutside(market, book));
  if (books.length < LEAST_RACES || outside.length * OUTSIDE_OF <= books.length) return [];
  const sum = Math.round(100 * median(outside.map((book) => book.sum))!);
  const message = `The ${MARKET_NAMES[market]} prices of ${outside.length} of ${books.length} races add up to a book that is not sold, ${sum} % in the median.`;
  return [{ bookmakerKey: key, market, delta: null, message }];
}

/** The median of |ln(price / median of the others)| over all runners; null of too few. */
function distanceOf(races: readonly CheckedRace[], key: string): number | null {
  const distances = races.flatMap((race) => {
    const own = freshIn(race, key)?.prices.win;
    if (!own) return [];
    const others = race.books.filter((book) => book.bookmakerKey !== key && !book.stale);
    return race.running.flatMap((number) => {
      const price = own.get(number);
      const consensus = consensusOf(
        others.map(({ prices }) => prices.win),
        number,
      );
      return price === undefined || consensus === null ? [] : [Math.abs(Math.log(price / consensus))];
    });
  });
  return distances.length < LEAST_COMPARED ? null : median(distances);
}

function consensusOf(others: readonly (Prices | undefined)[], number: number): number | null {
  const prices = others.flatMap((one) => one?.get(number) ?? []);
  return prices.length < LEAST_OTHERS ? null : median(prices);
}

const percent = (distance: number): number => Math.round(100 * (Math.exp(distance) - 1));

function farFinding(bookmakerKey: string, distance: number, level: BookLevel | null): CrossFinding {
  const before = level ? `; in earlier audits it was ${percent(level.distance)} %` : '';
  const message = `The median win price is ${percent(distance)} % away from the consensus of the other bookmakers${before}.`;
  return { bookmakerKey, market: 'win', delta: Math.exp(distance) - 1, message };
}
