import { MAX_HORIZON_HOURS, PLANS, planForHorizon, planNamed, reaches } from '../../src/plans/plans';

test('the table equals that of D10', () => {
  const rows = PLANS.map((p) => [p.id, p.monthlyPriceAud, p.monthlyCredits, p.requestsPerMinute]);
  expect(rows).toEqual([
    ['free', 0, 3_000, 30],
    ['hobby', 9, 7_500, 60],
    ['standard', 29, 75_000, 200],
    ['plus', 49, 140_000, 500],
    ['business', 99, 300_000, 750],
    ['platform', 249, 1_500_000, 1_500],
    ['scale', 599, 5_000_000, 3_000],
    ['enterprise', null, 20_000_000, 6_000],
  ]);
});

test('forward horizons are 24, 48 and 168 hours (A 8)', () => {
  const hours = Object.fromEntries(PLANS.map((plan) => [plan.id, plan.horizonHours]));
  expect(hours).toMatchObject({ free: 24, hobby: 24, standard: 48, plus: 168, enterprise: 168 });
  expect(MAX_HORIZON_HOURS).toBe(168);
});

test.each([
  ['starter', 'standard'],
  ['pro', 'business'],
  ['growth', 'plus'],
  ['free', 'free'],
])('a key of plan %s reads as %s', (name, id) => {
  expect(planNamed(name)?.id).toBe(id);
});

test('a plan name in no table is null', () => expect(planNamed('unlimited')).toBeNull());

test('a plan includes the lower plans, and not the higher ones', () => {
  expect(reaches(planNamed('plus')!, 'plus')).toBe(true);
  expect(reaches(planNamed('scale')!, 'plus')).toBe(true);
  expect(reaches(planNamed('standard')!, 'plus')).toBe(false);
});

test.each([
  [24, 'free'],
  [25, 'standard'],
  [48, 'standard'],
  [49, 'plus'],
  [168, 'plus'],
  [169, undefined],
])('%i hours ahead need %s', (hours, id) => expect(planForHorizon(hours)?.id).toBe(id));
