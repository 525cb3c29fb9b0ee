// What crawlers may read (RFC 9309): the pages. Operations need a key, fragments are not pages, and a crawler that runs
// scripts would fill a widget at its owner's cost.

/** Prefixes of addresses; `*` is any text. */
export const KEPT_OUT = [
  '/v1/',
  '/board/',
  '/races/*/fragment',
  '/results/*/fragment',
  '/movers/fragment',
  '/race/*/fragment',
  '/race/*/stream',
  '/race/*/start',
  '/race/*/prices',
  '/race/*/past/prices',
  '/search/suggestions',
  '/sports/fragment',
  '/sports/*/fragment',
  '/sports/match/*/fragment',
  '/account',
  '/go/',
  '/widgets/',
];

export const robots = (baseUrl: string): string => `User-agent: *
${KEPT_OUT.map((path) => `Disallow: ${path}\n`).join('')}Allow: /

Sitemap: ${baseUrl}/sitemap.xml
`;
