// The files that a page loads, read once: some written here, the others from packages, no build. An address contains a
// hash of the content, so a browser may cache it forever.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../root';

export interface Asset {
  readonly body: Buffer;
  readonly type: string;
  readonly hash: string;
}

const own = (name: string): string => join(ROOT, 'src/web/assets', name);

const SCRIPT = 'text/javascript; charset=utf-8';

const FILES: Readonly<Record<string, readonly [path: string, type: string]>> = {
  'icon.svg': [own('icon.svg'), 'image/svg+xml'],
  'idiomorph.js': [require.resolve('idiomorph/dist/idiomorph.min.js'), SCRIPT],
  'uplot.js': [require.resolve('uplot/dist/uPlot.iife.min.js'), SCRIPT],
  'inter-latin.woff2': [own('fonts/inter-latin.woff2'), 'font/woff2'],
  'inter-latin-ext.woff2': [own('fonts/inter-latin-ext.woff2'), 'font/woff2'],
};

const styles = (part: string): string => own(`css/${part}.css`);

const load = ([path, type]: readonly [string, string]): Asset => hashed(readFileSync(path), type);

const hashed = (body: Buffer, type: string): Asset => ({
  body,
  type,
  hash: createHash('sha256').update(body).digest('hex').slice(0, 12),
});

/** The parts of the style sheet of all pages, in this order, after that of the charts. */
const STYLES = [
  'tokens',
  'theme',
  'frame',
  'header',
  'parts',
  'strip',
  'meetings',
  'meeting',
  'sheet',
  'prices',
  'alerts',
  'cloths',
  'wide',
  'course',
  'views',
  'hour',
  'search',
  'movers',
  'pin',
  'turn',
  'sports',
  'lines',
  'past',
  'runner',
  'people',
  'plain',
  'reference',
  'coverage',
  'forms',
  'account',
  'legend',
  'outcomes',
  'bookmakers',
  'quality',
  'price-quality',
  'about',
  'home',
  'narrow',
  'phone',
  'sort',
  'view',
  'forced',
  'print',
];

const ASSETS = new Map(Object.entries(FILES).map(([name, file]) => [name, load(file)] as const));
ASSETS.set('board.css', styleSheet([require.resolve('uplot/dist/uPlot.min.css'), ...STYLES.map(styles)]));
ASSETS.set('widget.css', styleSheet([styles('tokens'), styles('cloths'), own('widget.css')]));

/** One classic script before the first paint, of the modules that it needs, each after those that it imports. */
const BEFORE_PAINT = [
  'clock.mjs',
  'format.mjs',
  'kept.mjs',
  'theme.mjs',
  'zoned-time.mjs',
  'zone.mjs',
  'before-paint.mjs',
];
ASSETS.set('before-paint.js', classicOf(BEFORE_PAINT));

/** The View menu, on every page, with what it imports. */
const VIEW_MODULES = ['clock.mjs', 'format.mjs', 'kept.mjs', 'theme.mjs', 'zoned-time.mjs', 'zone.mjs', 'view.mjs'];
/** Of the board's pages, before the libraries. */
export const EARLY_MODULES = ['language.mjs'];
/** Run before the first paint of prices: what a visitor chose is there from the beginning. */
export const PAINT_MODULES = ['kept', 'bookmakers', 'bookmakers-table', 'format', 'figures', 'choices'].map(
  (name) => `${name}.mjs`,
);
/** Our modules, each after those that it imports. */
export const MODULES = [
  'clock',
  'format',
  'kept',
  'theme',
  'zoned-time',
  'zone',
  'view',
  'freshness',
  'figures',
  'choices',
  'tables',
  'chart-columns',
  'chart-marks',
  'chart-books',
  'charts',
  'turn',
  'board',
  'steps',
  'pin-state',
  'pin',
  'search',
  'bookmakers-panel',
  'bet-links',
].map((name) => `${name}.mjs`);
const OF_CHARTS = ['chart-columns', 'chart-marks', 'chart-books', 'charts'].map((name) => `${name}.mjs`);
/** Those of a page without charts. */
export const LIGHT_MODULES = MODULES.filter((name) => !OF_CHARTS.includes(name));
/** Of a visitor who is signed in, on every page. */
export const SIGNED_IN_MODULES = ['alert-state.mjs', 'alerts.mjs'];
/** Of the account pages. */
export const ACCOUNT_MODULES = [...VIEW_MODULES, 'copy.mjs', 'account.mjs', 'passkeys.mjs'];
/** Of widgets in customers' sites. */
export const WIDGET_MODULES = ['clock.mjs', 'format.mjs', 'widget.mjs'];
/** Of the API reference. */
export const DOCS_MODULES = [...VIEW_MODULES, 'copy.mjs', 'docs.mjs'];
for (const name of new Set([
  ...EARLY_MODULES,
  ...PAINT_MODULES,
  ...MODULES,
  ...ACCOUNT_MODULES,
  ...WIDGET_MODULES,
  ...DOCS_MODULES,
  ...['kept.mjs', ...SIGNED_IN_MODULES],
]))
  ASSETS.set(name, moduleOf(name));

/** Pages of docs that a pointer rests on are fetched before the click, by browsers that know these rules. */
const PREFETCHED = {
  prefetch: [
    {
      where: { and: [{ href_matches: ['/docs', '/docs/*', '/errors/*'] }, { not: { href_matches: '/docs/*.ipynb' } }] },
      eagerness: 'moderate',
    },
  ],
};
ASSETS.set('docs-rules.json', hashed(Buffer.from(JSON.stringify(PREFETCHED)), 'application/speculationrules+json'));

/** The modules in one block, without their imports: names of theirs must differ. */
function classicOf(names: readonly string[]): Asset {
  const texts = names.map((name) => readFileSync(own(name), 'utf8'));
  const joined = texts
    .join('\n')
    .replace(/^import .*$/gm, '')
    .replace(/^export /gm, '');
  return hashed(Buffer.from(`{\n'use strict';\n${joined}}\n`), SCRIPT);
}

// It imports others by the addresses in the page, so that each is fetched once.
function moduleOf(name: string): Asset {
  const text = readFileSync(own(name), 'utf8');
  const addressed = text.replace(/(?<=^import .* from ')\.\/([^']+)/gm, (_, imported: string) => assetUrl(imported));
  return hashed(Buffer.from(addressed), SCRIPT);
}

// It loads its fonts from the addresses that the page preloads, so that each is fetched once.
function styleSheet(parts: readonly string[]): Asset {
  const text = parts.map((path) => readFileSync(path, 'utf8')).join('\n');
  const addressed = text.replace(/url\(['"]([^'"]+)['"]\)/g, (_, name: string) => `url('${assetUrl(name)}')`);
  return hashed(Buffer.from(addressed), 'text/css; charset=utf-8');
}

export const asset = (name: string): Asset | undefined => ASSETS.get(name);

export function assetUrl(name: string): string {
  const found = ASSETS.get(name);
  if (!found) throw new Error(`no asset ${name}`);
  return `/assets/${name}?v=${found.hash}`;
}
