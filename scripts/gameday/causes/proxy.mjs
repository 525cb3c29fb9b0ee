// A proxy between the processes and a server: replies can arrive late, or connections are accepted but nothing passes
// through.
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

const HOST = '127.0.0.1';

/** Listens on `port` in place of the server at `target`. */
export async function startProxy(port, target) {
  const pairs = new Set();
  const way = { delayMs: 0, isOpen: true };
  const server = createServer({ allowHalfOpen: true }, (client) => {
    const pair = [client, connect({ port: target, host: HOST, allowHalfOpen: true })];
    pairs.add(pair);
    client.on('close', () => pairs.delete(pair));
    join(pair, way);
  });
  server.listen(port, HOST);
  await once(server, 'listening');
  return {
    /** Delays each reply, not the request. */
    slow(delayMs) {
      way.delayMs = delayMs;
    },
    block() {
      way.isOpen = false;
      for (const socket of [...pairs].flat()) socket.pause();
    },
    /** Back to the initial state: delayed data arrives. */
    free() {
      Object.assign(way, { delayMs: 0, isOpen: true });
      for (const socket of [...pairs].flat()) socket.resume();
    },
    close() {
      server.close();
      for (const socket of [...pairs].flat()) socket.destroy();
    },
  };
}

/** @param {import('node:net').Socket[]} pair */
function join([client, server], way) {
  for (const [from, to] of [
    [client, server],
    [server, client],
  ]) {
    from.setNoDelay(true);
    let sent = Promise.resolve();
    const later = (act) => {
      const dueMs = Date.now() + (from === server ? way.delayMs : 0);
      sent = sent.then(async () => {
        if (dueMs > Date.now()) await sleep(dueMs - Date.now());
        if (!to.destroyed) act();
      });
    };
    from.on('data', (chunk) => later(() => to.write(chunk)));
    from.on('end', () => later(() => to.end()));
    // If the server refuses a connection, or ends in the middle of one, the client sees the same.
    from.on('error', () => to.resetAndDestroy());
    if (!way.isOpen) from.pause();
  }
}
