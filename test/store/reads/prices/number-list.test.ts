import fc from 'fast-check';
import { numbersOf } from '../../../../src/store/reads/prices/number-list';

test.each([
  ['{}', []],
  ['{7}', [7]],
  ['{2.5,3,8.05,1001}', [2.5, 3, 8.05, 1001]],
  ['{0,-5,1e+20,1.5e-07,3600000}', [0, -5, 1e20, 1.5e-7, 3_600_000]],
  ['{2.3333333333333335,0.1234567890123456789}', [2.3333333333333335, 0.12345678901234568]],
])('%s', (text, numbers) => expect(numbersOf(text)).toEqual(numbers));

test('every double comes back as it was written', () => {
  const prices = fc.integer({ min: 101, max: 100_100 }).map((cents) => cents / 100);
  const any = fc.oneof(prices, fc.double({ noNaN: true, noDefaultInfinity: true }), fc.integer());
  fc.assert(
    fc.property(fc.array(any), (numbers) =>
      expect(numbersOf(`{${numbers.join(',')}}`)).toEqual(numbers.map((n) => n + 0)),
    ),
  );
});
