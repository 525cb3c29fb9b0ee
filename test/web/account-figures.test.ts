// The figures of the account page: what the next plan adds, and the chart of credits.
import { nextPlan } from '../../src/api/pages/console/plan-cards';
import { planNamed } from '../../src/plans/plans';
import { byEndpoint, columnsOf, niceCeiling } from '../../src/web/account/panels/credit-chart';
import { BUSY } from '../support/pages/memory-accounts';

describe('what the next plan gives', () => {
  const served = new Set(['clv', 'markets', 'team_keys', 'archive'] as const);
  const adds = (plan: string, issuedAt = '2026-10-01T00:00:00Z') => nextPlan(planNamed(plan)!, issuedAt, served)?.adds;

  test('is what operations offer and the key does not have yet', () => {
    expect(adds('free')).toEqual([]);
    expect(adds('standard')).toEqual([
      'Scoring bets against the closing line',
      'Every market on one race',
      'The archive',
      'Betslip links',
    ]);
    // Such a key keeps what it was sold with (D11).
    expect(adds('standard', '2026-09-01T00:00:00Z')).toEqual([
      'Scoring bets against the closing line',
      'Betslip links',
    ]);
    expect(adds('plus')).toEqual(['Managing team keys']);
  });

  test('is nothing above the last plan', () => expect(adds('enterprise')).toBeUndefined());
});

describe('the chart of credits', () => {
  test('its columns add up to what was used, a day each, and the largest operations have colours of their own', () => {
    const columns = columnsOf(BUSY.credits);
    expect(columns).toHaveLength(30);
    expect(columns.reduce((sum, { credits }) => sum + credits, 0)).toBe(BUSY.credits.used);
    for (const { parts, credits } of columns) expect(parts.reduce((sum, part) => sum + part.credits, 0)).toBe(credits);
    const rows = byEndpoint(BUSY.credits.days);
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
