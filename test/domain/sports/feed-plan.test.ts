// When a sport of a feed is polled, and what a call may cost.
import fc from 'fast-check';
import { creditLimit, creditMonthOf, dueAtMs } from '../../../src/domain/sports/feed-plan';
import { runs } from '../../support/property';

const MINUTE = 60_000;
const START = Date.parse('2026-11-21T09:00:00.000Z');
const before = (minutes: number) => START - minutes * MINUTE;

test.each([
  ['two days ahead it begins', null, 48 * 60],
  ['a quarter of an hour apart', 600, 585],
  ['two minutes apart within the hour, from its beginning', 65, 60],
  ['two minutes apart', 50, 48],
  ['half a minute apart within ten minutes, from their beginning', 11, 10],
  ['half a minute apart', 5, 4.5],
])('%s', (_, tried, due) => {
  expect(dueAtMs(START, tried === null ? null : before(tried))).toBe(before(due));
});

test('the nearer the start, the sooner the call; and never two calls within half a minute', () => {
  const minutes = fc.integer({ min: 0, max: 5000 });
  fc.assert(
    fc.property(minutes, minutes, (a, b) => {
      const [near, far] = [Math.min(a, b), Math.max(a, b)];
      const after = (tried: number) => dueAtMs(START, before(tried)) - before(tried);
      expect(after(near)).toBeLessThanOrEqual(after(far));
      expect(after(near)).toBeGreaterThanOrEqual(MINUTE / 2);
    }),
    { numRuns: runs(500) },
  );
});

test('a month costs at most its budget, is spread over its days, and gives near matches precedence over far ones', () => {
  const monthly = fc.integer({ min: 1, max: 1_000_000 });
  const instant = fc.integer({ min: Date.parse('2026-01-01'), max: Date.parse('2030-01-01') });
  fc.assert(
    fc.property(monthly, instant, fc.integer({ min: 0, max: 48 * 60 }), (credits, nowMs, toStart) => {
      const limit = creditLimit(credits, nowMs, toStart * MINUTE);
      expect(limit).toBeLessThanOrEqual(credits);
      expect(limit).toBeLessThanOrEqual(creditLimit(credits, nowMs, 0));
      const day = new Date(nowMs).getUTCDate();
      expect(limit).toBeLessThanOrEqual(Math.ceil((credits * (day + 1)) / 28));
      expect(creditMonthOf(nowMs)).toBe(`${new Date(nowMs).toISOString().slice(0, 7)}-01`);
    }),
    { numRuns: runs(500) },
  );
  const first = Date.parse('2026-11-01T00:00:00.000Z');
  expect([47 * 60, 30, 5].map((toStart) => creditLimit(3000, first, toStart * MINUTE))).toEqual([50, 75, 100]);
  expect(creditLimit(3000, Date.parse('2026-11-30T23:59:59.000Z'), 0)).toBe(3000);
});
