// What is sold, for how much, and which change of it is an upgrade.
import { isUpgrade, lookupKey, OFFERS, type Offer, offerOf, priceAud } from '../../src/plans/prices';

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
