// Limits of connections, and requests that HTTP itself forbids: each gets a problem document or nothing, and never
// keeps a connection.
import { once } from 'node:events';
import { Type } from '@sinclair/typebox';
import { endpoint, flat } from '../../../../src/api/kernel/endpoint/endpoint';
import type { Reads } from '../../../../src/store/reads/reads';
import { memoryKeys, startApi, type TestApi } from '../../../support/api/api';
import { raw, rawAnswer, socketTo } from '../../../support/api/raw';

const keys = memoryKeys();
const reads = {} as Reads;
const anyJson = { description: 'ok', schema: Type.Any(), example: {} };
let release = (): void => undefined;
const slow = endpoint()({
  method: 'get',
  path: '/v1/slow',
  operationId: 'slow',
  tag: 'Health',
  summary: 's',
  description: 'd',
  auth: 'none',
  cost: flat(0),
  ok: anyJson,
  async handler() {
    await new Promise<void>((done) => {
      release = done;
    });
    return { body: 'done' };
  },
});

let api: TestApi;
let strict: TestApi;
beforeAll(async () => {
  api = await startApi({ reads, keys, endpoints: [slow] });
  strict = await startApi({ reads, keys }, { idleMs: 600, headersMs: 200, requestMs: 200 });
});
afterAll(() => Promise.all([api.close(), strict.close()]));

const request = (...lines: string[]): string => [...lines, 'Connection: close', '', ''].join('\r\n');
const get = (...headers: string[]) => raw(api.url, request('GET /v1/nothing HTTP/1.1', ...headers));

const WRONG_HOST = 'The Host header is not a host with an optional port.';
const wrongHosts = ['a b<>', '[::1', ':', 'a:b', 'a:99999', 'a,b', 'a/b', 'user@a', '%00', '.', 'a'.repeat(300)];

test.each<[string, string[], string]>([
  ['none', [], 'The request has no Host header.'],
  ['two', ['Host: a', 'Host: a'], 'The request has more than one Host header.'],
  ...wrongHosts.map((host): [string, string[], string] => [host, [`Host: ${host}`], WRONG_HOST]),
])('a request with the Host %s is a 400', async (_, headers, detail) => {
  const { status, body } = await get(...headers);
  expect([status, body.code, body.detail]).toEqual([400, 'bad_request', detail]);
});

test.each(['a', 'a:', 'api.example.com:443', 'my_host', '127.0.0.1:8080', '[::1]:80', '[::1]:', 'a.', ''])(
  'a request with the Host "%s" is served',
  async (host) => expect((await get(`Host: ${host}`)).status).toBe(404),
);

test('HTTP/1.0 needs no Host', async () => {
  expect((await raw(api.url, 'GET /v1/nothing HTTP/1.0\r\n\r\n')).status).toBe(404);
});

test('too many headers are a 400', async () => {
  const { status, body } = await get('Host: a', ...Array.from({ length: 300 }, (_, i) => `X-${i}: 1`));
  expect([status, body.detail]).toEqual([400, expect.stringContaining('too many headers')]);
});

test('an unknown expectation and an unknown upgrade are ignored', async () => {
  expect((await get('Host: a', 'Expect: banana')).status).toBe(404);
  expect((await get('Host: a', 'Upgrade: websocket')).status).toBe(404);
});

test('CONNECT is a 405 that ends the connection', async () => {
  const { status, head, body } = await raw(api.url, 'CONNECT a:443 HTTP/1.1\r\nHost: a:443\r\n\r\n');
  expect([status, body.code]).toEqual([405, 'method_not_allowed']);
  expect(head).toContain('Allow: GET, HEAD, POST');
});

test('a client whose CONNECT was refused cannot crash the process by a reset, or keep the connection', async () => {
  const reset = socketTo(strict.url);
  const kept = socketTo(strict.url);
  for (const socket of [reset, kept]) socket.write('CONNECT a:443 HTTP/1.1\r\nHost: a:443\r\n\r\n');
  await Promise.all([once(reset, 'readable'), once(kept, 'readable')]);
  reset.resetAndDestroy();
  // It never reads, so it never learns that the server has ended its side.
  kept.write('more');
  while ((await strict.connections()) > 0) await new Promise(setImmediate);
  kept.destroy();
  expect((await strict.get('/v1/nothing')).status).toBe(404);
});

const REFUSED = [
  ['rubbish\r\n\r\n', 400, 'The request is not valid HTTP.'],
  ['CONNECT a:443 HTTP/1.1\r\nHost: a:443\r\n\r\n', 405, 'CONNECT is not allowed: this is no proxy.'],
] as const;

test.each(REFUSED)(
  'the refusal of %j comes after the responses to the requests before it',
  async (bytes, status, detail) => {
    const socket = socketTo(api.url);
    let received = '';
    socket.setEncoding('latin1').on('data', (part: string) => {
      received += part;
    });
    const before = release;
    socket.write(`GET /v1/slow HTTP/1.1\r\nHost: a\r\n\r\n${bytes}`);
    while (release === before) await new Promise(setImmediate);
    release();
    await once(socket, 'end');
    socket.destroy();
    const first = received.indexOf('HTTP/1.1 200');
    const second = received.indexOf(`HTTP/1.1 ${status}`);
    expect([first, second > first]).toEqual([0, true]);
    expect(rawAnswer(received.slice(second)).body.detail).toBe(detail);
  },
);

describe('a connection is closed', () => {
  test.each([
    ['headers', 'GET / HTTP/1.1\r\nHost: a\r\n'],
    [
      'a body',
      `POST /v1/racing/clv HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nX-API-Key: ${keys.add()}\r\nContent-Length: 9\r\n\r\n{`,
    ],
  ])('with a 408 when %s did not complete', async (_, bytes) => {
    const { status, head, body } = await raw(strict.url, bytes);
    expect([status, body.code]).toEqual([408, 'request_timeout']);
    expect(head).toContain('HTTP/1.1 408 Request Timeout');
  });
  test('silently when no byte of a request came', async () => {
    const socket = socketTo(strict.url).resume();
    await once(socket, 'close');
    expect(socket.bytesRead).toBe(0);
  });
  test.each(['', 'CONNECT a:443 HTTP/1.1\r\nHost: a:443\r\n\r\n'])(
    'when its responses before %j are not read',
    async (last) => {
      const socket = socketTo(strict.url)
        .pause()
        .on('error', () => undefined);
      socket.write('GET /docs/swagger-ui-bundle.js HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(20) + last);
      await once(socket, 'connect');
      // A connection with a request in progress is neither idle nor late.
      while ((await strict.connections()) > 0) await new Promise(setImmediate);
      socket.destroy();
      expect(strict.logged).toEqual([]);
    },
  );
  test.each([
    ['', { connections: 1 }],
    [' of one address', { connectionsPerAddress: 1 }],
  ])('when there are too many%s, and another may take its place', async (_, limits) => {
    const small = await startApi({ reads, keys }, limits);
    const open = () => socketTo(small.url).on('error', () => undefined);
    const both = [open(), open()].map((socket) => socket.resume());
    await Promise.race(both.map((socket) => once(socket, 'close')));
    expect(await small.connections()).toBe(1);
    for (const socket of both) socket.destroy();
    while ((await small.connections()) > 0) await new Promise(setImmediate);
    expect((await raw(small.url, request('GET /v1/nothing HTTP/1.1', 'Host: a'))).status).toBe(404);
    await small.close();
  });
});

test('a trusted proxy may open more connections than one address', async () => {
  const behind = await startApi({ reads, keys, trustedProxies: ['loopback'] }, { connectionsPerAddress: 1 });
  const held = socketTo(behind.url);
  held.write('GET /v1/nothing HTTP/1.1\r\nHost: a\r\n\r\n');
  await once(held, 'readable');
  expect((await raw(behind.url, request('GET /v1/nothing HTTP/1.1', 'Host: a'))).status).toBe(404);
  held.destroy();
  await behind.close();
});
