// In any order of replies, spoilt ones among them, a connector that has seen others reports exactly what a new one
// does, with the instant of this reply: TABtouch's does not parse an equal page again.
import fc from 'fast-check';
import { runs } from '../support/property';
import { json, serve, status } from './support/book-server';
import { bookUnderTest, feedOf } from './support/book-under-test';
import { BOOKS } from './support/books';

const PRICES = [4.2, 4.3, 4.2, 11];
const aPoll = fc.record({
  price: fc.constantFrom(...PRICES),
  fault: fc.constantFrom(null, null, null, 'refused', 'not JSON', 'another body'),
  at: fc.integer({ min: 0, max: 1 }),
});

describe.each(BOOKS)('$key', (book) => {
  const subject = bookUnderTest(book);

  test('reports what a connector without a past reports', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(aPoll, { minLength: 2, maxLength: 5 }), async (polls) => {
        for (const { price, fault, at } of polls) {
          subject.now += at;
          if (fault === 'refused') subject.server.answer(status(500));
          else if (fault === 'not JSON') subject.server.answer(json('{'));
          else if (fault === 'another body') subject.server.answer(json({}));
          else subject.server.answer(serve(book.race([{ number: 1, name: 'Alpha', win: price }])));
          const fresh = feedOf(book, subject.server, { timeoutMs: 60_000, now: () => subject.now });
          const call = { whole: true };
          expect(await subject.race(call)).toEqual(await fresh.fetchRace(book.sourceRaceId, call));
        }
      }),
      { numRuns: runs(3) },
    );
  });
});
