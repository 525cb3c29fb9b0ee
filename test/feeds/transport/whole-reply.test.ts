// A reply is whole or it is none: never a part of one, never more bytes than allowed, and never later than the caller
// waits, whatever the pieces in which it comes. A real host, a real connection.
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import fc from 'fast-check';
import { Agent } from 'undici';
import { createHttp } from '../../../src/feeds/transport/http';
import { wholeReply } from '../../../src/feeds/transport/whole-reply';
import { PATIENT_MS } from '../../support/patient';
import { runs } from '../../support/property';

let answer: (response: ServerResponse) => void;
const server = createServer((_, response) => answer(response));
const dispatcher = new Agent({ connections: 1 });
let base: string;
beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  await dispatcher.destroy();
  server.closeAllConnections();
  server.close();
});

const ask = (mostBytes: number, signal = new AbortController().signal) => {
  const onHead = () => ({ mostBytes, isHeadEnough: false });
  const request = { dispatcher, url: `${base}/a b?c=d`, method: 'GET', headers: {} } as const;
  return wholeReply({ ...request, withinMs: PATIENT_MS, signal, onHead });
};

test('property: every byte in order, or none of a reply that is larger than allowed or that breaks off', () =>
  fc.assert(
    fc.asyncProperty(
      fc.array(fc.uint8Array({ maxLength: 3000 }), { maxLength: 6 }),
      fc.integer({ min: -1, max: 1 }),
      fc.boolean(),
      async (pieces, room, breaksOff) => {
        const body = Buffer.concat(pieces);
        const most = Math.max(0, body.length + room);
        answer = (response) => {
          response.writeHead(200, { 'content-length': body.length + Number(breaksOff) });
          for (const piece of pieces) response.write(piece);
          if (breaksOff) setImmediate(() => response.destroy());
          else response.end();
        };
        const reply = await ask(most).catch((error: Error) => error);
        if (body.length > most) return expect(reply).toMatchObject({ statusCode: 200, raw: null });
        if (breaksOff) return expect(reply).toBeInstanceOf(Error);
        expect(reply).toMatchObject({ statusCode: 200, raw: body });
      },
    ),
    { numRuns: runs(100) },
  ));

test.each(['before its head', 'in its body'])(
  'a reply that stops %s is called off with the caller’s reason',
  async (where) => {
    const begun = new Promise<void>((resolve) => {
      answer = (response) => {
        if (where === 'in its body') response.write('{');
        setImmediate(resolve);
      };
    });
    const caller = new AbortController();
    const reply = ask(1000, caller.signal);
    await begun;
    caller.abort(new Error('enough'));
    await expect(reply).rejects.toThrow('enough');
  },
);

test('a request that waits for a connection is called off at once, and is never sent', async () => {
  let sent = 0;
  let first!: ServerResponse;
  const begun = new Promise<void>((resolve) => {
    answer = (response) => {
      sent += 1;
      first = response;
      resolve();
    };
  });
  const busy = ask(1000);
  await begun;
  const caller = new AbortController();
  const waiting = ask(1000, caller.signal);
  caller.abort(new Error('enough'));
  await expect(waiting).rejects.toThrow('enough');
  first.end('x');
  expect((await busy).raw).toEqual(Buffer.from('x'));
  answer = (response) => response.end('y');
  expect((await ask(1000)).raw).toEqual(Buffer.from('y'));
  expect(sent).toBe(1);
  await expect(ask(1000, caller.signal)).rejects.toThrow('enough');
});

describe('a head that says all that counts is the reply, whatever becomes of its body', () => {
  const HEAD = { 'content-type': 'application/json', 'retry-after': '30' };
  const TEXT = 'Content-Type: application/json\r\nRetry-After: 30\r\nContent-Length: 9\r\n\r\n';
  const raw = (text: string) => (response: ServerResponse) => void response.socket!.end(text);
  const stalls = (status: number) => (response: ServerResponse) => {
    response.writeHead(status, { ...HEAD, 'content-length': 9 }).write('{');
  };
  const breaksOff = (status: number) => (response: ServerResponse) => {
    stalls(status)(response);
    setImmediate(() => response.destroy());
  };
  const isEndless = (response: ServerResponse) => {
    response.writeHead(429, HEAD);
    const more = (): void => {
      if (response.closed) return;
      response.write('x'.repeat(16_384));
      setImmediate(more);
    };
    more();
  };
  const refused = (reason: string, status: number) => ({ kind: 'failed', reason, status, retryAfterMs: 30_000 });
  const failed = (reason: string) => ({ kind: 'failed', reason, retryAfterMs: null });

  /** Once the head is here, `then` gets the caller's signal. */
  async function get(then: (caller: AbortController) => void = () => undefined) {
    const endpoint = { baseUrl: base, contact: 'ops@example.org', partner: 'example', timeoutMs: 5000 };
    const http = createHttp({ endpoint, now: () => 0 });
    const caller = new AbortController();
    const call = (onHeaders: (header: (name: string) => string | null) => void) =>
      http.get({
        path: '/',
        read: (body) => body,
        conditional: true,
        codeOf: () => 'code',
        call: { signal: caller.signal },
        onHeaders,
      });
    const how = answer;
    answer = (response) => response.writeHead(200, { etag: '"v1"' }).end('{}');
    await call(() => undefined);
    const costs: unknown[] = [];
    const closed = new Promise<void>((resolve) => {
      answer = (response) => {
        response.on('close', resolve);
        how(response);
      };
    });
    const reply = await call((header) => {
      costs.push(header('retry-after'));
      setImmediate(() => then(caller));
    });
    // Nothing is received beyond the reply.
    await closed;
    return { reply, costs };
  }

  beforeEach(() => {
    jest.useFakeTimers({
      doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate', 'setInterval', 'Date', 'performance'],
    });
  });
  afterEach(() => jest.useRealTimers());
  const timeUp = () => jest.advanceTimersByTime(5000);

  test.each<[string, typeof answer, object]>([
    ['a 304 with the length of what it stands for', raw(`HTTP/1.1 304 X\r\n${TEXT}`), { kind: 'unchanged' }],
    ['a 429 that breaks off', breaksOff(429), refused('rate_limited', 429)],
    ['a 403 that breaks off', breaksOff(403), refused('blocked', 403)],
    ['a 401 after an early hint', raw(`HTTP/1.1 103 X\r\n\r\nHTTP/1.1 401 X\r\n${TEXT}`), refused('http_error', 401)],
    ['a 429 without end', isEndless, refused('rate_limited', 429)],
    ['but no price is read from a 200 that breaks off', breaksOff(200), failed('network')],
  ])('%s', async (_, how, expected) => {
    answer = how;
    const { reply, costs } = await get();
    expect(reply).toMatchObject(expected);
    expect(costs).toEqual(['30']);
  });

  test.each<[string, typeof answer, object]>([
    ['a 429', stalls(429), refused('rate_limited', 429)],
    ['a 403', stalls(403), refused('blocked', 403)],
    ['but not a 200', stalls(200), failed('timeout')],
  ])('%s that stalls, at the deadline', async (_, how, expected) => {
    answer = how;
    const { reply, costs } = await get(timeUp);
    expect(reply).toMatchObject(expected);
    expect(costs).toEqual(['30']);
  });

  test('a refusal that the caller calls off proves nothing about the book', async () => {
    answer = stalls(429);
    const { reply, costs } = await get((caller) => caller.abort(new Error('enough')));
    expect(reply).toMatchObject({ ...failed('network'), calledOff: true });
    expect(costs).toEqual(['30']);
  });

  test('an early hint alone is no reply', async () => {
    answer = raw('HTTP/1.1 103 X\r\n\r\n');
    const { reply, costs } = await get();
    expect(reply).toMatchObject(failed('network'));
    expect(costs).toEqual([]);
  });
});
