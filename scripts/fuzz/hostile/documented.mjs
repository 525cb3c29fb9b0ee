// What the service documents: every status of every operation with its media type, from /openapi.json, and the
// addresses outside the contract.
const UNRESERVED = /%(2D|2E|5F|7E|3[0-9]|4[1-9A-F]|5[0-9A]|6[1-9A-F]|7[0-9A])/gi;

const only = (...types) => ({ 200: types, 304: [] });
const JSON_TEXT = only('application/json');
const HTML = only('text/html');
const FILE = only('text/css', 'text/javascript', 'application/javascript', 'font/woff2', 'image/svg+xml');
/** Addresses outside the contract whose media type their name does not show. */
const BESIDE = {
  '/openapi.json': JSON_TEXT,
  '/openapi.yaml': only('application/yaml'),
  '/healthz': JSON_TEXT,
  '/docs/{file}': FILE,
  '/assets/{name}': FILE,
  '/changelog.xml': only('application/rss+xml'),
  '/race/{race_id}/prices': JSON_TEXT,
  '/race/{race_id}/start': JSON_TEXT,
  '/race/{race_id}/past/prices': JSON_TEXT,
  '/search/suggestions': JSON_TEXT,
};
const BY_ENDING = {
  csv: only('text/csv'),
  ico: only('image/svg+xml'),
  ipynb: only('application/x-ipynb+json'),
  json: JSON_TEXT,
  png: only('image/png'),
  txt: only('text/plain'),
  webmanifest: only('application/manifest+json'),
  xml: only('application/xml'),
};
const ENDING = /\.(\w+)$/;

/** `pages`: the paths of the pages' router, in its syntax. */
export function documentedIn(document, pages = []) {
  const operations = operationsOf(document);
  const beside = Object.entries(BESIDE).map(([path, responses]) => ({ method: 'GET', path, responses }));
  const paths = pages.map((path) => path.replace(/:(\w+)/g, '{$1}')).filter((path) => !BESIDE[path]);
  const ofPages = paths.map((path) => ({ method: 'GET', path, responses: BY_ENDING[ENDING.exec(path)?.[1]] ?? HTML }));
  const patterned = (one) => ({ ...one, pattern: patternOf(one.path) });
  const shown = ofPages.map(patterned);
  const rows = [...[...operations, ...beside].map(patterned), ...shown];
  return {
    operations,
    /** The media types of this status here; null if it is not documented. */
    mediaTypes(method, path, status) {
      if (method === 'OPTIONS' && status === 204) return [];
      const wanted = method === 'HEAD' ? 'GET' : method;
      const types = rows
        .filter((one) => one.method === wanted && one.pattern.test(path))
        .map((one) => one.responses[status]);
      return types.some(Boolean) ? types.flatMap((some) => some ?? []) : null;
    },
    /** Their errors may be pages too. */
    isPage: (path) => shown.some(({ pattern, responses }) => responses === HTML && pattern.test(path)),
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
