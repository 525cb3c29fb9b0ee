// A small server for the battery to judge: a correct one, or one with the fault that its start names.
import { createServer } from 'node:http';

const FAULT = process.argv[2];
const JSON_TYPE = { 'Content-Type': 'application/json' };
const answers = { 200: { content: { 'application/json': {} } } };
const documented = { get: { responses: answers }, post: { responses: answers } };
const kept = [];
/** Limits per address, and in total. */
const BOUNDS = { perAddress: 5, total: 30 };

const faults = {
  ends: () =>
    setImmediate(() => {
      throw new TypeError('planted');
    }),
  works: () => {
    const until = process.threadCpuUsage().user + 300_000;
    while (process.threadCpuUsage().user < until);
  },
  hangs: () => {
    for (;;);
  },
  grows: () => kept.push(Buffer.alloc(50 * 1_048_576, 1)),
  fails: () => console.error('API error: request failed {\n  err: Error: planted inside\n}'),
};

function problem(response, status) {
  const body = { type: 'about:blank', title: 'No', status, detail: 'No.', code: 'no', request_id: 'r' };
  response.writeHead(status, { 'Content-Type': 'application/problem+json', 'X-Request-Id': 'r' });
  response.end(JSON.stringify(body));
}

const server = createServer((request, response) => {
  const { method, url } = request;
  if (url === '/openapi.json') {
    return response.writeHead(200, JSON_TYPE).end(JSON.stringify({ paths: { '/v1/thing': documented } }));
  }
  if (url === '/healthz') return response.writeHead(200, JSON_TYPE).end('{}');
  if (url !== '/v1/thing') return problem(response, 404);
  if (method === 'POST') {
    faults[FAULT]?.();
    if (FAULT === 'answers') return response.writeHead(400, { 'Content-Type': 'text/plain' }).end('no');
  }
  response.writeHead(200, JSON_TYPE).end('{}');
});

const open = new Map();
server.on('connection', (socket) => {
  const { remoteAddress } = socket;
  // The battery's other connections come from another network.
  if (!remoteAddress?.startsWith('127.0.1.') || FAULT === 'crowds') return;
  const bounded = FAULT === 'excludes' ? 'everybody' : remoteAddress;
  const count = open.get(bounded) ?? 0;
  if (count >= BOUNDS.perAddress) return socket.destroy();
  open.set(bounded, count + 1);
  socket.once('close', () => open.set(bounded, open.get(bounded) - 1));
});
server.maxConnections = FAULT === 'crowds' ? Infinity : BOUNDS.total;

server.listen(0, '127.0.0.1', () => {
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  process.send?.({ url: `http://127.0.0.1:${port}`, keys: {}, connections: BOUNDS });
});
