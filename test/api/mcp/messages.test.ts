// Messages to /mcp that the protocol’s client does not send, and what HTTP itself decides: who may send from where, how
// large, how often.
import type { AddressBudget } from '../../../src/store/redis/address-budget';
import { raw } from '../../support/api/raw';
import { type Served, seedEverything, serve } from '../../support/api/served';
import { message, post } from './mcp-client';

let served: Served;
let key: string;
/** Requests that were counted, by counter. */
const counted = new Map<string, number>();
const counting: AddressBudget = {
  take: async (counter) => {
    counted.set(counter, (counted.get(counter) ?? 0) + 1);
    return 0;
  },
  giveBack: async () => {},
};
const keyless = (): number => counted.get('without a key: 127.0.0.1') ?? 0;

beforeAll(async () => {
  served = await serve({ addressBudget: counting });
  await seedEverything(served.db);
  key = await served.addKey({ plan: 'platform' });
});
afterAll(async () => {
  expect(served.api.logged).toEqual([]);
  await served?.stop();
});

const LIST = message('tools/list');
const CALL = message('tools/call', { name: 'racing_venues', arguments: {} });

describe('from where', () => {
  test.each(['https://evil.example', 'null', 'https://api.example.com.evil.example'])('not from %s', async (Origin) => {
    const { status, body } = await post(served.api, CALL, { Origin }, key);
    expect([status, body.code]).toEqual([403, 'origin_not_allowed']);
  });

  test.each(['https://api.example.com', 'http://localhost:6274', 'http://127.0.0.1:9', 'http://[::1]:9'])(
    'from %s, which a browser may read',
    async (Origin) => {
      const { status, headers } = await post(served.api, LIST, { Origin });
      expect([status, headers.get('access-control-allow-origin')]).toEqual([200, '*']);
      expect(headers.get('access-control-expose-headers')).toContain('X-Request-Id');
    },
  );

  test('a preflight allows the key and the headers of the protocol', async () => {
    const asks = { Origin: 'http://localhost:6274', 'Access-Control-Request-Method': 'POST' };
    const { status, headers } = await served.api.send('OPTIONS', '/mcp', { headers: asks });
    expect([status, headers.get('access-control-allow-methods')]).toEqual([204, 'POST']);
    for (const name of ['X-API-Key', 'Content-Type', 'Mcp-Protocol-Version', 'Mcp-Method', 'Mcp-Name'])
      expect(headers.get('access-control-allow-headers')).toContain(name);
  });

  test.each(['evil.example', 'evil.example:80'])('not under the name %s', async (host) => {
    const body = JSON.stringify(LIST);
    const text = `POST /mcp HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    const { status, body: problem } = await raw(served.api.url, text);
    expect([status, problem.code]).toEqual([403, 'origin_not_allowed']);
  });
});

describe('which messages', () => {
  const error = (code: number) => ({ error: { code } });

  test('what is no message is an error of the protocol, and is counted by its address', async () => {
    const deep = `${'['.repeat(40)}${']'.repeat(40)}`;
    for (const [body, code] of [
      ['{"jsonrpc":', -32_700],
      ['', -32_700],
      ['1', -32_600],
      ['null', -32_600],
      [[LIST, LIST], -32_600],
      [deep, -32_600],
    ] as const) {
      const before = keyless();
      const answer = await post(served.api, body, {}, key);
      expect([answer.status, answer.body]).toMatchObject([400, error(code)]);
      expect(keyless()).toBe(before + 1);
    }
    for (const body of [{}, { ...LIST, jsonrpc: '1.0' }, { ...LIST, id: {} }, { ...LIST, method: 7 }]) {
      const answer = await post(served.api, body, {}, key);
      expect([answer.status, typeof answer.body.error.code]).toEqual([400, 'number']);
    }
    expect((await post(served.api, message('nonesuch'), {}, key)).body).toMatchObject(error(-32_601));
    expect((await post(served.api, message('tools/call', { name: 'x' }), {}, key)).body).toMatchObject(error(-32_602));
  });

  test('one of 64 kB is taken, a larger one is not, nor another type', async () => {
    const sized = (bytes: number) => {
      const empty = JSON.stringify(message('tools/list', { cursor: '' })).length;
      return JSON.stringify(message('tools/list', { cursor: 'x'.repeat(bytes - empty) }));
    };
    expect((await post(served.api, sized(65_536))).status).toBe(200);
    const { status, body } = await post(served.api, sized(65_537));
    expect([status, body.code]).toEqual([413, 'payload_too_large']);
    const before = keyless();
    expect((await post(served.api, LIST, { 'Content-Type': 'text/plain' }, key)).status).toBe(415);
    expect((await post(served.api, sized(65_537), {}, key)).status).toBe(413);
    expect(keyless()).toBe(before + 2);
  });

  test('a notification is accepted without a body', async () => {
    const { status, text } = await post(served.api, message('notifications/initialized', {}, null));
    expect([status, text]).toEqual([202, '']);
  });

  test.each(['GET', 'DELETE', 'PUT'])('%s is not allowed: nothing is kept between messages', async (method) => {
    const { status, headers } = await served.api.send(method, '/mcp', { key });
    expect([status, headers.get('allow')]).toEqual([405, 'POST']);
  });

  test('no stream of notifications is opened', async () => {
    const meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
      'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    };
    const listen = message('subscriptions/listen', { notifications: { toolsListChanged: true }, _meta: meta });
    const sent = { 'Mcp-Protocol-Version': '2026-07-28', 'Mcp-Method': 'subscriptions/listen' };
    const { headers, body } = await post(served.api, listen, sent, key);
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(body).toMatchObject({ error: { message: expect.any(String) } });
  });
});

test('an answer is JSON, of one request, never stored, with the headers of data', async () => {
  const id = 'c0ffee00c0ffee00c0ffee00c0ffee00';
  const { status, headers, body } = await post(served.api, CALL, { 'X-Request-Id': id }, key);
  expect([status, headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8']);
  expect(headers.get('x-request-id')).toBe(id);
  expect(body.result._meta['racing-odds/call'].request_id).toBe(id);
  expect(headers.get('cache-control')).toBe('no-store');
  expect(headers.get('content-security-policy')).toContain("default-src 'none'");
  expect(headers.get('set-cookie')).toBeNull();
});

test('what asks an operation is counted by the operation alone; everything else by its address', async () => {
  const counts = async (body: unknown, sent?: string): Promise<number> => {
    const before = keyless();
    await post(served.api, body, {}, sent);
    return keyless() - before;
  };
  expect(await counts(CALL, key)).toBe(0);
  expect(await counts(LIST, key)).toBe(1);
  expect(await counts(LIST)).toBe(1);
  // The operation counts it among requests that are refused for their key.
  expect(await counts(CALL)).toBe(0);
  expect(await counts(message('tools/call', { name: 'sports_odds' }), key)).toBe(1);
  expect(await counts(message('tools/call', { name: 'nonesuch' }), key)).toBe(1);
});

test('the allow-list of a key is judged by the address of the message', async () => {
  const from = async (allowedAddresses: readonly string[], headers = {}) => {
    const own = await served.addKey({ plan: 'platform' });
    await served.db.pool.query('UPDATE api_keys SET allowed_addresses = $1::cidr[] WHERE last4 = $2', [
      allowedAddresses,
      own.slice(-4),
    ]);
    return (await post(served.api, CALL, headers, own)).body.result._meta['racing-odds/call'].status;
  };
  expect(await from(['203.0.113.9/32'])).toBe(403);
  expect(await from(['203.0.113.9/32'], { 'X-Forwarded-For': '203.0.113.9' })).toBe(403);
  expect(await from(['127.0.0.1/32'])).toBe(200);
});
