// What is true for every address, whichever part of the application answers it.
import type { Context } from 'koa';
import { compressResponse } from '../../src/api/kernel/http/compression';
import type { Reads } from '../../src/store/reads/reads';
import { memoryKeys, startApi, type TestApi } from '../support/api/api';

let pings = 0;
const reads = { ping: async () => void pings++ } as Partial<Reads> as Reads;
let api: TestApi;
beforeAll(async () => {
  api = await startApi({ reads, keys: memoryKeys() });
});
afterAll(() => api.close());

test('a 401 names the authentication scheme', async () => {
  const { status, headers } = await api.get('/v1/racing/venues');
  expect([status, headers.get('www-authenticate')]).toEqual([401, 'ApiKey realm="racing-odds"']);
});

test.each(['/V1/racing/venues', '/v1/racing/venues/', '/v1/Racing/venues', '/openapi.json/', '/Docs', '/healthz/'])(
  'a path must be spelled exactly: %s is a 404',
  async (path) => expect((await api.get(path)).status).toBe(404),
);

test('no page may be framed, and other sites receive only the origin as referrer', async () => {
  for (const path of ['/v1/racing/venues', '/docs/try', '/nothing']) {
    const { headers } = await api.get(path);
    expect(headers.get('x-frame-options')).toBe('DENY');
    expect(headers.get('referrer-policy')).toBe('strict-origin-when-cross-origin');
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
  }
});

test('concurrent health checks share one database query', async () => {
  const answers = await Promise.all(Array.from({ length: 10 }, () => api.get('/healthz')));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  expect(pings).toBe(1);
});

test('a file is compressed once, however many requests ask for it', async () => {
  const file = Buffer.alloc(5000, 'text');
  const sent = (encoding: string) => {
    const headers = { 'accept-encoding': encoding };
    return { method: 'GET', type: 'text/css', req: { headers }, set: () => {}, body: file } as unknown as Context;
  };
  const first = sent('br');
  const second = sent('br');
  const other = sent('gzip');
  await Promise.all([first, second, other].map(compressResponse));
  expect(first.body).toBe(second.body);
  expect([first, other].map((ctx) => Buffer.compare(ctx.body as Buffer, file))).not.toContain(0);
});
