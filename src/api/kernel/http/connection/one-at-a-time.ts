// Requests of one connection are handled one after another, each in a turn of the event loop of its own. Their
// responses have to leave in their order anyway (RFC 9112 9.3.2), and a thousand small ones that arrive in one packet
// would otherwise have the thread to themselves.
import type { RequestListener } from 'node:http';
import type { Socket } from 'node:net';

export function oneAtATime(handle: RequestListener): RequestListener {
  /** What waits behind the request that is being handled, by connection. */
  const behind = new WeakMap<Socket, (() => void)[]>();
  return (request, response) => {
    const { socket } = request;
    const next = (): void => {
      const begin = behind.get(socket)?.shift();
      if (begin) setImmediate(begin);
      else behind.delete(socket);
    };
    const begin = (): void => {
      // The client has left.
      if (socket.destroyed) return;
      response.once('close', next);
      handle(request, response);
    };
    const waiting = behind.get(socket);
    if (waiting) return void waiting.push(begin);
    behind.set(socket, []);
    begin();
  };
}
