// An HTTP proxy before a real server, which a test may have fail: each request takes the next fault that is planned, or
// passes.
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/**
 * `cut before`: the server gets nothing. `cut after`: it has answered, and nothing arrives. `cut inside`: half of the
 * body arrives. `stall`: nothing happens. Otherwise the answer instead of the server’s.
 */
type HttpFault =
  | 'pass'
  | 'cut before'
  | 'cut after'
  | 'cut inside'
  | 'stall'
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body?: string };

interface Seen {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
}

export interface FaultyHttp {
  readonly url: string;
  /** Of all requests since the last plan. */
  readonly seen: readonly Seen[];
  plan(...faults: HttpFault[]): void;
  close(): Promise<void>;
}

const PASSED = ['x-api-key', 'content-type', 'idempotency-key', 'if-none-match', 'range', 'if-range'];

export async function faultyHttp(to: string): Promise<FaultyHttp> {
  let planned: HttpFault[] = [];
  let seen: Seen[] = [];
  const server = createServer(async (request, response) => {
    const { method = '', url = '', headers, socket } = request;
    seen.push({ method, url, headers });
    const fault = planned.shift();
    const body = await text(request);
    if (fault === 'stall') return;
    if (fault === 'cut before') return socket.resetAndDestroy();
    if (typeof fault === 'object') return response.writeHead(fault.status, fault.headers).end(fault.body ?? '');
    const sent = new Headers({ 'Accept-Encoding': 'identity' });
    for (const name of PASSED) if (headers[name] !== undefined) sent.set(name, String(headers[name]));
    const answer = await fetch(to + url, {
      method,
      headers: sent,
      body: body === '' ? null : body,
      redirect: 'manual',
    });
    const bytes = Buffer.from(await answer.arrayBuffer());
    if (fault === 'cut after') return socket.resetAndDestroy();
    pass(response, answer, bytes);
    if (fault !== 'cut inside') return response.end(bytes);
    response.write(bytes.subarray(0, bytes.length / 2), () => socket.resetAndDestroy());
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get seen() {
      return seen;
    },
    plan(...faults) {
      planned = faults;
      seen = [];
    },
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}

function pass(response: ServerResponse, { status, headers }: Response, bytes: Buffer): void {
  const names = [...headers.keys()].filter((name) => !/^(connection|keep-alive|transfer-encoding)$/.test(name));
  for (const name of names) response.setHeader(name, headers.get(name)!);
  if (bytes.length > 0) response.setHeader('Content-Length', bytes.length);
  response.writeHead(status);
}
