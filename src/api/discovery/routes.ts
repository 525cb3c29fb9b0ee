// The documents about the site (A 4.14), for crawlers, language models, and people or programs that start here. Each
// lists only addresses that are served.
import type Router from '@koa/router';
import type { Context } from 'koa';
import type { Site, SitePage } from '../../web/site/pages';
import type { Endpoint } from '../kernel/endpoint/endpoint';
import { methodsAt } from '../kernel/http/methods';
import { type PreparedResponse, prepareDocument, send, statusOf } from '../kernel/http/response/prepared';
import type { Schema } from '../openapi/schema';
import { llms } from './llms';
import { llmsFull } from './llms-full';
import { OWN_PAGES, operationPages, PROBLEM_PAGES } from './own-pages';
import { robots } from './robots';
import { sitemap, sitemapIndex, sitemapPath } from './sitemaps';

interface SiteDeps {
  readonly endpoints: readonly Endpoint[];
  /** The endpoints to list. */
  readonly document: Schema;
  readonly baseUrl: string;
  /** The routes of the pages; null: there are none. */
  readonly pages: Router | null;
  readonly site: Site | null;
  /** Where vulnerabilities are reported, as a URI; null: nowhere. */
  readonly securityContact: string | null;
  /** Wall clock, epoch milliseconds. */
  wallMs(): number;
}

const PLAIN = 'text/plain; charset=utf-8';
const XML = 'application/xml; charset=utf-8';
const JSON_TYPE = 'application/json; charset=utf-8';

export function siteRoutes(router: Router, deps: SiteDeps): void {
  const { endpoints, document, baseUrl, pages, site, securityContact: contact } = deps;
  const isServed = ({ path }: SitePage): boolean => pages !== null && methodsAt([pages], path).includes('GET');
  const feeds = site?.feeds ?? [];
  const ofFeeds = feeds.map(({ path, title, about }): SitePage => ({ path, title, about, sitemap: 'api' }));
  const listed = [...OWN_PAGES, ...(site?.pages ?? []).filter(isServed), ...ofFeeds];
  const unlisted = [...operationPages(endpoints), ...PROBLEM_PAGES].filter(isServed);
  const inSitemap = (name: SitePage['sitemap']) =>
    [...listed, ...unlisted].filter((page) => page.sitemap === name).map(({ path }) => path);
  const documents: readonly (readonly [path: string, type: string, text: string])[] = [
    ['/robots.txt', PLAIN, robots(baseUrl)],
    ['/llms.txt', PLAIN, llms({ baseUrl, endpoints, pages: listed })],
    ['/llms-full.txt', PLAIN, llmsFull(document)],
    ['/sitemap.xml', XML, sitemapIndex(baseUrl)],
    ...(['core', 'tools', 'api', 'legal'] as const).map(
      (name) => [sitemapPath(name), XML, sitemap(baseUrl, inSitemap(name))] as const,
    ),
    ...feeds.map(({ path, type, text }) => [path, `${type}; charset=utf-8`, text(baseUrl)] as const),
    ['/v1', JSON_TYPE, JSON.stringify(beginning(baseUrl, listed))],
  ];
  for (const [path, type, text] of documents) {
    const prepared = prepareDocument(text, type);
    router.get(path, (ctx) => answer(ctx, prepared));
  }
  router.get(sitemapPath('sports'), async (ctx) => {
    const [days = [], around = []] = await Promise.all([site?.pastDays(), site?.dayPaths()]);
    const paths = [...inSitemap('sports'), ...around, ...days.map((day) => `/past/${day}`)];
    return answer(ctx, prepareDocument(sitemap(baseUrl, paths), XML));
  });
  if (contact)
    router.get(SECURITY, (ctx) => answer(ctx, prepareDocument(security(contact, baseUrl, deps.wallMs()), PLAIN)));
}

const SECURITY = '/.well-known/security.txt';
const DAY_MS = 86_400_000;
/** RFC 9116 recommends less than a year. */
const VALID_DAYS = 180;

function security(contact: string, baseUrl: string, nowMs: number): string {
  const untilMs = (Math.floor(nowMs / DAY_MS) + VALID_DAYS) * DAY_MS;
  return `Contact: ${contact}\nExpires: ${new Date(untilMs).toISOString()}\nCanonical: ${baseUrl}${SECURITY}\n`;
}

const answer = (ctx: Context, prepared: PreparedResponse): void | Promise<void> =>
  send(ctx, prepared, statusOf(ctx, prepared));

/** The response at /v1 itself. */
function beginning(baseUrl: string, listed: readonly SitePage[]) {
  const has = (page: string): boolean => listed.some(({ path }) => path === page);
  return {
    documentation: `${baseUrl}/docs`,
    openapi: `${baseUrl}/openapi.json`,
    text: `${baseUrl}/llms-full.txt`,
    ...(has('/changelog') && { changelog: `${baseUrl}/changelog` }),
    ...(has('/signup') && { signup: `${baseUrl}/signup` }),
    uptime: `${baseUrl}/v1/uptime`,
  };
}
