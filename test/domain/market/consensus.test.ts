// A 2.5 and A 4.4 on one race: which books are in the consensus, which are not and why, and its other figures.
import {
  type ConsensusRace,
  type ConsensusRules,
  type PolledBook,
  raceConsensus,
} from '../../../src/domain/market/consensus';

const START = Date.parse('2026-11-21T03:10:00.000Z');
const NOW = START - 600_000;
const RULES: ConsensusRules = { method: 'power', minBooks: 2, includeStale: false };

const bookAt = (ageSeconds: number, bookmaker: string, ...win: (number | null)[]): PolledBook => ({
  bookmaker,
  polledAtMs: NOW - ageSeconds * 1000,
  numbers: win.map((_, i) => i + 1),
  win,
});
const runners = (count: number, scratched: readonly number[] = [], emergencies: readonly number[] = []) =>
  Array.from({ length: count }, (_, i) => ({
    number: i + 1,
    scratched: scratched.includes(i + 1),
    emergency: emergencies.includes(i + 1) ? true : null,
  }));
const race = (count: number, books: readonly PolledBook[], over: Partial<ConsensusRace> = {}): ConsensusRace => ({
  startMs: START,
  runners: runners(count),
  books,
  ...over,
});
const consensusOf = (from: ConsensusRace, rules: Partial<ConsensusRules> = {}, nowMs = NOW) =>
  raceConsensus(from, { ...RULES, ...rules }, nowMs);
const reasons = ({ books }: ReturnType<typeof consensusOf>) =>
  Object.fromEntries(books.map(({ bookmaker, reason }) => [bookmaker, reason]));

describe('which books count', () => {
  const stale = race(2, [bookAt(5, 'neds', 1.9, 2), bookAt(120, 'tab', 2, 2), bookAt(121, 'unibet', 3, 1.5)]);

  test('a book past its threshold is excluded; exactly at it, it is included', () => {
    const found = consensusOf(stale);
    expect(reasons(found)).toEqual({ neds: null, tab: null, unibet: 'stale' });
    expect(found.runners[0]!.quotes.map(({ bookmaker }) => bookmaker)).toEqual(['neds', 'tab']);
    expect(found.books[2]).toMatchObject({ stale: true, ageSeconds: 121, runnersPriced: 2 });
  });

  test('unless the query includes stale books: they are then counted, and still marked stale', () => {
    const found = consensusOf(stale, { includeStale: true });
    expect(reasons(found)).toEqual({ neds: null, tab: null, unibet: null });
    expect(found.books[2]!.stale).toBe(true);
    expect(found.runners[0]).toMatchObject({ books: 3, best: { bookmaker: 'unibet', price: 3 } });
  });

  test('a book has its own horizon: betr_au is in the card tier until 30 minutes out (D21)', () => {
    const early = race(2, [bookAt(500, 'betr_au', 2, 2), bookAt(500, 'tab', 2, 2)], { startMs: NOW + 3_600_000 });
    expect(reasons(consensusOf(early))).toEqual({ betr_au: null, tab: 'stale' });
  });

  test('a book that prices part of the field is excluded, but its prices are still compared', () => {
    const found = consensusOf(
      race(2, [bookAt(1, 'neds', 1.9, 2), bookAt(1, 'tab', 2, 2), bookAt(1, 'unibet', 9, null)]),
    );
    expect(reasons(found)).toEqual({ neds: null, tab: null, unibet: 'partial_field' });
    expect(found.books[2]).toMatchObject({ runnersPriced: 1, overroundPct: null });
    expect(found.runners[0]!.best).toMatchObject({ bookmaker: 'unibet', price: 9, probability: null });
    expect(found.runners[0]).toMatchObject({ books: 2, worstPrice: 1.9 });
  });

  test('a book whose placeholder was dropped no longer prices the complete field', () => {
    const books = ['neds', 'tab', 'unibet'].map((key) => bookAt(1, key, 1.5, 5));
    const found = consensusOf(race(2, [bookAt(1, 'betright', 1.5, 201), ...books]));
    expect(reasons(found)).toEqual({ betright: 'partial_field', neds: null, tab: null, unibet: null });
    expect(found.excludedQuotes).toEqual([{ number: 2, bookmaker: 'betright', price: 201, consensus: 5 }]);
    expect(found.runners[1]).toMatchObject({ worstPrice: 5, meanPrice: 5, best: { price: 5 } });
    expect(found.books[0]!.runnersPriced).toBe(1);
  });

  test('a book without a solution is excluded', () => {
    const found = consensusOf(race(2, [bookAt(1, 'neds', 1, 2), bookAt(1, 'tab', 2, 2)]), { minBooks: 1 });
    expect(reasons(found)).toEqual({ neds: 'unsolvable', tab: null });
    expect(found.runners[0]!.probability).toBe(0.5);
  });

  test('a book without a quote on a running runner is not listed', () => {
    const books = [bookAt(1, 'neds', null, null, 4), bookAt(1, 'tab', 2, 2, 9)];
    const found = consensusOf(race(3, books, { runners: runners(3, [3]) }));
    expect(found.books.map(({ bookmaker }) => bookmaker)).toEqual(['tab']);
    expect(found.runners.map(({ number }) => number)).toEqual([1, 2]);
  });

  test('with too few books there are figures of the prices, but no consensus', () => {
    const found = consensusOf(race(2, [bookAt(1, 'tab', 2, 2)]));
    expect(found).toMatchObject({ sumBefore: null, fieldSize: 2, bestPriceMarketPct: 100 });
    expect(found.runners[0]).toMatchObject({ probability: null, bestVsConsensusPct: null, medianPrice: 2, books: 1 });
  });

  test('no book at all', () => {
    expect(consensusOf(race(2, []))).toMatchObject({
      fieldSize: 0,
      books: [],
      medianOverroundPct: null,
      bestPriceMarketPct: null,
      medianSpreadPct: null,
      runners: [{ number: 1, probability: null, best: null, oldestAgeSeconds: null, quotes: [] }, { number: 2 }],
    });
  });
});

describe('the field', () => {
  test('a listed runner without a price does not make a book partial', () => {
    const found = consensusOf(race(3, [bookAt(1, 'neds', 2, 2), bookAt(1, 'tab', 2, 2)]));
    expect(found).toMatchObject({ fieldSize: 2, books: [{ reason: null }, { reason: null }] });
    expect(found.runners[2]).toMatchObject({ number: 3, probability: null, books: 0, quotes: [] });
  });

  test('an emergency that few books price is outside it, but its quotes are returned', () => {
    const books = [bookAt(1, 'neds', 2, 2, 8), bookAt(1, 'tab', 2, 2), bookAt(1, 'unibet', 2, 2)];
    const found = consensusOf(race(3, books, { runners: runners(3, [], [3]) }));
    expect(reasons(found)).toEqual({ neds: null, tab: null, unibet: null });
    expect(found).toMatchObject({ fieldSize: 2, bestPriceMarketPct: 100 });
    expect(found.runners[2]).toMatchObject({ books: 0, probability: null, best: { price: 8, probability: null } });
  });

  test('is not narrowed by the requested books', () => {
    const books = [bookAt(1, 'neds', 2, 2, 8), bookAt(1, 'tab', 2, 2, null)];
    const found = consensusOf(race(3, books), { bookmakers: ['tab'], minBooks: 1 });
    expect(found.books).toMatchObject([{ bookmaker: 'tab', reason: 'partial_field' }]);
    expect(found).toMatchObject({ fieldSize: 3, bestPriceMarketPct: 100 });
    expect(found.runners[2]!.quotes).toEqual([]);
  });

  test('is every priced runner when no book is fresh', () => {
    const found = consensusOf(race(3, [bookAt(500, 'neds', 2, 2), bookAt(500, 'tab', 1.9, 1.9)]));
    expect(found).toMatchObject({ fieldSize: 2, bestPriceMarketPct: null, medianOverroundPct: null });
    expect(found.books).toMatchObject([
      { reason: 'stale', runnersPriced: 2, overroundPct: 0 },
      { reason: 'stale', runnersPriced: 2 },
    ]);
  });

  test('is not widened by a stale book', () => {
    const found = consensusOf(
      race(3, [bookAt(1, 'neds', 2, 2), bookAt(500, 'tab', 3, 3, 3), bookAt(1, 'unibet', 2, 2)]),
    );
    expect(found.fieldSize).toBe(2);
    expect(reasons(found)).toEqual({ neds: null, tab: 'stale', unibet: null });
  });
});

describe('figures', () => {
  const figures = () =>
    consensusOf(
      race(2, [bookAt(9, 'ladbrokes_au', 1.8, 2), bookAt(4, 'neds', 1.9, 2.1), bookAt(30, 'tab', 1.9, 1.95)]),
      {
        method: 'multiplicative',
      },
    );

  test('of a runner', () => {
    const [first] = figures().runners;
    expect(first).toMatchObject({ medianPrice: 1.9, worstPrice: 1.8, freshestAgeSeconds: 4, oldestAgeSeconds: 30 });
    expect(first!.meanPrice).toBeCloseTo(5.6 / 3, 12);
    expect(first!.spreadPct).toBeCloseTo((1.9 / 1.8 - 1) * 100, 12);
    expect(first!.bestVsConsensusPct).toBeCloseTo((1.9 * first!.probability! - 1) * 100, 12);
  });

  test('the best of equal prices is the fresher quote, then the lower key', () => {
    expect(figures().runners[0]!.best!.bookmaker).toBe('neds');
    const tie = consensusOf(race(1, [bookAt(9, 'neds', 2), bookAt(9, 'ladbrokes_au', 2)]));
    expect(tie.runners[0]!.best!.bookmaker).toBe('ladbrokes_au');
  });

  test('a quote carries its book’s probability without the margin', () => {
    const [ladbrokes] = figures().runners[0]!.quotes;
    expect(ladbrokes).toMatchObject({ bookmaker: 'ladbrokes_au', price: 1.8, ageSeconds: 9 });
    expect(ladbrokes!.probability).toBeCloseTo(2 / 3.8, 12);
  });

  test('of the market', () => {
    const found = figures();
    expect(found.medianOverroundPct).toBeCloseTo((1 / 1.9 + 1 / 1.95 - 1) * 100, 12);
    expect(found.bestPriceMarketPct).toBeCloseTo(100 / 1.9 + 100 / 2.1, 12);
    expect(found.medianSpreadPct).toBeCloseTo(((1.9 / 1.8 - 1) * 100 + (2.1 / 1.95 - 1) * 100) / 2, 12);
  });

  test('the sum of the medians is reported before scaling to 1', () => {
    const books = [bookAt(1, 'neds', 2, 4, 4), bookAt(1, 'tab', 4, 2, 4), bookAt(1, 'unibet', 4, 4, 2)];
    expect(consensusOf(race(3, books), { method: 'multiplicative' }).sumBefore).toBeCloseTo(0.75, 12);
  });

  test('a single remaining runner is certain', () => {
    const last = consensusOf(
      race(2, [bookAt(1, 'neds', 1.04, 9), bookAt(1, 'tab', 1.02, 8)], { runners: runners(2, [2]) }),
    );
    expect(last.runners).toMatchObject([{ probability: 1, books: 2 }]);
  });
});
