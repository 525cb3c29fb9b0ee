// The API's own pages and documents, in addition to those of the site.
import { type ErrorCode, PROBLEMS, slugOf } from '../../errors';
import type { SitePage } from '../../web/site/pages';
import type { Endpoint } from '../kernel/endpoint/endpoint';
import { operationSlug } from './reference/operation';

export const OWN_PAGES: readonly SitePage[] = [
  ['/docs', 'API reference', 'Every operation with its parameters, fields and examples.'],
  ['/openapi.json', 'OpenAPI document', 'The same for programs: OpenAPI 3.1.'],
  ['/openapi.yaml', 'OpenAPI document as YAML', 'The same document for people and tools that read YAML.'],
  [
    '/llms-full.txt',
    'Reference as one text',
    'Authentication, credits, limits, errors and every operation, for language models.',
  ],
].map(([path, title, about]) => ({ path: path!, title: title!, about: about!, sitemap: 'api' }));

/** The page of each problem, where the site has them. */
export const PROBLEM_PAGES: readonly SitePage[] = (Object.keys(PROBLEMS) as ErrorCode[]).map((code) => ({
  path: `/errors/${slugOf(code)}`,
  title: PROBLEMS[code].title,
  about: `Status ${PROBLEMS[code].status}, code ${code}.`,
  sitemap: 'api',
}));

/** The page of each operation, where the site has them. */
export const operationPages = (endpoints: readonly Endpoint[]): readonly SitePage[] =>
  endpoints.map(({ operationId, summary, method, path }) => ({
    path: `/docs/${operationSlug(operationId)}`,
    title: summary,
    about: `${method.toUpperCase()} ${path}.`,
    sitemap: 'api',
  }));
