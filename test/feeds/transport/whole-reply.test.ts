// A reply is whole or it is none: never a part of one, never more bytes than allowed, and never later than the caller
// waits, whatever the pieces in which it comes. A real host, a real connection.
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import fc from 'fast-check';
import { Agent } from 'undici';
import { wholeReply } from '../../../src/feeds/transport/whole-reply';
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

const ask = (most: number, signal = new AbortController().signal) =>
  wholeReply({ dispatcher, url: `${base}/a b?c=d`, method: 'GET', headers: {}, signal, mostOf: () => most });

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
