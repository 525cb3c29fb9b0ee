// A client on a bare socket: sends exactly these bytes and returns everything that comes back until the server closes
// the connection.
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

export interface RawAnswer {
  readonly head: string;
  readonly status: number;
  /** The headers of a JSON body. */
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever JSON came back.
  readonly body: any;
}

export const socketTo = (url: string): Socket => connect(Number(new URL(url).port), '127.0.0.1');

/** The server must close the connection: send `Connection: close` if it otherwise would not. */
export async function raw(url: string, bytes: string): Promise<RawAnswer> {
  const socket = socketTo(url);
  let received = '';
  socket.setEncoding('latin1').on('data', (part: string) => {
    received += part;
  });
  socket.write(bytes, 'latin1');
  await once(socket, 'end');
  socket.destroy();
  return rawAnswer(received);
}

/** Starts to post a body to `path` and closes the connection in the middle of it. */
export async function cutUpload(url: string, path: string, key: string, more: readonly string[] = []): Promise<void> {
  const socket = socketTo(url);
  const lines = [`POST ${path} HTTP/1.1`, 'Host: x', `X-API-Key: ${key}`, 'Content-Type: application/json'];
  // The server requests the body once it is processing the request.
  socket.write([...lines, 'Content-Length: 100', 'Expect: 100-continue', ...more, '', ''].join('\r\n'));
  await once(socket, 'data');
  socket.write('{"bets":', () => socket.resetAndDestroy());
  await once(socket, 'close');
}

export function rawAnswer(received: string): RawAnswer {
  const end = received.indexOf('\r\n\r\n');
  const head = received.slice(0, end);
  const body = received.slice(end + 4);
  const json = /^content-type: [^\r]*json/im.test(head) && body !== '';
  return { head, status: Number(head.split(' ')[1]), body: json ? JSON.parse(body) : undefined };
}
