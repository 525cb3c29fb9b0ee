// The readers of single wire values: what each accepts, and that each returns null for a value that a column, a client
// or the following code cannot handle.

import { withMeetingDay } from '../../../src/feeds/reading/meeting-day';
import {
  countOf,
  dayOf,
  dollarsOf,
  idOf,
  instantOf,
  instantOfSeconds,
  numberOf,
  serialOf,
  tallyOf,
  textOf,
  utcInstantOf,
} from '../../../src/feeds/reading/read';
import { HOSTILE } from '../support/spoilt';

test.each<[(value: unknown) => unknown, unknown, unknown]>([
  [textOf, '  Crème \n', 'Crème'],
  [textOf, ' \0 ', null],
  [textOf, 'Al\0pha\ud800', 'Alpha'],
  [textOf, '😀', '😀'],
  [textOf, 'x'.repeat(500), 'x'.repeat(500)],
  [textOf, 'x'.repeat(501), null],
  [idOf, 12, '12'],
  [idOf, 1e21, null],
  [numberOf, ' 4.60 ', 4.6],
  [numberOf, 'Infinity', null],
  [numberOf, 1e308, null],
  [countOf, '32767', 32_767],
  [countOf, 32_768, null],
  [countOf, 1.5, null],
  [tallyOf, 0, 0],
  [tallyOf, -1, null],
  [tallyOf, 32_768, null],
  [serialOf, 4_380_714_800, 4_380_714_800],
  [serialOf, 0, null],
  [dollarsOf, '$16,500.40', 16_500],
  [dollarsOf, 2_147_483_648, null],
  [dollarsOf, '', null],
  [instantOf, '2026-11-21T15:00:00.123456+11:00', '2026-11-21T04:00:00.123Z'],
  [instantOf, '2026-11-21T04:00:00', null],
  [instantOf, '2026-02-30T04:00:00Z', null],
  [instantOf, '0001-01-01T00:00:00Z', null],
  [instantOf, '9999-12-31T23:59:59-14:00', null],
  [utcInstantOf, '2026-11-21T04:00:00', '2026-11-21T04:00:00.000Z'],
  [instantOfSeconds, 1_795_233_600, '2026-11-21T04:00:00.000Z'],
  [instantOfSeconds, 253_402_300_800, null],
  [instantOfSeconds, 1.5, null],
  [dayOf, '2026-11-21T00:00:00Z', '2026-11-21'],
  [dayOf, '0001-01-01', null],
])('%p of %p is %p', (read, value, expected) => expect(read(value)).toBe(expected));

test.each([
  textOf,
  idOf,
  numberOf,
  countOf,
  tallyOf,
  serialOf,
  dollarsOf,
  instantOf,
  utcInstantOf,
  instantOfSeconds,
  dayOf,
])('%p never throws', (read) => {
  for (const value of HOSTILE) read(value);
});

describe('the day of a meeting', () => {
  const days = (...starts: string[]) =>
    withMeetingDay(starts.map((startTime) => ({ startTime }))).map((race) => race.meetingDate);

  test('is that of its first race, even past midnight', () => {
    expect(days('2026-11-21T11:00:00.000Z', '2026-11-21T13:30:00.000Z')).toEqual(['2026-11-21', '2026-11-21']);
    expect(days()).toEqual([]);
  });

  test('is not moved by one wrong start, and a day-long card is one day', () => {
    expect(days('2001-01-01T00:00:00.000Z', '2026-11-21T11:00:00.000Z', '2026-11-21T11:40:00.000Z')).toEqual(
      Array(3).fill('2026-11-21'),
    );
    expect(days('2026-11-20T22:00:00.000Z', '2026-11-21T04:00:00.000Z', '2026-11-21T12:00:00.000Z')).toEqual(
      Array(3).fill('2026-11-21'),
    );
  });
});
