import fc from 'fast-check';
import { fieldConsensus } from '../../../../src/domain/market/field-consensus';
import { RunningConsensus } from '../../../../src/domain/market/intelligence/running-consensus';

const BOOKS = 6;
const SIZE = 3;

// Long shots among short prices, so that quotes become placeholders and cease to be.
const price = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 101, max: 900 }).map((n) => n / 100) },
  { weight: 3, arbitrary: fc.integer({ min: 21, max: 200 }) },
  { weight: 1, arbitrary: fc.constant(null) },
);
const change = fc.record({ book: fc.nat(BOOKS - 1), runner: fc.nat(SIZE - 1), price, settles: fc.boolean() });

test('after any sequence of changes it equals the consensus of the current prices', () => {
  fc.assert(
    fc.property(
      fc.array(change, { minLength: 20, maxLength: 80 }),
      fc.integer({ min: 1, max: 4 }),
      (changes, minBooks) => {
        const running = new RunningConsensus(BOOKS, SIZE, minBooks);
        const prices = Array.from({ length: BOOKS }, () => new Array<number | null>(SIZE).fill(null));
        for (const { book, runner, price: to, settles } of changes) {
          running.set(book, runner, to ?? 0);
          prices[book]![runner] = to;
          if (!settles) continue;
          const settled = running.settle() ? [...running.probabilities] : new Array<null>(SIZE).fill(null);
          const books = prices.map((one, i) => ({ bookmaker: String(i), prices: one }));
          expect(settled).toEqual(fieldConsensus(books, SIZE, 'power', minBooks).probabilities);
        }
      },
    ),
  );
});
