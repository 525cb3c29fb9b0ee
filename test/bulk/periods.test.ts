// Which periods of bulk files are due (D45, D47).
import fc from 'fast-check';
import { columnsKey } from '../../src/bulk/catalogue';
import { BUILT_AFTER_MS, type Built, daysOf, endMs, lastBuiltDay, periodOf, periodsDue } from '../../src/bulk/periods';
import { runs } from '../support/property';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const ids = (periods: readonly { id: string }[]) => periods.map(({ id }) => id);
const built = (period: string, builtMs: number, over: Partial<Built> = {}): Built => ({
  period,
  columnsKey: 'k',
  builtMs,
  checkedMs: builtMs,
  hasManifest: true,
  ...over,
});

test('a period is an existing day or month', () => {
  expect(periodOf('2026-02')).toEqual({ kind: 'month', id: '2026-02', firstDay: '2026-02-01', lastDay: '2026-02-28' });
  expect(periodOf('2028-02')!.lastDay).toBe('2028-02-29');
  expect(periodOf('2026-12')!.lastDay).toBe('2026-12-31');
  expect(periodOf('2026-11-20')).toMatchObject({ kind: 'day', firstDay: '2026-11-20', lastDay: '2026-11-20' });
  for (const none of ['2026-02-30', '2026-13', '2026', '2026-1', '', '2026-11-20T00:00:00Z', '0000-01'])
    expect(periodOf(none)).toBeNull();
  expect(daysOf(periodOf('2026-11')!, '2026-11-29')).toEqual(['2026-11-29', '2026-11-30']);
  expect(daysOf(periodOf('2026-10')!, '2026-11-29')).toEqual([]);
});

// The days when the clocks change have 25 and 23 hours.
test.each([
  ['2026-04-05', '2026-04-05T14:00:00Z'],
  ['2026-10-04', '2026-10-04T13:00:00Z'],
])('%s ends at %s and is built six hours later, not before', (day, end) => {
  expect(endMs(periodOf(day)!)).toBe(Date.parse(end));
  expect(lastBuiltDay(Date.parse(end) + BUILT_AFTER_MS)).toBe(day);
  expect(lastBuiltDay(Date.parse(end) + BUILT_AFTER_MS - 1) < day).toBe(true);
});

test('days are checked daily at first and then ever less, and nothing is due twice in a day', () =>
  fc.assert(
    fc.property(
      fc.integer({ min: 7, max: 4000 * 24 }),
      fc.integer({ min: 0, max: 4000 * 24 }),
      (ageHours, checkedHours) => {
        const day = '2026-11-20';
        const nowMs = endMs(periodOf(day)!) + ageHours * HOUR;
        const all = [built(day, nowMs - DAY, { checkedMs: nowMs - checkedHours * HOUR })];
        const isDue = ids(periodsDue(day, all, 'k', nowMs)).includes(day);
        if (checkedHours < 24) expect(isDue).toBe(false);
        if (checkedHours >= 24 && ageHours <= 240) expect(isDue).toBe(true);
        if (checkedHours * 10 >= ageHours && checkedHours >= 24) expect(isDue).toBe(true);
        if (checkedHours * 10 < ageHours) expect(isDue).toBe(false);
      },
    ),
    { numRuns: runs(500) },
  ));

test('a month waits for all its days and their columns; it is rebuilt a day later if a day was', () => {
  const nowMs = Date.parse('2026-12-05T00:00:00Z');
  const from = '2026-11-29';
  const days = ['2026-11-29', '2026-11-30', '2026-12-01', '2026-12-02', '2026-12-03'].map((day) =>
    built(day, nowMs - HOUR),
  );
  expect(ids(periodsDue(from, days.slice(1), 'k', nowMs))).toEqual(['2026-11-29', '2026-12-04'].reverse());
  expect(ids(periodsDue(from, days, 'k', nowMs))).toEqual(['2026-12-04', '2026-11']);
  expect(ids(periodsDue(from, [...days, built('2026-11', nowMs)], 'k', nowMs))).toEqual(['2026-12-04']);
  expect(ids(periodsDue(from, [...days, built('2026-11', nowMs - 23 * HOUR)], 'k', nowMs))).toEqual(['2026-12-04']);
  expect(ids(periodsDue(from, [...days, built('2026-11', nowMs - DAY)], 'k', nowMs))).toEqual([
    '2026-12-04',
    '2026-11',
  ]);
  const renamed = ids(periodsDue(from, [...days, built('2026-11', nowMs)], 'other', nowMs));
  expect(renamed).toEqual([...ids(days.map(({ period }) => ({ id: period }))), '2026-12-04'].reverse());
});

test('a day or month without a manifest is due, whenever it was checked, unless its columns are others', () => {
  const nowMs = Date.parse('2026-12-03T19:00:00Z');
  const from = '2026-11-30';
  const all = ['2026-11-30', '2026-12-01', '2026-12-02', '2026-12-03', '2026-11'].map((period) => built(period, nowMs));
  const due = (unsigned: readonly string[], columnsKey = 'k') =>
    ids(
      periodsDue(
        from,
        all.map((one) => (unsigned.includes(one.period) ? { ...one, hasManifest: false, columnsKey } : one)),
        'k',
        nowMs,
      ),
    );
  expect(due([])).toEqual([]);
  expect(due(['2026-11', '2026-12-01', '2026-12-02'])).toEqual(['2026-12-02', '2026-12-01', '2026-11']);
  // The month waits for the columns of its day.
  expect(due(['2026-11', '2026-11-30'], 'other')).toEqual(['2026-11-30']);
});

test('the key of columns is that of earlier releases, so that their files are not built and charged again', () => {
  const column = { name: 'n', type: 'integer', nullable: false, description: 'A count.' } as const;
  expect(columnsKey({ columns: [column] })).toBe('0001741d087bb220');
});
