import { formNeed } from '../../../src/domain/form/freshness';

const HOUR = 3_600_000;
const NOW = Date.parse('2026-11-21T03:00:00.000Z');
const need = (ageHours: number, startedSinceRead: boolean) =>
  formNeed({ fetchedAtMs: NOW - ageHours * HOUR, nowMs: NOW, startedSinceRead });
const DAYS_7 = 7 * 24;

test.each([
  [0, true, 'serve'],
  [5.999, true, 'serve'],
  [6, true, 'read'],
  [6, false, 'serve'],
  [DAYS_7, false, 'serve'],
  [DAYS_7, true, 'read'],
  [DAYS_7 + 0.001, false, 'read'],
])('a page of %d hours, a start since %s: %s', (hours, started, expected) => {
  expect(need(hours, started)).toBe(expected);
});
