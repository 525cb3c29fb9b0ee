// A receiver of webhooks on this machine. A test decides the response to each post, down to the bytes.
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import type { TLSSocket } from 'node:tls';

interface Post {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** The number of the connection on which it arrived: 1 for the first. */
  readonly connection: number;
  /** The name in the client’s TLS greeting. */
  readonly servername: string | undefined;
}

export interface Receiver {
  readonly port: number;
  readonly posts: Post[];
  /** The responses to the next posts. Default: 200. */
  answer: (response: ServerResponse, post: Post) => void;
  close(): Promise<void>;
}

/** `tls`: key and certificate, in PEM. `port`: a port that was used before, to come back on. */
export async function startReceiver(
  tls?: { readonly key: string; readonly cert: string },
  port = 0,
): Promise<Receiver> {
  const sockets = new Map<Socket, number>();
  const listener: Parameters<typeof createServer>[1] = async (request, response) => {
    const { url = '', headers, socket } = request;
    const { servername } = socket as Partial<TLSSocket>;
    const ofConnection = { connection: sockets.get(socket) ?? 0, servername: servername || undefined };
    const post = { path: url, headers, body: await text(request), ...ofConnection };
    receiver.posts.push(post);
    receiver.answer(response, post);
  };
  const server = (tls ? createTlsServer(tls, listener) : createServer(listener)) as Server;
  server.on(tls ? 'secureConnection' : 'connection', (socket: Socket) => {
    sockets.set(socket, sockets.size + 1);
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const receiver: Receiver = {
    port: (server.address() as AddressInfo).port,
    posts: [],
    answer: (response) => response.end(),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return receiver;
}
