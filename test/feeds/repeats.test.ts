// A reply of the same bytes is not read again. In any order of replies, spoilt ones among them, a connector that has
// seen others reports exactly what a new one does, with the instant of this reply.
import fc from 'fast-check';
import { createRepeats, KEPT } from '../../src/feeds/transport/repeats';
import { runs } from '../support/property';
import { json, serve, status } from './support/book-server';
import { bookUnderTest, feedOf, NOW } from './support/book-under-test';
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

test('a reply is found by its exact bytes, encoding and name, the latest only, and the least recently used ones go first', () => {
  const repeats = createRepeats(10);
  const of = (text: string, encoding: string | null = null) => ({ raw: Buffer.from(text), encoding });
  repeats.keep('/a', of('1.50'), 'first');
  expect(repeats.find('/a', of('1.50'))).toEqual({ read: 'first' });
  for (const other of [of('1.60'), of('1.5'), of('1.500'), of('1.50', 'gzip')])
    expect(repeats.find('/a', other)).toBeNull();
  expect(repeats.find('/b', of('1.50'))).toBeNull();
  repeats.keep('/a', of('1.60'), 'second');
  expect([of('1.50'), of('1.60')].map((each) => repeats.find('/a', each))).toEqual([null, { read: 'second' }]);
  repeats.keep('/b', of('12345678'), 'third');
  expect([repeats.find('/a', of('1.60')), repeats.find('/b', of('12345678'))]).toEqual([null, { read: 'third' }]);
});

test('what a socket’s buffer holds later does not change what is kept', () => {
  const repeats = createRepeats();
  const raw = Buffer.from('1.50');
  repeats.keep('/a', { raw, encoding: null }, 'first');
  raw.write('1.60');
  expect(repeats.find('/a', { raw, encoding: null })).toBeNull();
});

test('however many races are read, those kept are few, each the last reply of its race, and none of them for long', () => {
  jest.useFakeTimers({ doNotFake: ['performance'] });
  jest.spyOn(performance, 'now').mockImplementation(() => Date.now());
  try {
    fc.assert(
      fc.property(fc.array(fc.nat(3 * KEPT.max), { minLength: KEPT.max, maxLength: 6 * KEPT.max }), (names) => {
        const repeats = createRepeats();
        const last = new Map<string, Buffer>();
        for (const [i, name] of names.entries()) {
          const raw = Buffer.from(String(i));
          repeats.keep(`/${name}`, { raw, encoding: null }, i);
          last.set(`/${name}`, raw);
        }
        const found = (): number =>
          [...last].filter(([name, raw]) => repeats.find(name, { raw, encoding: null })).length;
        expect(found()).toBe(Math.min(KEPT.max, last.size));
        expect(jest.getTimerCount()).toBeLessThanOrEqual(KEPT.max + 1);
        jest.advanceTimersByTime(KEPT.ttl + 10);
        // Gone by themselves: there is nothing left to remove.
        expect(jest.getTimerCount()).toBe(0);
        expect(found()).toBe(0);
      }),
      { numRuns: runs(100) },
    );
  } finally {
    jest.restoreAllMocks();
    jest.useRealTimers();
  }
});

describe('a book whose replies repeat', () => {
  const book = BOOKS.find(({ key }) => key === 'playup')!;
  const subject = bookUnderTest(book);

  test('is read once, and every reply has its own instant', async () => {
    subject.server.answer(serve(book.race([{ number: 1, name: 'Alpha', win: 4.2 }])));
    const first = await subject.race();
    subject.now = NOW + 15_000;
    const second = await subject.race();
    if (first.kind !== 'ok' || second.kind !== 'ok') throw new Error('a reply failed');
    expect(second.value).toBe(first.value);
    expect(second.observedAt).toBe(new Date(NOW + 15_000).toISOString());
    const body = jest.fn();
    await subject.race({ onBody: body });
    expect(body).toHaveBeenCalledTimes(1);
  });
});
