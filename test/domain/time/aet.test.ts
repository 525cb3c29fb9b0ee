// Computed Sydney days equal those of the tz database, in both directions through daylight saving.
import fc from 'fast-check';
import { addDays, aetClock, aetDay, aetDayBounds, isDay } from '../../../src/domain/time/aet';

const sydney = new Intl.DateTimeFormat('en-CA', { timeZone: 'Australia/Sydney', dateStyle: 'short' });
const HOUR_MS = 3_600_000;
const FIRST = '2008-07-01';
const LAST = '2035-12-31';

describe('aetDay', () => {
  test.each([
    ['a winter evening', '2026-06-30T13:59:59.999Z', '2026-06-30'],
    ['a winter midnight', '2026-06-30T14:00:00.000Z', '2026-07-01'],
    ['a summer evening', '2026-11-21T12:59:59.999Z', '2026-11-21'],
    ['a summer midnight', '2026-11-21T13:00:00.000Z', '2026-11-22'],
  ])('%s', (_, instant, day) => expect(aetDay(Date.parse(instant))).toBe(day));

  test('every day from 2008 to 2035 begins and ends as in Intl', () => {
    const wrong: string[] = [];
    for (let day = FIRST; day <= LAST; day = addDays(day, 1)) {
      const { startMs, endMs } = aetDayBounds(day);
      const seen = [startMs - 1, startMs, endMs - 1, endMs].map((ms) => sydney.format(ms)).join();
      if (seen !== [addDays(day, -1), day, day, addDays(day, 1)].join()) wrong.push(day);
    }
    expect(wrong).toEqual([]);
  });

  test('agrees with Intl at any instant of those years', () => {
    const instant = fc.integer({ min: aetDayBounds(FIRST).startMs, max: aetDayBounds(LAST).endMs });
    fc.assert(fc.property(instant, (ms) => aetDay(ms) === sydney.format(ms)));
  });
});

describe('aetDayBounds', () => {
  test.each([
    ['2026-10-04', 23],
    ['2026-04-05', 25],
    ['2026-10-03', 24],
    ['2026-04-06', 24],
  ])('%s has %d hours', (day, hours) => {
    const { startMs, endMs } = aetDayBounds(day);
    expect((endMs - startMs) / HOUR_MS).toBe(hours);
  });

  test('every instant lies inside the bounds of its own day', () => {
    const instant = fc.integer({ min: aetDayBounds(FIRST).startMs, max: aetDayBounds(LAST).endMs });
    fc.assert(
      fc.property(instant, (ms) => {
        const { startMs, endMs } = aetDayBounds(aetDay(ms));
        return startMs <= ms && ms < endMs;
      }),
    );
  });
});

describe('calendar days', () => {
  test.each([
    ['2026-02-28', 1, '2026-03-01'],
    ['2028-02-28', 1, '2028-02-29'],
    ['2026-10-04', 1, '2026-10-05'],
    ['2027-01-01', -1, '2026-12-31'],
  ])('%s plus %d is %s', (day, n, expected) => expect(addDays(day, n)).toBe(expected));

  test.each(['2026-02-30', '2026-13-01', '2026-1-1', '2026-11-21T00:00:00Z', '', '0000-00-00', '0000-01-01', 'today'])(
    '%p is not a day',
    (text) => expect(isDay(text)).toBe(false),
  );

  test('existing days are days', () => expect(['2026-11-21', '2028-02-29'].every(isDay)).toBe(true));
});

test.each([
  ['2026-11-21T03:10:00Z', '14:10 AEDT'],
  ['2026-06-30T14:05:59Z', '00:05 AEST'],
  ['2026-10-03T15:59:59.999Z', '01:59 AEST'],
  ['2026-10-03T16:00:00.000Z', '03:00 AEDT'],
  ['2026-04-04T15:59:59.999Z', '02:59 AEDT'],
  ['2026-04-04T16:00:00.000Z', '02:00 AEST'],
])('%s is %s in Sydney', (instant, text) => expect(aetClock(Date.parse(instant))).toBe(text));
