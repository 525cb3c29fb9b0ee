// Betfair's stream protocol over plain TCP: greets, requires an authentication within 15 s, then a market subscription,
// then sends its source's messages, with a clock on every message and heartbeats between them. The source is the
// simulated world, or a saved file.

import type { AddressInfo } from 'node:net';
import { createServer, type Server, type Socket } from 'node:net';
import type {
  MarketChangeMessage,
  MarketSubscription,
  StreamMessage,
  StreamRequest,
} from '../../feeds/betfair/stream/payload';

/** A message to a subscriber; the server adds `clk` and `id`. */
export type Published = Omit<MarketChangeMessage, 'op' | 'id' | 'clk' | 'initialClk'>;

export interface Publisher {
  /**
   * Sends everything that the subscription covers until `signal` ends it; `send` resolves when the subscriber can take
   * more.
   */
  publish(
    subscription: MarketSubscription,
    send: (message: Published) => Promise<void>,
    signal: AbortSignal,
  ): Promise<void>;
}

export interface StreamServer {
  /** Port 0 picks a free one. Returns the port. */
  listen(port: number, host?: string): Promise<number>;
  /** Every request so far, for tests. */
  readonly requests: readonly StreamRequest[];
  /** Breaks every connection, as a network failure does. */
  cut(): void;
  close(): Promise<void>;
}

const AUTHENTICATE_WITHIN_MS = 15_000;
const INITIAL_CLOCK = 'simulated';

/** `refuse`: the error code for every subscription from now on; null serves them. */
export function createStreamServer(source: Publisher, refuse: () => string | null = () => null): StreamServer {
  const sockets = new Set<Socket>();
  const requests: StreamRequest[] = [];
  const server = createServer((socket) => {
    sockets.add(socket);
    const ended = new AbortController();
    socket.setNoDelay(true);
    socket.on('error', () => undefined);
    socket.on('close', () => {
      sockets.delete(socket);
      ended.abort();
    });
    serve(socket, source, refuse, (request) => requests.push(request), ended.signal);
  });
  return {
    requests,
    listen: (port, host = '127.0.0.1') => listening(server, port, host),
    cut: () => {
      for (const socket of sockets) socket.destroy();
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

function listening(server: Server, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => resolve((server.address() as AddressInfo).port));
  });
}

function serve(
  socket: Socket,
  source: Publisher,
  refuse: () => string | null,
  note: (request: StreamRequest) => void,
  signal: AbortSignal,
): void {
  const write = (message: StreamMessage): boolean => socket.write(`${JSON.stringify(message)}\r\n`);
  const hangUp = (id: number | undefined, errorCode: string): void => {
    write({ op: 'status', id, statusCode: 'FAILURE', errorCode, connectionClosed: true });
    socket.end();
  };
  let authenticated = false;
  const late = setTimeout(() => hangUp(undefined, 'TIMEOUT'), AUTHENTICATE_WITHIN_MS);
  signal.addEventListener('abort', () => clearTimeout(late));
  write({ op: 'connection', connectionId: `simulated-${socket.remotePort}` });
  onLines(socket, (line) => {
    const request = JSON.parse(line) as StreamRequest;
    note(request);
    const refused = refuse();
    if (request.op === 'authentication') {
      authenticated = true;
      clearTimeout(late);
      write({ op: 'status', id: request.id, statusCode: 'SUCCESS', connectionClosed: false });
    } else if (!authenticated) hangUp(request.id, 'NOT_AUTHORIZED');
    else if (request.op === 'heartbeat') write({ op: 'status', id: request.id, statusCode: 'SUCCESS' });
    else if (refused) hangUp(request.id, refused);
    else {
      write({ op: 'status', id: request.id, statusCode: 'SUCCESS', connectionClosed: false });
      void send(socket, write, source, request, signal);
    }
  });
}

/** Numbers its messages in the clock; stops waiting for a subscriber that disconnected. */
async function send(
  socket: Socket,
  write: (message: StreamMessage) => boolean,
  source: Publisher,
  request: MarketSubscription,
  signal: AbortSignal,
): Promise<void> {
  let sent = 0;
  const stamp = () => ({ op: 'mcm' as const, id: request.id, initialClk: INITIAL_CLOCK, clk: String(sent++) });
  const beat = setInterval(
    () => write({ ...stamp(), ct: 'HEARTBEAT', pt: Date.now() }),
    Math.max(500, request.heartbeatMs),
  );
  signal.addEventListener('abort', () => clearInterval(beat));
  await source.publish(
    request,
    async (message) => {
      beat.refresh();
      if (!write({ ...stamp(), ...message })) await drained(socket, signal);
    },
    signal,
  );
}

function drained(socket: Socket, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const done = (): void => {
      socket.off('drain', done);
      signal.removeEventListener('abort', done);
      resolve();
    };
    socket.on('drain', done);
    signal.addEventListener('abort', done);
  });
}

/** Needs no size limit: clients send short lines. */
function onLines(socket: Socket, onLine: (line: string) => void): void {
  let rest = '';
  socket.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\r\n');
    rest = lines.pop()!;
    for (const line of lines) if (line !== '') onLine(line);
  });
}
