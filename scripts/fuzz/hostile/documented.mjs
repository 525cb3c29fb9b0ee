// What the service documents: every status of every operation with its media type, from /openapi.json, and the
// addresses outside the contract.
const UNRESERVED = /%(2D|2E|5F|7E|3[0-9]|4[1-9A-F]|5[0-9A]|6[1-9A-F]|7[0-9A])/gi;

const HTML = { 200: ['text/html'], 304: [] };
const JSON_TEXT = { 200: ['application/json'], 304: [] };
const FILE = { 200: ['text/css', 'text/javascript', 'application/javascript', 'font/woff2', 'image/svg+xml'], 304: [] };
const BESIDE = {
  '/openapi.json': JSON_TEXT,
  '/openapi.yaml': { 200: ['application/yaml'], 304: [] },
  '/healthz': JSON_TEXT,
  '/docs': HTML,
  '/docs/try': HTML,
  '/docs/{file}': FILE,
  '/': HTML,
  '/live': HTML,
  '/board/fragment': HTML,
  '/board/home': HTML,
  '/past': HTML,
  '/data-quality.json': JSON_TEXT,
  '/account': HTML,
  '/widgets/{id}': HTML,
  '/contract': HTML,
  '/changelog': HTML,
  '/changelog.xml': { 200: ['application/rss+xml'], 304: [] },
  '/race/{race_id}': HTML,
  '/race/{race_id}/card.png': { 200: ['image/png'], 304: [] },
  '/race/{race_id}/fragment': HTML,
  '/race/{race_id}/prices': JSON_TEXT,
  '/horse/{key}': HTML,
  '/greyhound/{key}': HTML,
  '/assets/{name}': FILE,
  '/errors/{slug}': HTML,
};
/** Pages for people: their errors may be pages too. */
const OF_PAGES = /^\/(?:$|board|past|account|widgets\/|race\/|horse\/|greyhound\/|errors\/)/;

export function documentedIn(document) {
  const operations = operationsOf(document);
  const beside = Object.entries(BESIDE).map(([path, responses]) => ({ method: 'GET', path, responses }));
  const rows = [...operations, ...beside].map((one) => ({ ...one, pattern: patternOf(one.path) }));
  return {
    operations,
    /** The media types of this status here; null if it is not documented. */
    mediaTypes(method, path, status) {
      if (method === 'OPTIONS' && status === 204) return [];
      const wanted = method === 'HEAD' ? 'GET' : method;
      const row = rows.find((one) => one.method === wanted && one.pattern.test(path));
      return row?.responses[status] ?? null;
    },
    isPage: (path) => OF_PAGES.test(path),
  };
}

function operationsOf({ paths }) {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { parameters = [], requestBody, responses, security }]) => ({
      method: method.toUpperCase(),
      path,
      parameters: parameters.filter((one) => one.in === 'query').map(({ name }) => name),
      example: requestBody?.content?.['application/json']?.example ?? null,
      keyless: security?.length === 0,
      responses: Object.fromEntries(
        Object.entries(responses).map(([status, { content = {} }]) => [status, Object.keys(content)]),
      ),
    })),
  );
}

const patternOf = (path) => new RegExp(`^${path.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{\w+\}/g, '[^/]+')}$`);

/** The path of a request target as sent: without origin and query, and without unnecessary escapes. */
export function pathOf(target) {
  const local = target.replace(/^[a-z]+:\/\/[^/?]*/i, '').replace(/[?#].*$/s, '');
  return (local || '/').replace(UNRESERVED, (written) => decodeURIComponent(written));
}
