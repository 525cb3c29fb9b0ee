import { isWhole, type ListedMonth, nextMonth } from '../../../src/domain/form/history';
import { onceEach, type StoredRun } from '../../../src/domain/form/stored-run';

const BEGINS = '2026-09-20';
const next = (listed: readonly ListedMonth[], today = '2026-11-06') => nextMonth(listed, ['VIC', 'NSW'], BEGINS, today);

/** Reads the meetings that are due on the day until none is; a region has no meeting in its `empty` months. */
function readAll(today: string, before: readonly ListedMonth[] = [], empty: readonly string[] = []) {
  const listed = [...before];
  const order: string[] = [];
  for (let due = next(listed, today); due !== null; due = next(listed, today)) {
    const { region, month, from, to } = due;
    order.push(`${region} ${from} ${to}`);
    const meetings = empty.includes(`${region} ${month}`) ? 0 : 9;
    const old = listed.findIndex((one) => one.region === region && one.month === month);
    if (old >= 0) listed.splice(old, 1);
    listed.push({ region, month, listedAt: `${today}T02:00:00.000Z`, meetings });
    expect(order.length).toBeLessThan(50);
  }
  return { listed, order };
}

test('months are read newest first over all regions, from yesterday back to the beginning', () => {
  const { order } = readAll('2026-11-06');
  expect(order).toEqual([
    'VIC 2026-11-01 2026-11-05',
    'NSW 2026-11-01 2026-11-05',
    'VIC 2026-10-01 2026-10-31',
    'NSW 2026-10-01 2026-10-31',
    'VIC 2026-09-20 2026-09-30',
    'NSW 2026-09-20 2026-09-30',
  ]);
});

test('a month still in progress is read again on the next day, and once more after its end', () => {
  const { listed } = readAll('2026-11-29');
  const nextDay = readAll('2026-11-30', listed);
  expect(nextDay.order).toEqual(['VIC 2026-11-01 2026-11-29', 'NSW 2026-11-01 2026-11-29']);
  const ended = readAll('2026-12-01', nextDay.listed);
  expect(ended.order).toEqual(['VIC 2026-11-01 2026-11-30', 'NSW 2026-11-01 2026-11-30']);
  expect(readAll('2026-12-01', ended.listed).order).toEqual([]);
});

test('a region without a meeting in three months is not followed further back', () => {
  const beginsOn = '2020-01-01';
  const listed = ['2026-11-01', '2026-10-01', '2026-09-01'].map((month) => ({
    region: 'VIC',
    month,
    listedAt: '2026-11-06T02:00:00.000Z',
    meetings: 0,
  }));
  expect(nextMonth(listed, ['VIC'], beginsOn, '2026-11-06')).toBeNull();
  const one = listed.map((month, i) => ({ ...month, meetings: i === 1 ? 4 : 0 }));
  expect(nextMonth(one, ['VIC'], beginsOn, '2026-11-06')).toMatchObject({ month: '2026-08-01', to: '2026-08-31' });
});

test('a meeting is read again until every race is final or abandoned; a meeting without races is not published yet', () => {
  const meeting = (note: string | null, ...stages: string[]) =>
    isWhole({ note, races: stages.map((stage) => ({ stage })) } as unknown as Parameters<typeof isWhole>[0]);
  expect([meeting(null), meeting(null, 'final', 'interim'), meeting(null, 'final', 'abandoned')]).toEqual([
    false,
    false,
    true,
  ]);
  expect(meeting('Meeting abandoned')).toBe(true);
});

test('a run that several sources have counts once: our own results first, then history', () => {
  const run = (origin: StoredRun['origin'], over: Partial<StoredRun> = {}) =>
    ({
      origin,
      meeting_date: '2026-11-01',
      venue_site: 'x',
      race_number: 1,
      number: 2,
      runner_key: 'a',
      ...over,
    }) as StoredRun;
  const tabtouch = run('tabtouch');
  const history = run('history');
  const results = run('results');
  const other = run('tabtouch', { race_number: 2 });
  expect(onceEach([tabtouch, other, history])).toEqual([other, history]);
  expect(onceEach([results, history, other, tabtouch])).toEqual([results, other]);
});
