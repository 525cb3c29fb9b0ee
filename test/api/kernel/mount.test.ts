// The machinery under every operation, on test operations: order of checks, errors, tags, charging.

import { once } from 'node:events';
import { get } from 'node:http';
import { Readable } from 'node:stream';
import { Type } from '@sinclair/typebox';
import type { Billing } from '../../../src/accounts/billing/billing';
import { type Endpoint, endpoint, flat } from '../../../src/api/kernel/endpoint/endpoint';
import type { Meter } from '../../../src/api/kernel/endpoint/meter';
import { age } from '../../../src/api/wire/vocabulary';
import { AppError } from '../../../src/errors';
import type { Reads } from '../../../src/store/reads/reads';
import { memoryKeys, startApi, type TestApi } from '../../support/api/api';

const trace: string[] = [];
const keys = memoryKeys();
const key = keys.add();
const meter: Meter = {
  uncharged: () => {},
  balance: async () => {},
  admit: async () => void trace.push('admit'),
  joins: async () => false,
  precheck: ({ credits }) => void trace.push(`precheck ${credits}`),
  charge: async ({ credits, endpoint: path }) => void trace.push(`charge ${credits} ${path}`),
};

const about = { tag: 'Health', summary: 's', description: 'd', auth: 'key', cost: flat(3) } as const;
const ok = { description: 'ok', schema: Type.Any(), example: {} };
const thing = {
  ...ok,
  schema: Type.Object({ id: Type.String(), size: Type.Integer(), age_seconds: age('') }),
  example: { id: 'abc', size: 1, age_seconds: 0 },
};

const ENDPOINTS: Endpoint<{ billing: Billing }>[] = [
  endpoint<{ billing: Billing }>()({
    ...about,
    method: 'get',
    path: '/v1/things/{thing_id}',
    operationId: 'thing',
    params: { thing_id: Type.String({ pattern: '^[a-z]+$', 'x-must-be': 'lowercase letters' }) },
    query: { size: Type.Integer({ default: 1, minimum: 1, maximum: 9 }) },
    gate: {
      text: 'Small things only.',
      errors: ['plan_required'],
      headers: {},
      check({ query }) {
        trace.push('gate');
        if (query.size === 9) throw new AppError('plan_required', 'Too large for your plan.');
      },
    },
    ok: thing,
    async handler({ params, query, services }) {
      trace.push('work');
      if (params.thing_id === 'broken') throw new Error('SELECT secret FROM stack');
      if (params.thing_id === 'away') throw Object.assign(new Error('connect 10.0.0.1'), { code: 'ECONNREFUSED' });
      if (params.thing_id === 'gone') throw new AppError('gone', 'It is gone.');
      if (params.thing_id === 'off') await services.billing.event(Buffer.alloc(0), '');
      if (params.thing_id === 'busy') throw new AppError('unavailable', 'Come back.', { retry_after_seconds: 2.2 });
      return { body: { id: params.thing_id, size: query.size, age_seconds: Math.random() }, dataAgeSeconds: 7 };
    },
  }),
  endpoint()({
    ...about,
    method: 'post',
    path: '/v1/things',
    operationId: 'make_thing',
    body: Type.Object({ name: Type.String({ minLength: 1 }), kind: Type.Union([Type.Literal('a')]) }),
    ok,
    handler: async ({ body }) => ({ body }),
  }),
  endpoint()({
    ...about,
    method: 'get',
    path: '/v1/rows',
    operationId: 'rows',
    query: { rows: Type.Integer({ minimum: 0 }), breaks_at: Type.Integer({ default: -1 }) },
    streamed: () => true,
    ok,
    handler: async ({ query: { rows, breaks_at } }) => ({
      type: 'text/csv; charset=utf-8',
      fileName: 'rows.csv',
      open: () => Readable.from(rowsOf(rows, breaks_at)),
    }),
  }),
  endpoint()({
    ...about,
    method: 'patch',
    path: '/v1/things',
    operationId: 'mend',
    ok,
    handler: async () => ({ body: 1 }),
  }),
];

const ROW = `${'x'.repeat(1023)}\n`;

async function* rowsOf(rows: number, breaksAt: number) {
  try {
    for (let i = 0; i < rows; i++) {
      if (i === breaksAt) throw new Error('the source broke');
      if (i === 0) trace.push('first row');
      yield ROW;
    }
  } finally {
    trace.push('closed');
    onClosed();
  }
}
let onClosed = () => {};

let api: TestApi;
beforeAll(async () => {
  api = await startApi({ reads: {} as Reads, keys, meter, endpoints: ENDPOINTS });
});
afterAll(() => api.close());
beforeEach(() => void trace.splice(0));

const post = (body: string, type = 'application/json') =>
  api.send('POST', '/v1/things', { key, body, headers: { 'Content-Type': type } });

describe('the order of checks (D7)', () => {
  test('meter gate, parameters, plan, balance, work, charge', async () => {
    const { status } = await api.get('/v1/things/abc?size=2', key);
    expect(status).toBe(200);
    expect(trace).toEqual(['admit', 'gate', 'precheck 3', 'work', 'charge 3 /v1/things/{thing_id}']);
  });
  test('an invalid parameter is refused after the meter gate and costs nothing', async () => {
    expect((await api.get('/v1/things/abc?size=0', key)).status).toBe(422);
    expect(trace).toEqual(['admit']);
  });
  test('a plan gate refuses before the balance is touched', async () => {
    expect((await api.get('/v1/things/abc?size=9', key)).body).toMatchObject({ status: 403, code: 'plan_required' });
    expect(trace).toEqual(['admit', 'gate']);
  });
  test('a handler that fails costs nothing', async () => {
    await api.get('/v1/things/gone', key);
    expect(trace.at(-1)).toBe('work');
  });
  test('a response to HEAD is free', async () => {
    expect((await api.send('HEAD', '/v1/things/abc', { key })).status).toBe(200);
    expect(trace).toEqual(['admit', 'gate']);
  });
  test('a 304 is free', async () => {
    const first = await api.get('/v1/things/abc', key);
    const again = await api.get('/v1/things/abc', key, { 'If-None-Match': first.headers.get('etag')! });
    expect([again.status, again.text]).toEqual([304, '']);
    expect(again.headers.get('x-data-age-seconds')).toBe('7');
    expect(trace.at(-1)).toBe('work');
  });
  test('without a key nothing else is checked', async () => {
    expect((await api.get('/v1/things/abc?size=0')).status).toBe(401);
    expect(trace).toEqual([]);
  });
});

describe('tags (D32)', () => {
  test('a response that differs only in its ages has the same weak tag', async () => {
    const one = await api.get('/v1/things/abc', key);
    const two = await api.get('/v1/things/abc', key);
    expect(one.text).not.toBe(two.text);
    expect(one.headers.get('etag')).toMatch(/^W\/"[\w-]+"$/);
    expect(two.headers.get('etag')).toBe(one.headers.get('etag'));
    expect(one.headers.get('cache-control')).toBe('private, no-cache');
  });
  test('a response with other content has another tag', async () => {
    const one = await api.get('/v1/things/abc', key);
    const two = await api.get('/v1/things/abc?size=2', key);
    expect(one.headers.get('etag')).not.toBe(two.headers.get('etag'));
  });
});

describe('problems (D5)', () => {
  test('a path parameter is validated like any other', async () => {
    const { status, body } = await api.get('/v1/things/ABC', key);
    expect(status).toBe(422);
    expect(body.errors).toEqual([
      { parameter: 'thing_id', detail: "thing_id must be lowercase letters; you sent 'ABC'." },
    ]);
  });
  test('an internal error shows no message, stack or SQL, and is logged under the request id', async () => {
    const answer = await api.get('/v1/things/broken', key);
    expect(answer.body).toEqual({
      type: 'https://api.example.com/errors/internal',
      title: 'Internal error',
      status: 500,
      detail: 'An internal error occurred.',
      code: 'internal',
      request_id: answer.headers.get('x-request-id'),
    });
    expect(api.logged.at(-1)).toMatchObject({
      fields: { requestId: answer.body.request_id, path: '/v1/things/broken' },
    });
  });
  test('an unavailable database is a 503 with Retry-After that does not show its address', async () => {
    const { status, headers, body } = await api.get('/v1/things/away', key);
    expect([status, body.code, headers.get('retry-after')]).toEqual([503, 'unavailable', '5']);
    expect(JSON.stringify(body)).not.toContain('10.0.0.1');
  });
  test('a disabled feature is a 503 that explains it, and is not logged', async () => {
    const before = api.logged.length;
    const { status, headers, body } = await api.get('/v1/things/off', key);
    expect([status, headers.get('retry-after')]).toEqual([503, '3600']);
    expect(body.detail).toContain('Payments are not set up');
    expect(api.logged.length).toBe(before);
  });
  test('a temporary refusal has Retry-After in whole seconds', async () => {
    const { status, headers, body } = await api.get('/v1/things/busy', key);
    expect([status, headers.get('retry-after'), body.retry_after_seconds]).toEqual([503, '3', 2.2]);
  });
  test('an unknown route is a problem like any other', async () => {
    const { status, headers, body } = await api.get('/v1/nothing');
    expect([status, body.code, body.type]).toEqual([404, 'not_found', 'https://api.example.com/errors/not-found']);
    expect(headers.get('content-type')).toContain('application/problem+json');
  });
  test('another method on an existing path is refused with the methods it has', async () => {
    const { status, headers, body } = await api.send('DELETE', '/v1/things', { key });
    expect([status, body.code, headers.get('allow')]).toEqual([405, 'method_not_allowed', 'PATCH, POST']);
  });
});

describe('bodies', () => {
  test('a valid body reaches the handler', async () => {
    expect((await post('{"name":"x","kind":"a"}')).body).toEqual({ name: 'x', kind: 'a' });
  });
  test('a malformed body is a 422', async () => {
    expect((await post('{"name":')).body).toMatchObject({ status: 422, code: 'validation', errors: [{ pointer: '' }] });
  });
  test('every problem of a body is named by its pointer', async () => {
    const { body } = await post('{"name":""}');
    expect(body.errors.map((e: { pointer: string }) => e.pointer)).toEqual(['', '/name']);
  });
  test('another media type is a 415', async () => {
    expect((await post('name=x', 'text/plain')).body.code).toBe('unsupported_media_type');
  });
  test('a body that is too large is a 413', async () => {
    expect((await post(`{"name":"${'x'.repeat(1_100_000)}"}`)).body.code).toBe('payload_too_large');
  });
});

describe('every response', () => {
  test('keeps the caller’s request id if it is a UUID or 32 hex digits (D4)', async () => {
    for (const id of ['8f14e45fceea167a5a36dedd4bea2543', '0D5A1F9E-6f4c-5b6e-9a53-3d9e4f6a7b10']) {
      expect((await api.get('/v1/nothing', undefined, { 'X-Request-Id': id })).headers.get('x-request-id')).toBe(id);
    }
  });
  test('has its own request id otherwise', async () => {
    const { headers, body } = await api.get('/v1/nothing', undefined, { 'X-Request-Id': 'no good' });
    expect(headers.get('x-request-id')).toMatch(/^[0-9a-f]{32}$/);
    expect(body.request_id).toBe(headers.get('x-request-id'));
  });
  test('is compressed when the caller accepts it, and carries the security headers', async () => {
    const url = `/v1/things/abc?${'x'.repeat(400)}&${'y'.repeat(400)}&${'z'.repeat(400)}`;
    for (const encoding of ['br', 'gzip']) {
      const { headers, body } = await api.get(url, key, { 'Accept-Encoding': encoding });
      expect(headers.get('content-encoding')).toBe(encoding);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(body.status).toBe(422);
    }
  });
});

describe('streams (D34, D46)', () => {
  test('are charged between the first row and the first byte, and are sent whole', async () => {
    const { status, headers, text } = await api.get('/v1/rows?rows=300', key);
    expect([status, text]).toEqual([200, ROW.repeat(300)]);
    expect(headers.get('content-disposition')).toBe('attachment; filename="rows.csv"');
    expect(trace).toEqual(['admit', 'precheck 3', 'first row', 'charge 3 /v1/rows', 'closed']);
    expect(await api.get('/v1/rows?rows=0', key)).toMatchObject({ status: 200, text: '' });
  });
  test('that break before the first byte are a free problem', async () => {
    expect((await api.get('/v1/rows?rows=3&breaks_at=0', key)).body).toMatchObject({ code: 'internal' });
    expect(trace).not.toContain('charge 3 /v1/rows');
  });
  test('that break later end the connection', async () => {
    await expect(api.get('/v1/rows?rows=3000&breaks_at=2000', key)).rejects.toThrow('terminated');
    expect(trace).toContain('charge 3 /v1/rows');
  });
  test('do not start for HEAD, which is free', async () => {
    const { status, headers } = await api.send('HEAD', '/v1/rows?rows=3', { key });
    expect([status, headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8']);
    expect(trace).toEqual(['admit']);
  });
  test('end when the client leaves', async () => {
    const [response] = await once(
      get(`${api.url}/v1/rows?rows=1000000`, { headers: { 'X-API-Key': key } }),
      'response',
    );
    const closed = new Promise<void>((resolve) => {
      onClosed = resolve;
    });
    response.destroy();
    await closed;
  });
});
