import fc from 'fast-check';
import { isServedInstant, readInstant } from '../../../src/domain/time/instant';

test.each([
  ['2026-11-21T05:20:00Z', '2026-11-21T05:20:00.000Z'],
  ['2026-11-21T05:20:00+00:00', '2026-11-21T05:20:00.000Z'],
  ['2026-11-21T05:20:00-00:00', '2026-11-21T05:20:00.000Z'],
  ['2026-11-21t05:20:00z', '2026-11-21T05:20:00.000Z'],
  ['2026-11-21 05:20:00.123456+00:00', '2026-11-21T05:20:00.123Z'],
  ['2026-11-21T05:20Z', '2026-11-21T05:20:00.000Z'],
  ['2026-11-21T16:20+11:00', '2026-11-21T05:20:00.000Z'],
  ['2026-11-20T23:50:00-05:30', '2026-11-21T05:20:00.000Z'],
  ['2026-11-21T05:20:00.5Z', '2026-11-21T05:20:00.500Z'],
  ['2026-11-21T05:20:00.123999+00:00', '2026-11-21T05:20:00.123Z'],
  ['2026-11-21T05:20:59.999999999999Z', '2026-11-21T05:20:59.999Z'],
  ['2027-01-01T10:30:00+11:00', '2026-12-31T23:30:00.000Z'],
  ['2028-02-29T00:00:00Z', '2028-02-29T00:00:00.000Z'],
])('%s is read', (text, instant) => expect(readInstant(text)).toBe(instant));

test.each([
  ['without an offset', '2026-11-21T05:20:00'],
  ['only a day', '2026-11-21'],
  ['31 February', '2026-02-31T05:20:00Z'],
  ['29 February of another year', '2026-02-29T05:20:00Z'],
  ['24:00', '2026-11-21T24:00:00Z'],
  ['second 60', '2026-12-31T23:59:60Z'],
  ['minute 60', '2026-11-21T05:60:00Z'],
  ['an offset of 24 hours', '2026-11-21T05:20:00+24:00'],
  ['an offset without a colon', '2026-11-21T05:20:00+1100'],
  ['a space before the offset', '2026-11-21 05:20:00 +00:00'],
  ['two spaces for the T', '2026-11-21  05:20:00Z'],
  ['a point without digits', '2026-11-21T05:20:00.Z'],
  ['a fraction of a minute', '2026-11-21T05:20.5Z'],
  ['a line break behind it', '2026-11-21T05:20:00Z\n'],
  ['the year 0', '0000-01-01T00:00:00Z'],
  ['the year 0 by its offset', '0001-01-01T00:00:00+01:00'],
  ['the year 10000 by its offset', '9999-12-31T23:59:00-01:00'],
  ['other words', 'yesterday'],
])('%s is not an instant', (_, text) => expect(readInstant(text)).toBeNull());

describe('what Date reads too', () => {
  const two = (n: number): string => String(n).padStart(2, '0');
  const offset = fc
    .tuple(fc.constantFrom('+', '-'), fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }))
    .map(([sign, hours, minutes]) => `${sign}${two(hours)}:${two(minutes)}`);
  const wall = fc
    .integer({ min: Date.UTC(2, 0, 1), max: Date.UTC(9998, 0, 1) })
    .map((ms) => new Date(ms).toISOString().slice(0, -1));
  const cut = fc.constantFrom(16, 19, 21, 22, 23);
  const valid = fc
    .tuple(wall, cut, fc.oneof(fc.constant('Z'), offset))
    .map(([text, length, zone]) => text.slice(0, length) + zone);

  test('is the same instant', () => {
    fc.assert(fc.property(valid, (text) => readInstant(text) === new Date(text).toISOString()));
  });

  test('loses only the digits beyond the millisecond, and keeps its value in lower case', () => {
    const digits = fc.stringMatching(/^\d{1,9}$/);
    fc.assert(
      fc.property(wall, digits, offset, (text, more, zone) => {
        expect(readInstant(`${text}${more}${zone}`.toLowerCase())).toBe(new Date(`${text}${zone}`).toISOString());
      }),
    );
  });

  test('is read again as it was written', () => {
    fc.assert(
      fc.property(valid, (text) => {
        const instant = readInstant(text)!;
        expect(isServedInstant(instant)).toBe(true);
        expect(readInstant(instant)).toBe(instant);
      }),
    );
  });
});

test.each([
  ['2026-11-21T05:20:00Z', true],
  ['2026-11-21T05:20:00.123Z', true],
  ['2026-11-21T05:20:00.1234Z', false],
  ['2026-11-21T05:20:00+00:00', false],
  ['2026-11-21T05:20:00z', false],
  ['2026-11-21T05:20Z', false],
  ['2026-02-31T05:20:00Z', false],
])('%s may be served: %s', (text, may) => expect(isServedInstant(text)).toBe(may));
