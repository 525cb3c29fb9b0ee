// Countries as the books spell them (A 2.1 rule 4: a country that no book labels is unknown, never Australia).
import { countryOf, countryOfAlpha2, countryOfLocation, splitCountryTag } from '../../../src/feeds/reading/country';

test.each([
  ['UAE', 'AE'],
  ['ARE', 'AE'],
  ['SAU', 'SA'],
  ['KSA', 'SA'],
  ['BHR', 'BH'],
  ['QAT', 'QA'],
  ['BRA', 'BR'],
  ['ITA', 'IT'],
  ['DNK', 'DK'],
  ['ESP', 'ES'],
  ['BEL', 'BE'],
  ['NLD', 'NL'],
  ['AUT', 'AT'],
  ['CHE', 'CH'],
  ['CYP', 'CY'],
  ['MYS', 'MY'],
  ['MAC', 'MO'],
])('%s is %s, as alpha-3 and as alpha-2', (alpha3, alpha2) => {
  expect(countryOf(alpha3)).toBe(alpha2);
  expect(countryOfAlpha2(alpha2)).toBe(alpha2);
});

test('a code outside the table is unknown, even if it is a built-in property name', () => {
  expect(['XXX', 'constructor', '__proto__', '', null].map(countryOf)).toEqual([null, null, null, null, null]);
});

test('SA is South Australia where states stand beside countries, and Saudi Arabia in ISO’s two letters', () => {
  expect([countryOfLocation('SA'), countryOfLocation('SAU'), countryOfAlpha2('SA')]).toEqual(['AU', 'SA', 'SA']);
});

test('a venue keeps what only looks like a tag', () => {
  expect(splitCountryTag('Meydan - UAE')).toEqual({ venue: 'Meydan', country: 'AE' });
  expect(splitCountryTag('Ascot - Park')).toEqual({ venue: 'Ascot - Park', country: null });
});
