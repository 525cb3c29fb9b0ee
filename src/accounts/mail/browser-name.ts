// The browser and the system that a User-Agent header names, in our words alone: mails never repeat what a stranger
// sent. Pure.

type Names = readonly (readonly [sign: string, name: string])[];

/** The first that fits counts: most browsers also name those that they descend from. */
const BROWSERS: Names = [
  ['Edg/', 'Edge'],
  ['EdgA/', 'Edge'],
  ['EdgiOS/', 'Edge'],
  ['OPR/', 'Opera'],
  ['SamsungBrowser/', 'Samsung Internet'],
  ['Firefox/', 'Firefox'],
  ['FxiOS/', 'Firefox'],
  ['Chrome/', 'Chrome'],
  ['CriOS/', 'Chrome'],
  ['Safari/', 'Safari'],
];

const SYSTEMS: Names = [
  ['Android', 'Android'],
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Windows', 'Windows'],
  ['Mac OS X', 'macOS'],
  ['CrOS', 'ChromeOS'],
  ['Linux', 'Linux'],
];

const nameIn = (names: Names, userAgent: string): string | null =>
  names.find(([sign]) => userAgent.includes(sign))?.[1] ?? null;

/** Such as `Firefox on Windows`; null: the header names no browser that is listed. */
export function browserName(userAgent: string): string | null {
  const browser = nameIn(BROWSERS, userAgent);
  const system = nameIn(SYSTEMS, userAgent);
  return browser && system ? `${browser} on ${system}` : browser;
}
