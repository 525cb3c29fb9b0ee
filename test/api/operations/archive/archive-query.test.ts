// Which rows of the archive a request selects: days and instants in Sydney, the limit of seven days, and the cut of the
// rolling window (D45).
import { CUSTOMERS } from '../../../../src/api/kernel/endpoint/visibility';
import {
  type ArchiveQuery,
  archiveRules,
  archiveSelection,
  isOlderThan,
  type Span,
} from '../../../../src/api/operations/archive/pages/archive-query';

const NOW_MS = Date.parse('2026-11-21T03:00:00.000Z');

const boundsOf = (query: ArchiveQuery, archiveDays: number | null = null, span: Span = 'any') => {
  const { from, until } = archiveSelection(query, { archiveDays }, NOW_MS, span);
  return [from, until];
};
const problemsOf = (query: ArchiveQuery, span: Span = 'any', given = Object.keys(query)) =>
  archiveRules(query, { audience: CUSTOMERS, nowMs: NOW_MS, given: new Set(given) }, span);

test.each<[string, ArchiveQuery, (string | undefined)[]]>([
  ['nothing: up to now', {}, [undefined, '2026-11-21T03:00:00.001Z']],
  [
    'a long day in autumn, both ends included',
    { from: '2026-04-05', to: '2026-04-05' },
    ['2026-04-04T13:00:00.000Z', '2026-04-05T14:00:00.000Z'],
  ],
  [
    'a short day in spring',
    { from: '2026-10-04', to: '2026-10-04' },
    ['2026-10-03T14:00:00.000Z', '2026-10-04T13:00:00.000Z'],
  ],
  [
    'instants, both ends included',
    { from: '2026-10-04T10:00:00+11:00', to: '2026-10-04T01:00Z' },
    ['2026-10-03T23:00:00.000Z', '2026-10-04T01:00:00.001Z'],
  ],
  ['a race in any span', { race_id: 'x' }, [undefined, undefined]],
  ['a meeting day by its own column', { date: '2026-10-04' }, [undefined, undefined]],
  [
    'the ends of the calendar',
    { from: '0001-01-01', to: '9999-12-31' },
    ['1900-01-01T00:00:00.000Z', '9999-01-01T00:00:00.000Z'],
  ],
])('%s', (_, query, bounds) => {
  expect(boundsOf(query)).toEqual(bounds);
});

test('without race_id the default is the week that ends there', () => {
  expect(boundsOf({}, null, 'week')).toEqual(['2026-11-14T03:00:00.000Z', '2026-11-21T03:00:00.001Z']);
  expect(boundsOf({ to: '2026-10-07' }, null, 'week')).toEqual([
    '2026-09-30T14:00:00.000Z',
    '2026-10-07T13:00:00.000Z',
  ]);
  expect(boundsOf({ to: '2026-10-07T00:00:00Z' }, null, 'week')[0]).toBe('2026-09-30T00:00:00.000Z');
  expect(boundsOf({ race_id: 'x' }, null, 'week')).toEqual([undefined, undefined]);
});

test.each<[string, ArchiveQuery, boolean]>([
  ['seven dates of which one has 25 hours', { from: '2026-03-30', to: '2026-04-05' }, true],
  ['eight dates of which one has 23 hours', { from: '2026-09-28', to: '2026-10-05' }, false],
  ['168 hours', { from: '2026-09-28T00:00:00Z', to: '2026-10-05T00:00:00Z' }, true],
  ['a millisecond more', { from: '2026-09-28T00:00:00Z', to: '2026-10-05T00:00:00.001Z' }, false],
  [
    '169 hours between instants on seven dates',
    { from: '2026-03-30T00:00:00+11:00', to: '2026-04-06T00:00:00+10:00' },
    false,
  ],
  ['a date and an instant 168 hours later', { from: '2026-11-01', to: '2026-11-08T00:00:00+11:00' }, true],
  ['a date and the end of time', { from: '2026-11-01', to: '9999-12-31T23:59:59Z' }, false],
  ['to now, seven dates', { from: '2026-11-15' }, true],
  ['to now, more', { from: '2026-11-13' }, false],
])('the guard: %s', (_, query, fits) => {
  expect(problemsOf(query, 'week').map(({ parameter }) => parameter)).toEqual(fits ? [] : ['from']);
  expect(problemsOf(query)).toEqual([]);
  expect(problemsOf({ ...query, race_id: 'x' }, 'week')).toEqual([]);
});

test('the guard names the span and its limit', () => {
  const detail = (query: ArchiveQuery) => problemsOf(query, 'week').map((problem) => problem.detail);
  const why = 'is longer than 7 days; send a shorter one, or race_id.';
  expect(detail({ from: '2026-11-01', to: '2026-11-09' })).toEqual([`The span from 2026-11-01 to 2026-11-09 ${why}`]);
  expect(detail({ from: '2026-11-01' })).toEqual([`The span from 2026-11-01 to now ${why}`]);
});

test('every error of a request is reported, and an unreadable value only once', () => {
  const wrong = { from: '2026-11-02', to: '2026-11-01', bookmakers: ['zed'], format: 'json', limit: 5001 } as const;
  expect(problemsOf(wrong, 'week').map(({ parameter }) => parameter)).toEqual(['bookmakers', 'from', 'limit']);
  expect(problemsOf({ ...wrong, bookmakers: [], format: 'csv', to: '2026-11-02' })).toEqual([]);
  expect(problemsOf({ from: '2026-11-02' }, 'week', ['from', 'to'])).toEqual([]);
  expect(problemsOf({ from: '2026-11-22' })[0]!.detail).toContain('must not be after now');
  expect(problemsOf({ from: '2026-11-21T03:00:00Z', to: '2026-11-21T03:00:00Z' })).toEqual([]);
});

test('the rolling window cuts off older rows; a request for older rows only is outside', () => {
  const windowStart = '2026-08-23T03:00:00.000Z';
  expect(boundsOf({}, 90)).toEqual([windowStart, '2026-11-21T03:00:00.001Z']);
  expect(boundsOf({ from: '2026-08-01' }, 90)[0]).toBe(windowStart);
  expect(boundsOf({ from: '2026-09-01' }, 90)[0]).toBe('2026-08-31T14:00:00.000Z');
  expect(boundsOf({ race_id: 'x' }, 90)[0]).toBe(windowStart);
  expect(boundsOf({ date: '2026-08-23' }, 90)[0]).toBe(windowStart);
  const older = (query: ArchiveQuery) => isOlderThan(90, query, NOW_MS);
  expect(older({ to: '2026-08-22' })).toBe(true);
  expect(older({ to: '2026-08-23' })).toBe(false);
  expect([older({ to: '2026-08-23T02:59:59.998Z' }), older({ to: windowStart })]).toEqual([true, false]);
  expect([older({ date: '2026-08-21' }), older({ date: '2026-08-22' }), older({})]).toEqual([true, false, false]);
  expect([older({ date: '9999-12-31' }), older({ date: '0001-01-01' })]).toEqual([false, true]);
});
