// The card of `npm run year`: six races each day, all within it, and two more races when the clocks change.

import { aetDay } from '../../../src/domain/time/aet';
import { cardOf, daysFrom, hoursOf } from '../../support/year/card';

const DAYS = daysFrom('2027-07-01', 366);

test('the year has both clock changes and 29 February', () => {
  const odd = DAYS.filter((day) => hoursOf(day) !== 24).map((day) => [day, hoursOf(day)]);
  expect(odd).toEqual([
    ['2027-10-03', 23],
    ['2028-04-02', 25],
  ]);
  expect(DAYS).toContain('2028-02-29');
});

test('every race belongs to its day, in order, the first after midnight and the last before it', () => {
  for (const [index, day] of DAYS.entries()) {
    const starts = cardOf(day, index).map(({ startMs }) => startMs);
    expect(starts.map(aetDay)).toEqual(starts.map(() => day));
    expect(starts).toEqual(starts.toSorted((a, b) => a - b));
    expect(starts).toHaveLength(hoursOf(day) === 24 ? 6 : 9);
  }
});
