// The chart of credits on the account page.
import { byPart, columnsOf, niceCeiling } from '../../src/web/account/credits/chart';
import { BUSY } from '../support/pages/memory-accounts';

describe('the chart of credits', () => {
  test('its columns add up to what was used, a day each, and the largest operations have colours of their own', () => {
    const columns = columnsOf(BUSY.days, BUSY.use.period);
    expect(columns).toHaveLength(30);
    expect(columns.reduce((sum, { credits }) => sum + credits, 0)).toBe(BUSY.use.used);
    for (const { parts, credits } of columns) expect(parts.reduce((sum, part) => sum + part.credits, 0)).toBe(credits);
    const rows = byPart(BUSY.days);
    expect(rows.map(({ colour }) => colour)).toEqual([1, 2, 3, 4, 5, 6, 6]);
    expect(rows.map(({ credits }) => credits)).toEqual(rows.map(({ credits }) => credits).sort((a, b) => b - a));
  });

  test.each([
    [0, 10],
    [10, 10],
    [11, 20],
    [99, 100],
    [2990, 3000],
    [3001, 4000],
    [1_000_001, 2_000_000],
  ])('a scale for %d ends at %d', (most, top) => expect(niceCeiling(most)).toBe(top));
});
