// Invariants of every race: probabilities sum to 1, counters partition, market figures follow from the best prices, and
// a scratching never makes the quotes of another runner older.
import fc from 'fast-check';
import { BOOKMAKERS } from '../../../src/domain/bookmakers';
import {
  type ConsensusRace,
  type ConsensusRules,
  type ConsensusRunner,
  type PolledBook,
  raceConsensus,
} from '../../../src/domain/market/consensus';
import { runs } from '../../support/property';

const NOW = Date.parse('2026-11-21T03:00:00.000Z');
const KEYS = BOOKMAKERS.slice(0, 8).map(({ key }) => key);

const price = fc.oneof(
  { weight: 8, arbitrary: fc.integer({ min: 101, max: 3_000 }).map((cents) => cents / 100) },
  { weight: 1, arbitrary: fc.constantFrom(1.01, 101, 501, 1001) },
);
/** A runner's prices at every book; most books price it. */
const runner = fc.record({
  scratched: fc.integer({ min: 0, max: 7 }).map((draw) => draw === 0),
  emergency: fc.constantFrom(null, null, null, false, true),
  prices: fc.array(fc.option(price, { freq: 15 }), { minLength: KEYS.length, maxLength: KEYS.length }),
});
const ages = fc.array(fc.oneof(fc.integer({ min: 0, max: 130 }), fc.integer({ min: 0, max: 2_000 })), {
  minLength: KEYS.length,
  maxLength: KEYS.length,
});

const races: fc.Arbitrary<ConsensusRace> = fc
  .record({
    runners: fc.array(runner, { maxLength: 14 }),
    ages,
    books: fc.integer({ min: 0, max: KEYS.length }),
    secs: fc.constantFrom(-100, 60, 3_000, 40_000),
  })
  .map(({ runners, ages: old, books, secs }) => ({
    startMs: NOW + secs * 1000,
    runners: runners.map(({ scratched, emergency }, i) => ({ number: i + 1, scratched, emergency })),
    books: KEYS.slice(0, books).map(
      (bookmaker, b): PolledBook => ({
        bookmaker,
        polledAtMs: NOW - old[b]! * 1000,
        numbers: runners.map((_, i) => i + 1),
        win: runners.map(({ prices }) => prices[b]!),
      }),
    ),
  }));
const rules: fc.Arbitrary<ConsensusRules> = fc.record({
  method: fc.constantFrom('power' as const, 'multiplicative' as const),
  minBooks: fc.integer({ min: 1, max: 3 }),
  includeStale: fc.boolean(),
  bookmakers: fc.option(fc.subarray(KEYS), { nil: undefined, freq: 2 }),
});

const quoted = (values: readonly (number | null)[]): number[] => values.filter((value) => value !== null);
const holds = (check: (race: ConsensusRace, query: ConsensusRules) => void): void => {
  fc.assert(fc.property(races, rules, check), { numRuns: runs(400) });
};

test('the generated races cover every kind of book and of answer', () => {
  const found = fc.sample(fc.tuple(races, rules), 500).map(([race, query]) => raceConsensus(race, query, NOW));
  const reasons = new Set(found.flatMap(({ books }) => books.map(({ reason }) => reason)));
  expect([...reasons].sort()).toEqual(['partial_field', 'stale', null].sort());
  expect(found.some(({ sumBefore }) => sumBefore !== null)).toBe(true);
  expect(found.some(({ excludedQuotes }) => excludedQuotes.length > 0)).toBe(true);
});

test('probabilities sum to 1, or no runner has one', () => {
  holds((race, query) => {
    const { runners, sumBefore, fieldSize } = raceConsensus(race, query, NOW);
    const returned = quoted(runners.map(({ probability }) => probability));
    if (sumBefore === null) return expect(returned).toEqual([]);
    expect(returned).toHaveLength(fieldSize);
    expect(Math.abs(returned.reduce((a, b) => a + b, 0) - 1)).toBeLessThan(1e-12);
  });
});

test('every book that quotes is included or excluded with a reason, and a runner counts the included ones', () => {
  holds((race, query) => {
    const { books, runners, fieldSize } = raceConsensus(race, query, NOW);
    const included = books.filter(({ reason }) => reason === null);
    for (const { runnersPriced } of included) expect(runnersPriced).toBe(fieldSize);
    for (const book of books) expect(book.reason === 'stale').toBe(book.stale && !query.includeStale);
    const excluded = books.filter(({ reason }) => reason === 'partial_field');
    for (const { runnersPriced } of excluded) expect(runnersPriced).toBeLessThan(fieldSize);
    for (const { books: counted, probability } of runners) {
      expect([0, included.length]).toContain(counted);
      expect(probability !== null).toBe(counted > 0 && counted >= query.minBooks);
    }
  });
});

test('only the requested books are returned', () => {
  holds((race, query) => {
    const { books, runners } = raceConsensus(race, query, NOW);
    const returned = [...books, ...runners.flatMap(({ quotes }) => quotes)].map(({ bookmaker }) => bookmaker);
    expect(returned.filter((key) => !(query.bookmakers ?? KEYS).includes(key))).toEqual([]);
  });
});

test('best, worst, mean and median are those of the returned quotes, and the market is at the best prices', () => {
  holds((race, query) => {
    const { runners, bestPriceMarketPct, excludedQuotes } = raceConsensus(race, query, NOW);
    let market = 0;
    for (const { number, quotes, best, worstPrice, meanPrice, medianPrice, books } of runners) {
      const prices = quotes.map((quote) => quote.price).sort((a, b) => a - b);
      expect([worstPrice ?? undefined, best?.price]).toEqual([prices[0], prices.at(-1)]);
      if (best === null) continue;
      for (const one of [meanPrice!, medianPrice!]) {
        expect(one).toBeGreaterThanOrEqual(worstPrice! - 1e-9);
        expect(one).toBeLessThanOrEqual(best.price + 1e-9);
      }
      const gone = excludedQuotes.filter((quote) => quote.number === number).map((quote) => quote.bookmaker);
      expect(quotes.some(({ bookmaker }) => gone.includes(bookmaker))).toBe(false);
      if (books > 0) market += 100 / best.price;
    }
    if (runners.some(({ books }) => books > 0)) expect(bestPriceMarketPct).toBeCloseTo(market, 9);
  });
});

test('a scratching leaves the prices and ages of every other runner unchanged', () => {
  fc.assert(
    fc.property(races, rules, fc.nat(), (race, query, which) => {
      fc.pre(race.runners.length > 0);
      const out = race.runners[which % race.runners.length]!.number;
      const runners = race.runners.map((one) => (one.number === out ? { ...one, scratched: true } : one));
      const before = raceConsensus(race, query, NOW).runners.filter(({ number }) => number !== out);
      const after = raceConsensus({ ...race, runners }, query, NOW).runners;
      const quotesOf = (list: readonly ConsensusRunner[]) =>
        list.map(({ number, oldestAgeSeconds, freshestAgeSeconds, best, worstPrice }) => ({
          number,
          ages: [oldestAgeSeconds, freshestAgeSeconds],
          prices: [best?.price, worstPrice],
        }));
      expect(quotesOf(after)).toEqual(quotesOf(before));
    }),
    { numRuns: runs(400) },
  );
});
