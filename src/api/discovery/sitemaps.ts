// The sitemaps (sitemaps.org 0.9): an index, and one for each part of the site. The time of a page's last change is
// unknown, so none is stated.
import type { SitePage } from '../../web/site/pages';

const SITEMAPS: readonly SitePage['sitemap'][] = ['core', 'tools', 'sports', 'api', 'legal'];

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

const escaped = (text: string): string => text.replace(/[&<>"']/g, (one) => ENTITIES[one]!);

function xml(root: string, entry: string, addresses: readonly string[]): string {
  const rows = addresses.map((address) => `  <${entry}><loc>${escaped(address)}</loc></${entry}>\n`);
  return `<?xml version="1.0" encoding="UTF-8"?>
<${root} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${rows.join('')}</${root}>
`;
}

export const sitemapPath = (name: SitePage['sitemap']): string => `/sitemap-${name}.xml`;

export const sitemapIndex = (baseUrl: string): string =>
  xml(
    'sitemapindex',
    'sitemap',
    SITEMAPS.map((name) => `${baseUrl}${sitemapPath(name)}`),
  );

export const sitemap = (baseUrl: string, paths: readonly string[]): string =>
  xml(
    'urlset',
    'url',
    paths.map((path) => `${baseUrl}${path}`),
  );
