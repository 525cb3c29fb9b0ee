// Maps the books' country codes to ISO 3166 alpha-2. A code outside the table is unknown (null), never passed on.

/**
 * Entain's own list (its docs, and TUR observed), which mixes alpha-3, alpha-2 and its own codes; then alpha-3 and
 * Olympic codes of racing countries.
 */
const ALPHA2: Readonly<Record<string, string>> = {
  AUS: 'AU',
  NZ: 'NZ',
  NZL: 'NZ',
  HK: 'HK',
  HKG: 'HK',
  UK: 'GB',
  GBR: 'GB',
  IRE: 'IE',
  IRL: 'IE',
  USA: 'US',
  CA: 'CA',
  CAN: 'CA',
  ARG: 'AR',
  CHI: 'CL',
  CHL: 'CL',
  PER: 'PE',
  URY: 'UY',
  DEU: 'DE',
  FR: 'FR',
  FRA: 'FR',
  NOR: 'NO',
  SWE: 'SE',
  TUR: 'TR',
  IND: 'IN',
  JPN: 'JP',
  KOR: 'KR',
  SGP: 'SG',
  SAF: 'ZA',
  ZAF: 'ZA',
  RSA: 'ZA',
  UAE: 'AE',
  ARE: 'AE',
  SAU: 'SA',
  KSA: 'SA',
  BHR: 'BH',
  QAT: 'QA',
  BRA: 'BR',
  ITA: 'IT',
  DNK: 'DK',
  DEN: 'DK',
  ESP: 'ES',
  BEL: 'BE',
  NLD: 'NL',
  AUT: 'AT',
  CHE: 'CH',
  SUI: 'CH',
  CYP: 'CY',
  FIN: 'FI',
  GER: 'DE',
  MYS: 'MY',
  MAS: 'MY',
  MAC: 'MO',
  CHN: 'CN',
  MUS: 'MU',
  MEX: 'MX',
};

const AUSTRALIAN_STATES = new Set(['NSW', 'VIC', 'QLD', 'SA', 'WA', 'TAS', 'ACT', 'NT']);

export function countryOf(code: string | null): string | null {
  return code !== null && Object.hasOwn(ALPHA2, code) ? ALPHA2[code]! : null;
}

const KNOWN: ReadonlySet<string> = new Set(Object.values(ALPHA2));

/** For books with two-letter ISO codes: only codes of the table. `UK` is not an ISO code and means GB. */
export function countryOfAlpha2(code: string | null): string | null {
  return code !== null && KNOWN.has(code) ? code : countryOf(code);
}

/** TAB's `location`: an Australian state at home (SA is South Australia), alpha-3 abroad. */
export function countryOfLocation(location: string | null): string | null {
  return location !== null && AUSTRALIAN_STATES.has(location) ? 'AU' : countryOf(location);
}

const TAG = ' - ';

/**
 * The country that some lists append to a venue: `Mohawk - Can`, `Veliefendi - TUR`. Only codes of the table count as
 * tags. Returns the venue without its tag, and the tag's country; if there is no tag, the unchanged text and null.
 */
export function splitCountryTag(text: string): { readonly venue: string; readonly country: string | null } {
  const at = text.lastIndexOf(TAG);
  const country =
    at > 0
      ? countryOf(
          text
            .slice(at + TAG.length)
            .trim()
            .toUpperCase(),
        )
      : null;
  return country === null ? { venue: text, country } : { venue: text.slice(0, at).trim(), country };
}
