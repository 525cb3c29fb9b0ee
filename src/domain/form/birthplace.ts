// The country of birth that a registry writes after a name, `Gold Trip (FR)`: two different countries are two animals.
// Some books leave it out, so a name without one proves nothing.

/** One country per line with the codes in use; ISO's two letters first. */
const SPELLINGS = [
  'AU AUS',
  'NZ NZL',
  'GB GBR UK',
  'IE IRE IRL',
  'FR FRA',
  'US USA',
  'CA CAN',
  'DE GER DEU',
  'JP JPN',
  'HK HKG',
  'SG SGP SIN',
  'ZA SAF RSA',
  'AR ARG',
  'BR BRZ BRA',
  'CL CHI CHL',
  'IN IND',
  'IT ITY ITA',
  'TR TUR',
  'AE UAE',
  'SE SWE',
  'NO NOR',
  'DK DEN',
];
const COUNTRIES: ReadonlyMap<string, string> = new Map(
  SPELLINGS.flatMap((line) => line.split(' ').map((code, _, [country]) => [code, country!] as const)),
);

/** Country of birth, ISO 3166 alpha-2; null if the name has no suffix, or one that the table does not list. */
export function birthplace(name: string): string | null {
  if (!name.includes('(')) return null;
  const [, code] = /\(([a-z]{2,3})\)\s*$/i.exec(name) ?? [];
  return (code && COUNTRIES.get(code.toUpperCase())) ?? null;
}
