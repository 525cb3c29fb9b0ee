// A client on a bare socket: sends exactly these bytes and returns everything that comes back until the server closes the connection.
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

export interface RawAnswer {
  readonly head: string;
  readonly status: number;
  /** Of a JSON body. */
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever JSON came back.
  readonly body: any;
}

export const socketTo = (url: string): Socket => connect(Number(new URL(url).port), '127.0.0.1');

/** The server must close the connection: send `Connection: close` where it would not. */
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

export function rawAnswer(received: string): RawAnswer {
  const end = received.indexOf('\r\n\r\n');
  const [head, body] = [received.slice(0, end), received.slice(end + 4)];
  const json = /^content-type: [^\r]*json/im.test(head) && body !== '';
  return { head, status: Number(head.split(' ')[1]), body: json ? JSON.parse(body) : undefined };
}
