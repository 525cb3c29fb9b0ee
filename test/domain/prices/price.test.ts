// D22 and A 2.3: which values are prices, and the order of the legs.
import fc from 'fast-check';
import { asPrice, cleanLegs, type Legs } from '../../../src/domain/prices/price';

const NONE = { win: null, place: null, top2: null, top3: null, top4: null };

describe('asPrice', () => {
  test.each([
    [2.5, 2.5],
    ['2.50', 2.5],
    [' 11 ', 11],
    [1, null],
    [1.0001, 1.0001],
    [1_000_000, 1_000_000],
    [1_000_000.01, null],
    [0, null],
    ['0', null],
    [-3, null],
    [Number.NaN, null],
    [Number.POSITIVE_INFINITY, null],
    ['1e3', null],
    ['$2.50', null],
    ['', null],
    [null, null],
    [undefined, null],
    [true, null],
    [{}, null],
    [['2.50'], null],
  ])('D22: %p is %p', (value, price) => expect(asPrice(value)).toBe(price));
});

describe('cleanLegs', () => {
  test('A 2.3: legs in order are all kept', () => {
    const legs = { win: 8, place: 2.5, top2: 4, top3: 2.6, top4: 1.9 };
    expect(cleanLegs(legs)).toEqual({ prices: legs, dropped: [] });
  });

  test('A 2.3: equal legs are in order', () => {
    const legs = { win: 4, place: 4, top2: 4, top3: 2, top4: 2 };
    expect(cleanLegs(legs)).toEqual({ prices: legs, dropped: [] });
  });

  test('A 2.3: a leg above the one before it is dropped, and only that one', () => {
    const { prices, dropped } = cleanLegs({ win: 4, place: 9, top2: 4.2, top3: 2, top4: 1.5 });
    expect(prices).toEqual({ win: 4, place: 9, top2: null, top3: 2, top4: 1.5 });
    expect(dropped).toEqual(['top2_above_win']);
  });

  test('A 2.3: an unquoted leg is skipped: the next is compared with the last kept one', () => {
    expect(cleanLegs({ ...NONE, win: 4, top3: 4.2 })).toEqual({
      prices: { ...NONE, win: 4 },
      dropped: ['top3_above_win'],
    });
    expect(cleanLegs({ ...NONE, top2: 4, top4: 2 })).toEqual({ prices: { ...NONE, top2: 4, top4: 2 }, dropped: [] });
  });

  test('D22: null, absence, an empty string and 0 are no drop', () => {
    expect(cleanLegs({ win: null, place: undefined, top2: '', top3: 0, top4: '0' })).toEqual({
      prices: NONE,
      dropped: [],
    });
  });

  test('D22: 1.0, a negative number and a text are dropped with a reason; 0 and absence are not', () => {
    const { prices, dropped } = cleanLegs({ win: 1, place: -2, top2: 'n/a', top3: 0, top4: undefined });
    expect(prices).toEqual(NONE);
    expect(dropped).toEqual(['win_not_above_1', 'place_not_above_1', 'top2_not_a_number']);
  });

  test('from any input, win >= top2 >= top3 >= top4 > 1.0 remain, without repair', () => {
    const leg = fc.oneof(
      fc.constantFrom(null, 0, 1, '3.5', 'x', undefined),
      fc.double({ min: 0.5, max: 50, noNaN: true }),
    );
    const raw = fc.record({ win: leg, place: leg, top2: leg, top3: leg, top4: leg });
    fc.assert(
      fc.property(raw, (legs) => {
        const { prices } = cleanLegs(legs);
        const kept = [prices.win, prices.top2, prices.top3, prices.top4].filter((p) => p !== null);
        expect([...kept].sort((a, b) => b - a)).toEqual(kept);
        for (const key of Object.keys(NONE) as (keyof Legs)[]) {
          const price = prices[key];
          expect(price === null || (price > 1 && price === asPrice(legs[key]))).toBe(true);
        }
      }),
    );
  });
});
