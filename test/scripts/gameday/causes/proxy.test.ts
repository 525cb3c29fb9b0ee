// The proxy between the processes and a server on a game day.
import { connect, createServer, type Server, type Socket } from 'node:net';
import { freePort } from '../../../support/servers/free-port';

interface Proxy {
  slow(ms: number): void;
  block(): void;
  free(): void;
  close(): void;
}
const { startProxy } = require('../../../../scripts/gameday/causes/proxy.mjs') as {
  startProxy(port: number, target: number): Promise<Proxy>;
};

let server: Server | null;
let proxy: Proxy;
let port: number;
let open: Socket[];

beforeEach(async () => {
  open = [];
  server = createServer((socket) => socket.on('error', () => {}).pipe(socket));
  const target = await freePort();
  await new Promise<void>((resolve) => server!.listen(target, '127.0.0.1', resolve));
  port = await freePort();
  proxy = await startProxy(port, target);
});
afterEach(async () => {
  for (const socket of open) socket.destroy();
  proxy.close();
  await new Promise((resolve) => (server ? server.close(resolve) : resolve(null)));
});

function client(): Socket {
  const socket = connect({ port, host: '127.0.0.1' });
  open.push(socket);
  return socket.setEncoding('utf8');
}

const next = (socket: Socket, event: string): Promise<string> =>
  new Promise((resolve) => socket.once(event, (value) => resolve(String(value?.code ?? value))));

test('answers pass unchanged, delayed while the server is slow, and in order', async () => {
  const socket = client();
  socket.write('a');
  expect(await next(socket, 'data')).toBe('a');
  proxy.slow(300);
  const sentMs = performance.now();
  socket.write('b');
  const late = next(socket, 'data');
  expect(await late).toBe('b');
  expect(performance.now() - sentMs).toBeGreaterThan(250);
  proxy.free();
  socket.write('c');
  expect(await next(socket, 'data')).toBe('c');
});

test('behind a black hole connections are accepted, and sent data arrives when it is gone', async () => {
  const before = client();
  before.write('a');
  await next(before, 'data');
  proxy.block();
  const during = client();
  await next(during, 'connect');
  const arrived: string[] = [];
  for (const socket of [before, during]) {
    socket.on('data', (text) => arrived.push(String(text)));
    socket.write('b');
  }
  await new Promise((resolve) => setImmediate(resolve));
  expect(arrived).toEqual([]);
  const both = [next(before, 'data'), next(during, 'data')];
  proxy.free();
  expect(await Promise.all(both)).toEqual(['b', 'b']);
});

test('a server that is gone refuses as it does without the proxy: the connection ends', async () => {
  const socket = client();
  socket.write('a');
  await next(socket, 'data');
  const ended = next(socket, 'close');
  socket.end();
  await ended;
  await new Promise((resolve) => server!.close(resolve));
  server = null;
  expect(await next(client(), 'error')).toBe('ECONNRESET');
});
