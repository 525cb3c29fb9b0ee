// Requests of one connection are handled one after another, each in its own turn of the event loop. Their responses
// must leave in order anyway (RFC 9112 9.3.2), and a thousand small requests that arrive in one packet would otherwise
// occupy the thread.
import type { RequestListener } from 'node:http';
import type { Socket } from 'node:net';

export function oneAtATime(handle: RequestListener): RequestListener {
  /** The requests that wait behind the one being handled, by connection. */
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
