// What the next plan adds, as the account page lists it.
import { nextPlan } from '../../src/plans/next-plan';
import { planNamed } from '../../src/plans/plans';

const served = new Set(['clv', 'markets', 'team_keys', 'archive'] as const);
const adds = (plan: string, issuedAt = '2026-10-01T00:00:00Z') => nextPlan(planNamed(plan)!, issuedAt, served)?.adds;

test('only features that operations have, and that the key lacks', () => {
  expect(adds('free')).toEqual([]);
  expect(adds('standard')).toEqual([
    'Scoring bets against the closing line',
    'Every market on one race',
    'The archive',
    'Betslip links',
  ]);
  // Such a key keeps the features with which it was sold (D11).
  expect(adds('standard', '2026-09-01T00:00:00Z')).toEqual(['Scoring bets against the closing line', 'Betslip links']);
  expect(adds('plus')).toEqual(['Managing team keys']);
});

test('there is none above the last plan', () => expect(adds('enterprise')).toBeUndefined());
