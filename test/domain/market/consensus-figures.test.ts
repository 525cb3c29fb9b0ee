// A 2.5: the figures of one runner, whatever the order of its quotes.
import fc from 'fast-check';
import { type ConsensusQuote, consensusRunner } from '../../../src/domain/market/consensus-figures';

const quote = (bookmaker: string, price: number, ageSeconds: number): ConsensusQuote => ({
  bookmaker,
  price,
  probability: null,
  ageSeconds,
  polledAtMs: 1_000_000 - ageSeconds * 1000,
});
const QUOTES = [
  quote('neds', 4, 9),
  quote('tab', 5, 30),
  quote('betr_au', 5, 2),
  quote('unibet', 5, 2),
  quote('playup', 3, 70),
];
const anyOrder = fc.shuffledSubarray(QUOTES, { minLength: QUOTES.length });

test('the best is the highest price, then the fresher, then the lower key; worst and ages are the extremes', () => {
  fc.assert(
    fc.property(anyOrder, (quotes) => {
      const runner = consensusRunner(7, 3, quotes, 0.25);
      expect(runner).toMatchObject({
        number: 7,
        books: 3,
        probability: 0.25,
        best: { bookmaker: 'betr_au', price: 5 },
        worstPrice: 3,
        medianPrice: 5,
        freshestAgeSeconds: 2,
        oldestAgeSeconds: 70,
        bestVsConsensusPct: 25,
      });
      expect(runner.meanPrice).toBeCloseTo(22 / 5, 12);
      expect(runner.spreadPct).toBeCloseTo(200 / 3, 12);
      expect(runner.quotes).toBe(quotes);
    }),
  );
});

test('freshness is compared to the millisecond if the seconds are equal', () => {
  const later = { ...quote('unibet', 5, 2), polledAtMs: 999_000 };
  for (const quotes of [
    [quote('betr_au', 5, 2), later],
    [later, quote('betr_au', 5, 2)],
  ]) {
    expect(consensusRunner(1, 2, quotes, null).best?.bookmaker).toBe('unibet');
  }
});

test('without a quote every figure is null, and so is the comparison without a consensus', () => {
  expect(consensusRunner(1, 0, [], 0.25)).toEqual({
    number: 1,
    books: 0,
    probability: 0.25,
    medianPrice: null,
    meanPrice: null,
    best: null,
    worstPrice: null,
    spreadPct: null,
    bestVsConsensusPct: null,
    freshestAgeSeconds: null,
    oldestAgeSeconds: null,
    quotes: [],
  });
  expect(consensusRunner(1, 1, QUOTES, null).bestVsConsensusPct).toBeNull();
});
