// What a browser needs to call the API from a page of another origin, and what it must not get from our pages.
import Router from '@koa/router';
import { FREE_METER } from '../../../../src/api/kernel/endpoint/meter';
import { EXPOSED } from '../../../../src/api/kernel/http/cross-origin';
import type { Reads } from '../../../../src/store/reads/reads';
import { memoryKeys, startApi, type TestApi } from '../../../support/api/api';

const keys = memoryKeys();
const trace: string[] = [];
const pages = new Router().get('/', (ctx) => {
  ctx.body = 'a page';
});
let api: TestApi;
beforeAll(async () => {
  const meter = { ...FREE_METER, admit: async () => void trace.push('admit') };
  api = await startApi({ reads: {} as Reads, keys, meter, pages });
});
afterAll(() => api.close());

const preflight = (path: string) =>
  api.send('OPTIONS', path, {
    headers: { Origin: 'https://app.example', 'Access-Control-Request-Method': 'GET' },
  });

test.each([
  ['/v1/racing/next-to-go', 'GET, HEAD'],
  ['/v1/racing/clv', 'POST'],
  ['/v1/ingest/boostbet', 'POST'],
  ['/openapi.json', 'GET, HEAD'],
])('a preflight of %s is answered before key and limits are checked', async (path, methods) => {
  const { status, text, headers } = await preflight(path);
  expect([status, text]).toEqual([204, '']);
  expect(headers.get('access-control-allow-origin')).toBe('*');
  expect(headers.get('access-control-allow-methods')).toBe(methods);
  expect(headers.get('access-control-allow-headers')).toBe(
    'X-API-Key, Content-Type, Content-Encoding, Idempotency-Key, If-None-Match, Range, If-Range, Last-Event-ID, X-Request-Id, Mcp-Protocol-Version, Mcp-Method, Mcp-Name',
  );
  expect(headers.get('access-control-max-age')).toBe('86400');
  expect([keys.lookups, trace]).toEqual([0, []]);
});

test('a preflight of an unknown path is a 404, and OPTIONS without a requested method a 405', async () => {
  expect((await preflight('/v1/nothing')).status).toBe(404);
  const { status, headers } = await api.send('OPTIONS', '/v1/racing/clv');
  expect([status, headers.get('allow')]).toEqual([405, 'POST']);
});

test.each([
  '/v1/nothing',
  '/v1/racing/next-to-go',
  '/openapi.json',
  '/openapi.yaml',
  '/changelog.json',
  '/changelog.xml',
])('a response of %s is open to every origin, with the headers that clients need', async (path) => {
  const { headers } = await api.get(path);
  expect(headers.get('access-control-allow-origin')).toBe('*');
  expect(headers.get('access-control-allow-credentials')).toBeNull();
  expect(headers.get('access-control-expose-headers')).toBe(EXPOSED.join(', '));
  expect(headers.get('cross-origin-resource-policy')).toBe('cross-origin');
});

test('every header that the document declares is exposed', async () => {
  const { body } = await api.get('/openapi.json');
  const operations = Object.values<object>(body.paths).flatMap((path) => Object.values(path));
  const responses = operations.flatMap(({ responses }) => Object.values<{ headers: object }>(responses));
  const names = new Set(responses.flatMap(({ headers }) => Object.keys(headers)));
  expect(names.size).toBeGreaterThan(4);
  expect([...names].filter((name) => !EXPOSED.includes(name))).toEqual([]);
});

test('pages are for their own origin, and answer other methods with a 405', async () => {
  const { headers } = await api.get('/');
  expect(headers.get('access-control-allow-origin')).toBeNull();
  expect(headers.get('cross-origin-resource-policy')).toBe('same-origin');
  expect((await preflight('/')).status).toBe(405);
  const posted = await api.send('POST', '/');
  expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
});
