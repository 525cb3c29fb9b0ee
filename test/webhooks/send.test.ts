// One attempt against a real receiver on this machine: what it sends, and the outcome of each fault of a receiver.
import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { createResolver } from '../../src/webhooks/address/resolver';
import {
  type Attempt,
  type AttemptResult,
  createSender,
  type Sender,
  type SenderSettings,
} from '../../src/webhooks/send';
import { startDnsServer } from '../support/webhooks/dns-server';
import { type Receiver, startReceiver } from '../support/webhooks/receiver';

const TLS = join(__dirname, '../fixtures/tls');
const pem = (name: string): string => readFileSync(join(TLS, name), 'utf8');
const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const BODY = '{"event":"race.result","id":"evt_1","sequence":1}';

const open: Sender[] = [];
const senderOf = (settings: Partial<SenderSettings> = {}): Sender => {
  const sender = createSender({
    allowLoopback: true,
    allowHttp: true,
    elapsedMs: () => performance.now(),
    ...settings,
  });
  open.push(sender);
  return sender;
};

function post(sender: Sender, url: string, at = new Date()): Promise<AttemptResult> {
  const attempt: Attempt = { url, eventId: 'evt_1', kind: 'race.result', body: BODY, secrets: [SECRET], at };
  return sender.send(attempt);
}

let receiver: Receiver;
beforeEach(async () => {
  receiver = await startReceiver();
});
afterEach(async () => {
  await Promise.all(open.splice(0).map((sender) => sender.close()));
  await receiver.close();
});

const here = (path = '/hook?a=1'): string => `http://127.0.0.1:${receiver.port}${path}`;

test('posts signed bytes with all headers, over a connection that is kept open', async () => {
  const sender = senderOf();
  for (let turn = 0; turn < 2; turn++) {
    expect(await post(sender, here())).toMatchObject({ delivered: true, statusCode: 200, error: null, slow: false });
  }
  const [first, second] = receiver.posts;
  expect(first).toMatchObject({ path: '/hook?a=1', body: BODY, connection: 1 });
  expect(second?.connection).toBe(1);
  expect(first?.headers).toMatchObject({
    'content-type': 'application/json',
    'user-agent': 'racing-odds-webhooks/1',
    'x-puntersedge-event': 'race.result',
    'webhook-id': 'evt_1',
    host: `127.0.0.1:${receiver.port}`,
  });
  const headers = first!.headers as Record<string, string>;
  expect(new Webhook(SECRET).verify(first!.body, headers)).toEqual(JSON.parse(BODY));
});

test('a proxy in the environment is not used', async () => {
  const names = ['HTTP_PROXY', 'http_proxy', 'ALL_PROXY', 'NODE_USE_ENV_PROXY'];
  const before = names.map((name) => process.env[name]);
  for (const name of names) process.env[name] = name.startsWith('NODE') ? '1' : 'http://127.0.0.1:1';
  try {
    expect(await post(senderOf(), here())).toMatchObject({ delivered: true });
  } finally {
    for (const [i, name] of names.entries()) {
      if (before[i] === undefined) delete process.env[name];
      else process.env[name] = before[i];
    }
  }
});

test.each([
  [204, {}, { delivered: true, error: null }],
  [500, {}, { delivered: false, error: 'The receiver responded with status 500.', slow: false, gone: false }],
  [410, {}, { delivered: false, gone: true }],
  [429, { 'retry-after': '120' }, { slow: true, retryAfterMs: 120_000 }],
  [503, { 'retry-after': 'Mon, 23 Nov 2026 08:01:30 GMT' }, { slow: true, retryAfterMs: 90_000 }],
  [503, { 'retry-after': 'Mon, 23 Nov 2026 07:00:00 GMT' }, { slow: true, retryAfterMs: 0 }],
  [503, { 'retry-after': '999999999' }, { slow: true, retryAfterMs: 86_400_000 }],
  [503, { 'retry-after': 'soon' }, { slow: false, retryAfterMs: null }],
  [504, {}, { slow: true, retryAfterMs: null }],
])('status %i %o', async (status, headers, result) => {
  receiver.answer = (response) => response.writeHead(status, headers).end('x'.repeat(1000));
  const at = new Date('2026-11-23T08:00:00Z');
  expect(await post(senderOf(), here(), at)).toMatchObject({ statusCode: status, ...result });
});

test('a redirect is not followed, wherever it leads', async () => {
  receiver.answer = (response) => response.writeHead(307, { location: here('/elsewhere') }).end();
  expect(await post(senderOf(), here())).toMatchObject({
    delivered: false,
    error: 'The receiver responded with status 307; redirects are not followed.',
  });
  expect(receiver.posts).toHaveLength(1);
});

describe('time', () => {
  test('a receiver that never responds, or sends its head byte by byte, is cut off at the end of the attempt', async () => {
    const trickle = (response: ServerResponse): void => {
      const timer = setInterval(() => response.socket?.write('H'), 20);
      response.on('close', () => clearInterval(timer));
      response.socket?.write('HTTP/1.1 200 OK\r\nx-slow: ');
    };
    for (const answer of [() => undefined, trickle]) {
      receiver.answer = answer;
      expect(await post(senderOf({ patienceMs: 200 }), here())).toMatchObject({
        delivered: false,
        statusCode: null,
        error: 'The receiver did not respond in time.',
      });
    }
  });

  test('a body without end, slow or fast, is cut off, because the status has decided', async () => {
    const slow = (response: ServerResponse): void => {
      response.writeHead(200);
      const timer = setInterval(() => response.write('.'), 20);
      response.on('close', () => clearInterval(timer));
    };
    const fast = (response: ServerResponse): void => {
      response.writeHead(200);
      const more = (): void => {
        while (!response.destroyed && response.write('x'.repeat(65_536)));
      };
      response.on('drain', more);
      more();
    };
    const sender = senderOf({ bodyPatienceMs: 200 });
    for (const answer of [slow, fast]) {
      receiver.answer = answer;
      expect(await post(sender, here())).toMatchObject({ delivered: true, statusCode: 200 });
    }
    receiver.answer = (response) => response.end();
    expect(await post(sender, here())).toMatchObject({ delivered: true });
    expect(receiver.posts).toHaveLength(3);
  });
});

describe('broken connections', () => {
  test('a reset before the head is a failure; a reset in the body comes after the status', async () => {
    receiver.answer = (response) => response.socket?.resetAndDestroy();
    const closed = { delivered: false, statusCode: null, error: 'The connection was closed before a response.' };
    expect(await post(senderOf(), here())).toMatchObject(closed);
    receiver.answer = (response) => {
      response.socket?.write('HTTP/1.1 500 Internal Server Error\r\ncontent-length: 100\r\n\r\nhalf', () =>
        response.socket?.resetAndDestroy(),
      );
    };
    expect(await post(senderOf(), here())).toMatchObject({ delivered: false, statusCode: 500 });
  });

  test('a receiver that is away or uses another protocol', async () => {
    const taken = createServer((socket) => socket.resume().end('SSH-2.0-OpenSSH\r\n'));
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(taken.address() as AddressInfo).port}/`;
    const strange = await post(senderOf(), url);
    await new Promise((resolve) => taken.close(resolve));
    expect(strange).toMatchObject({ statusCode: null, error: 'The response was not HTTP.' });
    expect(await post(senderOf(), url)).toMatchObject({ error: 'The connection was refused.' });
  });
});

test('a few informational responses precede the response; an endless series is a failure', async () => {
  let hints = 0;
  receiver.answer = (response) => {
    for (let n = 0; n < 3; n++) response.writeEarlyHints({ link: '</a>; rel=preload' });
    response.end();
  };
  expect(await post(senderOf(), here())).toMatchObject({ delivered: true });
  receiver.answer = (response) => {
    const timer = setInterval(() => {
      hints += 1;
      response.socket?.write('HTTP/1.1 103 Early Hints\r\n\r\n');
    }, 1);
    response.on('close', () => clearInterval(timer));
  };
  expect(await post(senderOf(), here())).toMatchObject({ statusCode: null, error: 'The response was not HTTP.' });
  expect(hints).toBeGreaterThan(5);
});

test('TLS goes to the checked address under the URL’s name; a bad certificate is a failure', async () => {
  const dns = await startDnsServer();
  const secure = await startReceiver({ key: pem('server.key'), cert: pem('server.pem') });
  try {
    for (const name of ['temporal.test', 'other.test']) dns.names.set(name, ['127.0.0.1']);
    const resolve = createResolver(3000, [dns.address]);
    const to = (sender: Sender, name: string) => post(sender, `https://${name}:${secure.port}/`);
    const trusting = senderOf({ resolve, ca: pem('ca.pem') });
    expect(await to(trusting, 'temporal.test')).toMatchObject({ delivered: true });
    expect(secure.posts[0]).toMatchObject({
      headers: { host: `temporal.test:${secure.port}` },
      servername: 'temporal.test',
    });
    expect(await to(trusting, 'other.test')).toMatchObject({
      error: 'The certificate of the receiver is for another name.',
    });
    expect(await to(senderOf({ resolve }), 'temporal.test')).toMatchObject({
      error: 'The certificate of the receiver is not trusted.',
    });
    expect(await to(trusting, 'missing.test')).toMatchObject({ error: 'The host of the URL has no address.' });
    expect(secure.posts).toHaveLength(1);
  } finally {
    await secure.close();
    await dns.close();
  }
});
