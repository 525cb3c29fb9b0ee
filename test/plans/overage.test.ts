import { hasOverage, monthlyCredits, overageCents, overagePrice } from '../../src/plans/overage';
import { PLANS, planNamed } from '../../src/plans/plans';

const plan = (name: string) => planNamed(name)!;

test('only Business and Platform have overage, half of their allowance (A 8)', () => {
  expect(PLANS.filter(hasOverage).map(({ id }) => id)).toEqual(['business', 'platform']);
  const ceiling = (name: string, overage: boolean): number => {
    const monthly = monthlyCredits({ plan: plan(name), overage });
    return monthly.allowance + monthly.overage;
  };
  expect([ceiling('business', true), ceiling('platform', true)]).toEqual([450_000, 2_250_000]);
  expect([ceiling('business', false), ceiling('scale', true)]).toEqual([300_000, 5_000_000]);
});

test('1,000 credits of overage cost the same as 1,000 of the plan (D39)', () => {
  expect([overagePrice(plan('business')), overagePrice(plan('platform'))]).toEqual([0.33, 0.166]);
  expect(overagePrice(plan('enterprise'))).toBeNull();
});

describe('the invoice of a month', () => {
  test.each<[number, [string, number][], string]>([
    [0, [], 'nothing was used'],
    [33, [['business', 1000]], 'a thousand credits'],
    [4950, [['business', 150_000]], 'all of it: half of the plan’s price'],
    [12_450, [['platform', 750_000]], 'all of it on Platform'],
    [0, [['business', 15]], '0.495 cents'],
    [1, [['business', 16]], '0.528 cents'],
    [
      83 + 66,
      [
        ['business', 2000],
        ['platform', 5000],
      ],
      'each credit at the price of its plan',
    ],
    [
      1,
      [
        ['business', 10],
        ['platform', 15],
      ],
      'rounded once: 0.33 and 0.249 cents',
    ],
  ])('is %i cents for %j: %s', (cents, used) => {
    expect(overageCents(used.map(([name, credits]) => ({ plan: plan(name), credits })))).toBe(cents);
  });
  test('of a plan without a price is a defect', () => {
    expect(() => overageCents([{ plan: plan('enterprise'), credits: 1 }])).toThrow(/enterprise/);
  });
});
