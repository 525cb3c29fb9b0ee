// Which close a taken price is measured against, and by how much it beat it.
import fc from 'fast-check';
import { againstAll, againstBook, clvPct } from '../../../src/domain/clv/measure';
import { type BookClose, runnerCloses } from '../../../src/domain/clv/runner-closes';
import { bookClose } from './lines';

describe('the closes of a runner', () => {
  test('the highest and the median, of closing lines only', () => {
    const closes = runnerCloses([
      bookClose('tab', 4.2, 9),
      bookClose('neds', 4.6, 40),
      bookClose('unibet', 4, 0),
      bookClose('betr_au', 5, 301),
    ]);
    expect(closes).toMatchObject({
      best: { bookmaker: 'neds', closePrice: 4.6 },
      median: 4.2,
      oldestSecsToJump: 40,
      books: 3,
    });
  });

  test('the fresher of equal prices is the best; two in the middle are averaged (D23)', () => {
    const closes = runnerCloses([bookClose('tab', 4.5, 9), bookClose('neds', 4.5, 2), bookClose('unibet', 4, 1)]);
    expect(closes.best?.bookmaker).toBe('neds');
    expect(runnerCloses([bookClose('tab', 4), bookClose('neds', 4.5)]).median).toBe(4.25);
  });

  test('a placeholder is neither (A 2.4 rule 2)', () => {
    const honest = [bookClose('tab', 5), bookClose('neds', 5.5), bookClose('unibet', 6)];
    expect(runnerCloses([...honest, bookClose('betr_au', 101, 200)])).toMatchObject({
      best: { bookmaker: 'unibet' },
      median: 5.5,
      oldestSecsToJump: 5,
      books: 3,
      placeholders: ['betr_au'],
    });
  });

  test('without a closing line there is no close', () => {
    const none = { best: null, median: null, oldestSecsToJump: null, books: 0, placeholders: [] };
    expect(runnerCloses([])).toEqual(none);
    expect(runnerCloses([bookClose('tab', 4, 900)])).toEqual(none);
  });
});

describe('a bet', () => {
  const closes = [bookClose('tab', 4.2, 9), bookClose('neds', 4.6, 40), bookClose('betr_au', 5, 400)];
  const all = runnerCloses(closes);

  test('that names no book is measured against the best or the median of them', () => {
    const best = { price: 4.6, bookmaker: 'neds', secsToJump: 40, isClosingLine: true };
    expect(againstAll(all, 'best')).toEqual({ close: best, reason: null });
    const median = { price: 4.4, bookmaker: null, secsToJump: 40, isClosingLine: true };
    expect(againstAll(all, 'median')).toEqual({ close: median, reason: null });
    expect(againstAll(runnerCloses([]), 'best')).toEqual({ close: null, reason: 'no_close' });
  });

  test('that names a book is measured against that book’s', () => {
    expect(againstBook(closes[0], all)).toMatchObject({ close: { price: 4.2, bookmaker: 'tab' }, reason: null });
    expect(againstBook(undefined, all)).toEqual({ close: null, reason: 'no_close' });
  });

  test('a price last seen too early is reported, and not measured against', () => {
    expect(againstBook(closes[2], all)).toEqual({
      close: { price: 5, bookmaker: 'betr_au', secsToJump: 400, isClosingLine: false },
      reason: 'last_seen_only',
    });
  });

  test('a placeholder is reported, and not measured against', () => {
    const placeholder = bookClose('unibet', 101);
    const others = [4, 4.2, 4.4].map((price, i) => bookClose(`book${i}`, price));
    expect(againstBook(placeholder, runnerCloses([...others, placeholder]))).toMatchObject({
      close: { price: 101 },
      reason: 'placeholder_close',
    });
  });
});

test('the figure is the price over the close, less one, in percent', () => {
  expect(clvPct(4.4, 4)).toBeCloseTo(10, 12);
  expect(clvPct(3.6, 4)).toBeCloseTo(-10, 12);
});

describe('for any prices', () => {
  const price = fc.integer({ min: 101, max: 100_000 }).map((cents) => cents / 100);
  const closes = fc.uniqueArray(
    fc.record({ book: fc.integer({ min: 1, max: 15 }), price, secs: fc.integer({ min: 0, max: 600 }) }),
    { minLength: 1, selector: ({ book }) => book },
  );
  const made = (all: readonly { book: number; price: number; secs: number }[]): BookClose[] =>
    all.map((one) => bookClose(`book${one.book}`, one.price, one.secs));

  test('a close scored against itself is 0; a higher price is above 0, a lower one below', () => {
    fc.assert(
      fc.property(price, price, (one, other) => {
        expect(clvPct(one, one)).toBe(0);
        expect(Math.sign(clvPct(one, other))).toBe(Math.sign(one - other));
      }),
    );
  });

  test('the best is a book’s closing line, no lower than the median; the order of books does not matter', () => {
    fc.assert(
      fc.property(closes, (all) => {
        const found = runnerCloses(made(all));
        expect(runnerCloses(made([...all].reverse()))).toEqual({
          ...found,
          placeholders: expect.arrayContaining([...found.placeholders]),
        });
        const lines = all.filter(({ secs }) => secs <= 300);
        expect(found.books + found.placeholders.length).toBe(lines.length);
        expect(found.best === null).toBe(lines.length === 0);
        if (found.best) {
          expect(found.placeholders).not.toContain(found.best.bookmaker);
          expect(found.best.closePrice).toBeGreaterThanOrEqual(found.median!);
          expect(lines.map((line) => line.price)).toContain(found.best.closePrice);
        }
      }),
    );
  });
});
