// One connection to the stream with a correct server, and with several faulty ones: each end has its reason, and none
// is thrown.

import type { AddressInfo } from 'node:net';
import { createServer, type Server, type Socket } from 'node:net';
import { followStream, type StreamConnection, type StreamEnd } from '../../../src/feeds/betfair/stream/connection';
import type { MarketChangeMessage } from '../../../src/feeds/betfair/stream/payload';
import { countDrops } from '../../../src/feeds/reading/drops';
import { createStreamServer } from '../../../src/simulator/stream/server';

let other: Server | null = null;
const accepted: Socket[] = [];
afterEach(() => {
  // A socket that nobody reads never notices that its client is gone.
  for (const socket of accepted.splice(0)) socket.destroy();
  other?.close();
});

async function otherSide(onSocket: (socket: Socket) => void): Promise<number> {
  other = createServer((socket) => {
    accepted.push(socket.on('error', () => undefined));
    onSocket(socket);
  });
  await new Promise<void>((resolve) => other!.listen(0, '127.0.0.1', resolve));
  return (other.address() as AddressInfo).port;
}

function follow(port: number, over: Partial<StreamConnection> = {}): Promise<StreamEnd> {
  return followStream({
    address: { host: '127.0.0.1', port, tls: false },
    credentials: { appKey: 'key', session: 'token' },
    filter: { marketTypes: ['WIN'] },
    resumeFrom: null,
    drops: countDrops(),
    signal: new AbortController().signal,
    onMessage: () => undefined,
    ...over,
  });
}

const GREETING = '{"op":"connection","connectionId":"1"}\r\n';

test('authenticates, subscribes from its last position, passes messages on, and ends when it is aborted', async () => {
  const server = createStreamServer({
    async publish(_, send) {
      await send({ pt: 7, mc: [{ id: '1.1', tv: 5 }] });
    },
  });
  const stopping = new AbortController();
  const received: MarketChangeMessage[] = [];
  const end = await follow(await server.listen(0), {
    signal: stopping.signal,
    resumeFrom: { initialClk: 'a', clk: 'b' },
    onMessage: (message) => {
      received.push(message);
      stopping.abort();
    },
  });
  expect(end.reason).toBe('called_off');
  expect(received).toEqual([
    { op: 'mcm', id: 2, initialClk: expect.any(String), clk: '0', pt: 7, mc: [{ id: '1.1', tv: 5 }] },
  ]);
  expect(server.requests).toEqual([
    { op: 'authentication', id: 1, appKey: 'key', session: 'token' },
    {
      op: 'marketSubscription',
      id: 2,
      marketFilter: { marketTypes: ['WIN'] },
      marketDataFilter: { fields: ['EX_MARKET_DEF', 'EX_BEST_OFFERS', 'EX_LTP', 'EX_TRADED_VOL'], ladderLevels: 1 },
      heartbeatMs: 5000,
      conflateMs: 0,
      initialClk: 'a',
      clk: 'b',
    },
  ]);
  await server.close();
});

test.each<[string, string, (socket: Socket) => void]>([
  ['silence', 'silent', (socket) => void socket.write(GREETING)],
  ['not one byte', 'silent', () => undefined],
  ['a line that is no JSON', 'malformed', (socket) => void socket.write('hello\r\n')],
  ['an unknown message', 'malformed', (socket) => void socket.write('{"op":"news"}\r\n')],
  [
    'a refusal',
    'refused',
    (socket) => void socket.write('{"op":"status","id":1,"statusCode":"FAILURE","errorCode":"NO_SESSION"}\r\n'),
  ],
  ['half a line and the end', 'closed', (socket) => void socket.end('{"op":"conn')],
])('%s: %s', async (_, reason, onSocket) => {
  const heartbeatMs = reason === 'silent' ? 50 : 60_000;
  expect(await follow(await otherSide(onSocket), { heartbeatMs })).toMatchObject({ reason });
});

test('a missing server is a network failure; a connection aborted before its start is never started', async () => {
  const port = await otherSide(() => undefined);
  await new Promise((resolve) => other!.close(resolve));
  expect(await follow(port)).toEqual({ reason: 'network', detail: 'ECONNREFUSED' });
  expect(await follow(port, { signal: AbortSignal.abort() })).toMatchObject({ reason: 'called_off' });
});
