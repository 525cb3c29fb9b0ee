// Requests of one connection are handled in order, never two at once and never two in one turn of the event loop;
// connections do not wait for each other; and the remaining requests of a client that left are not started.
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import { oneAtATime } from '../../../../../src/api/kernel/http/connection/one-at-a-time';
import { runs } from '../../../../support/property';

let turns = 0;
/** By connection: what its handler did. */
const handled = new Map<string, string[]>();
const open = new Map<string, number>();
const began = new Map<string, number>();
let release = (): void => undefined;

/** `/connection/number/turns`: how many turns of the loop the response takes; -1: until it is let go. */
const handle: RequestListener = async (request, response) => {
  const [, connection = '', number = '', took = ''] = request.url!.split('/');
  const isAlone = (open.get(connection) ?? 0) === 0 && began.get(connection) !== turns;
  began.set(connection, turns);
  open.set(connection, (open.get(connection) ?? 0) + 1);
  handled.set(connection, [...(handled.get(connection) ?? []), isAlone ? number : `${number} beside another`]);
  if (took === '-1')
    await new Promise<void>((done) => {
      release = done;
    });
  for (let i = 0; i < Number(took); i++) await turn();
  open.set(connection, open.get(connection)! - 1);
  response.end(number);
};

const server = createServer(oneAtATime(handle));
const counting = { on: true };
beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const count = (): void => {
    turns++;
    if (counting.on) setImmediate(count);
  };
  count();
});
afterAll(() => {
  counting.on = false;
  server.closeAllConnections();
  server.close();
});

const opened = () => connect((server.address() as AddressInfo).port, '127.0.0.1');
const request = (path: string, more = ''): string => `GET ${path} HTTP/1.1\r\nHost: a\r\n${more}\r\n`;

test('requests of a connection are handled in order, one per turn of the event loop', async () => {
  let names = 0;
  const pipelines = fc.array(fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 1, maxLength: 20 }), {
    minLength: 1,
    maxLength: 3,
  });
  const property = fc.asyncProperty(pipelines, async (connections) => {
    const sent = connections.map((took) => ({ took, name: `c${names++}` }));
    await Promise.all(
      sent.map(async ({ took, name }) => {
        const socket = opened();
        const all = took.map((each, i) =>
          request(`/${name}/${i}/${each}`, i === took.length - 1 ? 'Connection: close\r\n' : ''),
        );
        socket.write(all.join(''));
        socket.resume();
        await once(socket, 'close');
      }),
    );
    for (const { took, name } of sent) expect(handled.get(name)).toEqual(took.map((_, i) => String(i)));
  });
  await fc.assert(property, { numRuns: runs(100) });
});

test('the remaining requests of a client that left are not started', async () => {
  const socket = opened();
  socket.write([request('/left/0/-1'), request('/left/1/0'), request('/left/2/0')].join(''));
  while (!handled.has('left')) await turn();
  socket.destroy();
  // Until the server has seen it leave.
  const connections = (): Promise<number> => new Promise((done) => server.getConnections((_, count) => done(count)));
  while ((await connections()) > 0) await turn();
  release();
  const later = opened();
  later.write(request('/later/0/0', 'Connection: close\r\n'));
  later.resume();
  await once(later, 'close');
  expect(handled.get('left')).toEqual(['0']);
});
