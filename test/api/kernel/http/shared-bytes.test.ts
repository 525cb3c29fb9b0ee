// Connections share the bytes of an event, in which only the name of each is written anew. Over real HTTP, to readers
// that read at once and to readers that let megabytes wait: each gets its own text, whole and in order.
import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import Koa from 'koa';
import { EventConnection } from '../../../../src/api/kernel/http/response/event-connection';
import { eventGroup } from '../../../../src/api/kernel/stream/event-text';
import { PATIENT_MS } from '../../../support/patient';

const READERS = 4;
/** It reads only when all is sent. Bytes for HTTP/1.0, the last one's, are kept in any case. */
const PAUSED = 1;
/** Of each length several, shared with a reader whose bytes wait. */
const AFTER_KEPT = 30;
const BOUNDS = { mostWaiting: 1e9, mostDuringOpening: 1e9, lingerMs: PATIENT_MS };
const PLACE = '2026-11-30T02:00:00.000Z 48-a';
const nameOf = (reader: number): string => `reader-${reader}`;
/** From a few bytes to more than a socket takes at once. */
const dataOf = (event: number): string => JSON.stringify(`${event} ${'x'.repeat(10 * (event % 7) ** 6)}`);

test('readers of different speeds get their own names in the events that they share', async () => {
  const opened: EventConnection[] = [];
  const app = new Koa();
  app.use(async (ctx) => {
    ctx.state.headers = [];
    const connection = new EventConnection(ctx, BOUNDS, () => Buffer.from('too slow'));
    opened[Number(ctx.path.slice(1))] = connection;
    await connection.begin([]);
  });
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const sockets: Socket[] = [];
  try {
    const texts = Array.from({ length: READERS }, async (_, i) => {
      const socket = connect(port, '127.0.0.1').on('error', () => {});
      sockets.push(socket);
      // HTTP/1.0 has no chunks.
      socket.write(`GET /${i} HTTP/1.${i === READERS - 1 ? 0 : 1}\r\nHost: x\r\n\r\n`);
      await once(socket, 'readable');
      return socket;
    });
    const late = AbortSignal.timeout(PATIENT_MS);
    for (; opened.filter((one) => one?.hasOpened).length < READERS; await turn()) late.throwIfAborted();
    const readers = await Promise.all(texts);
    const bodies = readers.map(() => [] as Buffer[]);
    const read = (i: number): void => void readers[i]!.on('data', (bytes) => bodies[i]!.push(bytes));
    // The others read only when all is sent.
    for (let i = 0; i < READERS; i += 2) read(i);
    let [events, last] = [0, Number.POSITIVE_INFINITY];
    let isPassedOnOnce = false;
    for (; events < last; events++) {
      late.throwIfAborted();
      const event = events;
      const group = eventGroup([['changes', dataOf(event)]]);
      for (const [i, connection] of opened.entries())
        group.give(PLACE, nameOf(i), (bytes, framed) => {
          const isPassedOn = connection.send(bytes, framed);
          if (isPassedOn) isPassedOnOnce = true;
          else if (i === PAUSED) last = Math.min(last, event + AFTER_KEPT);
          return isPassedOn;
        });
      await turn();
    }
    for (let i = 1; i < READERS; i += 2) read(i);
    for (const connection of opened) connection.end();
    await Promise.all(readers.map((socket) => once(socket, 'end')));
    for (const [i, body] of bodies.entries()) {
      const own = Array.from({ length: events }, (_, event) => eventOf(i, event)).join('');
      expect(textOf(Buffer.concat(body)) === own).toBe(true);
    }
    expect(isPassedOnOnce).toBe(true);
  } finally {
    for (const socket of sockets) socket.destroy();
    server.closeAllConnections();
    server.close();
  }
});

const eventOf = (reader: number, event: number): string =>
  `event: changes\nid: ${PLACE} ${nameOf(reader)}\ndata: ${dataOf(event)}\n\n`;

/** Of a response, its chunks put together. */
function textOf(response: Buffer): string {
  const [head, ...rest] = response.toString('latin1').split(/\r\n\r\n(.*)/s);
  const body = rest[0]!;
  if (!/transfer-encoding: chunked/i.test(head!)) return body;
  let text = '';
  for (let at = 0; at < body.length; ) {
    const line = body.indexOf('\r\n', at);
    const length = Number.parseInt(body.slice(at, line), 16);
    text += body.slice(line + 2, line + 2 + length);
    at = line + 2 + length + 2;
  }
  return text;
}
