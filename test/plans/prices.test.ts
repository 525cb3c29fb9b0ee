// What is sold, for how much, and which change of it is an upgrade.
import fc from 'fast-check';
import { firstPayment, isUpgrade, lookupKey, OFFERS, type Offer, offerOf, priceAud } from '../../src/plans/prices';

const offer = (key: string): Offer => OFFERS.find((one) => lookupKey(one) === key)!;

test('every plan with a price is sold by the month, and by the year for the price of ten months', () => {
  expect(OFFERS.map((one) => `${lookupKey(one)} ${priceAud(one)}`)).toEqual([
    'hobby_monthly 9',
    'hobby_yearly 90',
    'standard_monthly 29',
    'standard_yearly 290',
    'plus_monthly 49',
    'plus_yearly 490',
    'business_monthly 99',
    'business_yearly 990',
    'platform_monthly 249',
    'platform_yearly 2490',
    'scale_monthly 599',
    'scale_yearly 5990',
  ]);
});

test.each([
  ['free', null],
  ['enterprise', null],
  ['nothing', null],
  ['pro', null],
  ['business', 'business_monthly'],
])('%s by the month is %p', (plan, expected) => {
  const found = offerOf(plan, 'month');
  expect(found && lookupKey(found)).toBe(expected);
});

test.each([
  ['hobby_monthly', 'plus_monthly', true],
  ['hobby_monthly', 'plus_yearly', true],
  ['plus_monthly', 'plus_yearly', true],
  ['plus_yearly', 'business_yearly', true],
  ['plus_monthly', 'plus_monthly', false],
  ['plus_yearly', 'plus_monthly', false],
  ['plus_yearly', 'business_monthly', false],
  ['plus_monthly', 'hobby_yearly', false],
])('from %s to %s is an upgrade: %p', (from, to, expected) => {
  expect(isUpgrade(offer(from), offer(to))).toBe(expected);
});

test.each([
  ['plus_monthly', '2026-11-01T00:00:00Z', 4900, '2026-12-01T00:00:00.000Z'],
  ['plus_monthly', '2026-11-16T00:00:00Z', 2450, '2026-12-01T00:00:00.000Z'],
  ['plus_monthly', '2026-12-31T12:00:00Z', 79, '2027-01-01T00:00:00.000Z'],
  ['plus_yearly', '2026-11-01T00:00:00Z', 49_000, '2027-11-01T00:00:00.000Z'],
  ['plus_yearly', '2026-11-30T12:00:00Z', 45_040, '2027-11-01T00:00:00.000Z'],
])('%s, bought on %s, begins with %d cents until %s', (key, at, cents, until) => {
  const first = firstPayment(offer(key), Date.parse(at));
  expect([first.cents, new Date(first.untilMs).toISOString()]).toEqual([cents, until]);
});

test.each([
  ['2026-12-31T16:25:00Z', 50, 50],
  ['2026-12-31T16:35:00Z', 49, 0],
  ['2026-12-31T23:59:59Z', 0, 0],
])('bought on %s, %d cents are owed for the month and %d paid now', (at, cents, dueCents) => {
  expect(firstPayment(offer('plus_monthly'), Date.parse(at))).toMatchObject({ cents, dueCents });
});

test('whenever it begins, at most one interval is paid, and the next one begins with a month', () => {
  const start = Date.parse('2024-01-01T00:00:00Z');
  const instants = fc.integer({ min: 0, max: 5 * 366 * 86_400 }).map((seconds) => start + 1000 * seconds);
  fc.assert(
    fc.property(fc.constantFrom(...OFFERS), instants, (one, nowMs) => {
      const { cents, untilMs } = firstPayment(one, nowMs);
      expect(cents).toBeLessThanOrEqual(100 * priceAud(one));
      expect(untilMs).toBeGreaterThan(nowMs);
      expect(new Date(untilMs).toISOString()).toMatch(/-01T00:00:00\.000Z$/);
    }),
  );
});
