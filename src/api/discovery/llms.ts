// /llms.txt in the form of llmstxt.org: a title, a summary, and sections of links. Operations link to their pages in
// the reference.
import type { TSchema } from '@sinclair/typebox';
import type { SitePage } from '../../web/site/pages';
import type { Endpoint } from '../kernel/endpoint/endpoint';
import { isOptional } from '../openapi/schema';
import { operationSlug } from './reference/operation';

interface Listed {
  readonly baseUrl: string;
  readonly endpoints: readonly Endpoint[];
  readonly pages: readonly SitePage[];
}

const link = (title: string, address: string, about: string): string => `- [${title}](${address}): ${about}\n`;

/** Answers without any parameter. */
const isAddress = ({ path, query = {} }: Endpoint): boolean =>
  !path.includes('{') && Object.values<TSchema>(query).every(isOptional);

export function llms({ baseUrl, endpoints, pages }: Listed): string {
  const linked = (sitemaps: readonly string[]) =>
    pages
      .filter((page) => sitemaps.includes(page.sitemap))
      .map(({ path, title, about }) => link(title, baseUrl + path, about))
      .join('');
  const open = endpoints.filter((one) => one.auth === 'none' && one.method === 'get' && isAddress(one));
  const tags = [...new Set(endpoints.map(({ tag }) => tag))];
  return `# Racing Odds Service

> Australian racing odds from many bookmakers, collected live and compared, with results, form and a permanent archive of prices. An HTTP API with JSON responses.

Send your key in the \`X-API-Key\` header. A call costs the credits that its operation states; errors and 304 responses are free. Instants are UTC, meeting days are days in Australia/Sydney, prices are decimal odds, and an unknown value is null. What reads is also a tool for language models: \`${baseUrl}/mcp\` (Model Context Protocol, Streamable HTTP) takes the same key in the same header, at the same prices.

## Reference

${linked(['api'])}
## Without a key

${open.map(({ path, summary }) => link(`GET ${path}`, baseUrl + path, `${summary}.`)).join('')}
${tags
  .map(
    (tag) =>
      `## Operations: ${tag}\n\n${endpoints
        .filter((one) => one.tag === tag)
        .map((one) => operation(one, baseUrl))
        .join('')}`,
  )
  .join('\n')}
## Optional

${linked(['core', 'tools', 'sports', 'legal'])}`;
}

function operation({ method, path, operationId, summary, cost }: Endpoint, baseUrl: string): string {
  return link(
    `${method.toUpperCase()} ${path}`,
    `${baseUrl}/docs/${operationSlug(operationId)}`,
    `${summary}. Cost: ${cost.text}.`,
  );
}
