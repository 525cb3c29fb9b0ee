import { burnOf, includedCredits, isNearLimit, periodAt, upgradeFor } from '../../src/plans/credits';
import { planNamed } from '../../src/plans/plans';

const ms = (text: string): number => Date.parse(text);

test.each([
  ['2026-11-30T23:59:59.999Z', '2026-11-01', '2026-12-01T00:00:00.000Z'],
  ['2026-12-01T00:00:00.000Z', '2026-12-01', '2027-01-01T00:00:00.000Z'],
  ['2028-02-29T12:00:00.000Z', '2028-02-01', '2028-03-01T00:00:00.000Z'],
])('%s is in the month of %s', (at, id, next) => {
  const period = periodAt(ms(at));
  expect(period).toEqual({ id, startMs: ms(`${id}T00:00:00Z`), endMs: ms(next) });
});

test.each([
  ['none', 300_000, 0, 0, 300_000],
  ['switched on', 450_000, 150_000, 0, 300_000],
  ['switched on and used', 450_000, 150_000, 150_000, 300_000],
  ['switched off after use', 300_010, 0, 10, 300_000],
])('80 percent is counted without overage: %s', (_, limit, allowed, used, included) => {
  expect(includedCredits(limit, { allowed, used })).toBe(included);
  expect([239_999, 240_000].map((each) => isNearLimit(each, included))).toEqual([false, true]);
});

describe('the rate of a month', () => {
  const november = periodAt(ms('2026-11-11T00:00:00Z'));
  const old = ms('2026-01-01T00:00:00Z');
  const of = (used: number) => ({ used, remaining: 1000, lastMs: old });
  test('is measured from the beginning of the month, and extrapolated to its end', () => {
    expect(burnOf(of(1000), november, old, ms('2026-11-11T00:00:00Z'))).toEqual({
      perDay: 100,
      projected: 3000,
      measured: true,
    });
  });
  test('uses the days until the credits ran out, with or without part of a call’s price left', () => {
    const lastMs = ms('2026-11-03T00:00:00Z');
    const rate = (remaining: number) =>
      burnOf({ used: 3000, remaining, lastMs }, november, old, ms('2026-11-16T00:00:00Z'));
    for (const remaining of [0, 19])
      expect(rate(remaining)).toEqual({ perDay: 1500, projected: 45_000, measured: true });
    expect(rate(20)).toEqual({ perDay: 200, projected: 6000, measured: true });
    // They were used within a day, at this rate or faster.
    const atOnce = { used: 3000, remaining: 0, lastMs: ms('2026-11-01T06:00:00Z') };
    expect(burnOf(atOnce, november, old, ms('2026-11-16T00:00:00Z'))).toMatchObject({
      perDay: 3000,
      projected: 90_000,
    });
  });
  test('is measured from the account’s creation', () => {
    const since = ms('2026-11-21T00:00:00Z');
    expect(burnOf(of(500), november, since, ms('2026-11-26T00:00:00Z'))).toEqual({
      perDay: 100,
      projected: 1000,
      measured: true,
    });
  });
  test('is not measured on the first day', () => {
    expect(burnOf(of(100), november, old, ms('2026-11-01T06:00:00Z'))).toMatchObject({ perDay: 100, measured: false });
  });
});

describe('the upgrade', () => {
  const burn = (projected: number, measured = true) => ({ perDay: 1, projected, measured });
  test.each([
    ['free', 7_500, 'hobby', true],
    ['free', 7_501, 'standard', true],
    ['plus', 10, 'business', true],
    ['platform', 9_000_000, 'scale', false],
  ])('of %s at %i credits a month is %s', (plan, projected, id, covers) => {
    expect(upgradeFor(planNamed(plan)!, burn(projected))).toMatchObject({ plan: { id }, covers, sizedFor: projected });
  });
  test('covers the projection on the first day too, without claiming a measured rate', () => {
    const upgrade = upgradeFor(planNamed('free')!, burn(21_010, false));
    expect(upgrade).toMatchObject({ plan: { id: 'standard' }, covers: true, sizedFor: null });
  });
  test('is none if no larger plan is on sale', () => {
    expect(upgradeFor(planNamed('scale')!, burn(9e9))).toBeNull();
  });
});
