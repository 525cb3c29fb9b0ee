// A connection to a real server that a test may cut, silence and restore, as when the server stops, hangs and comes
// back.
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { freePort } from './free-port';

export interface TcpLine {
  /** The address of the server through this connection. */
  readonly url: string;
  /** Connections break, and new ones are refused. */
  cut(): Promise<void>;
  /** Connections stay open, but nothing passes through. */
  silence(): void;
  /** Currently open connections go silent for good, as behind a failed router; new ones work. */
  swallow(): void;
  /** The connection in which this text occurs next is closed regularly in the middle of it. */
  endInside(text: string): void;
  mend(): Promise<void>;
  close(): Promise<void>;
}

export async function tcpLine(to: string): Promise<TcpLine> {
  const url = new URL(to);
  const { hostname, port } = url;
  const sockets = new Set<Socket>();
  const swallowed = new WeakSet<Socket>();
  let silent = false;
  let endsInside: string | null = null;
  const server = createServer((near) => {
    const far = connect(Number(port), hostname);
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one);
      one.on('data', (bytes) => {
        const at = one === far && endsInside !== null ? bytes.indexOf(endsInside) : -1;
        if (at >= 0) {
          endsInside = null;
          near.end(bytes.subarray(0, at + 1));
          swallowed.add(far);
        } else if (!silent && !swallowed.has(one)) other.write(bytes);
      });
      one.on('error', () => undefined);
      one.on('close', () => other.destroy());
    }
  });
  const breakAll = (): void => {
    for (const socket of sockets) socket.destroy();
    sockets.clear();
  };
  // A port chosen here, which no other program gets while the connection is cut.
  const at = await freePort();
  url.host = `127.0.0.1:${at}`;
  const listen = async (): Promise<void> => {
    server.listen(at, '127.0.0.1');
    await once(server, 'listening');
  };
  const cut = async (): Promise<void> => {
    const closed = server.listening ? once(server, 'close') : null;
    server.close();
    breakAll();
    await closed;
  };
  await listen();
  return {
    url: url.toString(),
    cut,
    silence: () => {
      silent = true;
    },
    swallow: () => {
      for (const socket of sockets) swallowed.add(socket);
    },
    endInside(text) {
      endsInside = text;
    },
    async mend() {
      silent = false;
      breakAll();
      if (!server.listening) await listen();
    },
    close: cut,
  };
}
