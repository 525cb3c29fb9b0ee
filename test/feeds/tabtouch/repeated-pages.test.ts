// In any order of replies, spoilt ones among them, a connector that has seen others reports exactly what a new one
// does, with the instant of this reply: an equal page is not parsed again. What it keeps for that goes by itself.
import fc from 'fast-check';
import { createPageReader, KEPT } from '../../../src/feeds/tabtouch/read-page';
import { runs } from '../../support/property';
import { json, serve, status } from '../support/book-server';
import { bookUnderTest, FIELD, feedOf } from '../support/book-under-test';
import { BOOKS } from '../support/books';
import { tabTouchPage } from '../support/books/tabtouch';

const PRICES = [4.2, 4.3, 4.2, 11];
const aPoll = fc.record({
  price: fc.constantFrom(...PRICES),
  fault: fc.constantFrom(null, null, null, 'refused', 'not JSON', 'another body'),
  at: fc.integer({ min: 0, max: 1 }),
});
const book = BOOKS.find(({ key }) => key === 'tabtouch')!;
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
    { numRuns: runs(10) },
  );
});

test('however many races’ pages are read, the timers are as few as the pages kept, and in the end there is none', () => {
  jest.useFakeTimers({ doNotFake: ['performance'] });
  jest.spyOn(performance, 'now').mockImplementation(() => Date.now());
  try {
    const read = createPageReader();
    const page = tabTouchPage(FIELD);
    const raceAt = (number: number) => read(page, { day: '2026-11-21', code: `c${number}`, raceNumber: 1 });
    for (let number = 1; number <= KEPT.max + 50; number++) raceAt(number);
    const last = raceAt(KEPT.max + 50);
    // Each removes its page; one more reads the clock.
    expect(jest.getTimerCount()).toBeGreaterThanOrEqual(KEPT.max);
    expect(jest.getTimerCount()).toBeLessThanOrEqual(KEPT.max + 1);
    expect(raceAt(KEPT.max + 50)).toBe(last);
    jest.advanceTimersByTime(KEPT.ttl + 10);
    expect(jest.getTimerCount()).toBe(0);
    expect(raceAt(KEPT.max + 50)).not.toBe(last);
  } finally {
    jest.restoreAllMocks();
    jest.useRealTimers();
  }
});
