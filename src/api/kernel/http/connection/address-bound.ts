// Limits the connections of each client address: otherwise one client could occupy all that the API accepts, and lock
// out every other.
import type { Server, Socket } from 'node:net';

/**
 * Closes a connection at once if its network has `most` open, as the server does with those beyond `maxConnections`.
 * `networkOf` null: the connection is not counted.
 */
export function boundPerAddress(server: Server, most: number, networkOf: (socket: Socket) => string | null): void {
  const open = new Map<string, number>();
  server.on('connection', (socket) => {
    const network = networkOf(socket);
    if (network === null) return;
    const count = open.get(network) ?? 0;
    if (count >= most) {
      socket.destroy();
      return;
    }
    open.set(network, count + 1);
    socket.once('close', () => {
      const left = open.get(network)! - 1;
      if (left > 0) open.set(network, left);
      else open.delete(network);
    });
  });
}
