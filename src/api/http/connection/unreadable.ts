// Refuses requests that Node's parser rejects before the application runs: the usual problem document (D5) is written to the socket, which
// is then closed, because the start of a next request could not be found.
import { randomUUID } from 'node:crypto';
import { type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { AppError } from '../../../errors';
import { problemBody } from '../problem';
import { CROSS_ORIGIN } from '../response-headers';

/** A client that still sends would not read the response if the connection were closed at once. */
const LINGER_MS = 2000;

export function refuseUnreadable(server: Server, baseUrl: string): void {
  const latest = new WeakMap<Duplex, ServerResponse>();
  const refused = new WeakSet<Duplex>();
  server.prependListener('request', (request, response) => latest.set(request.socket, response));
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    if (refused.has(socket)) return;
    const under = latest.get(socket);
    const late = error.code === 'ERR_HTTP_REQUEST_TIMEOUT';
    const begun = under !== undefined && !under.req.complete && under.headersSent;
    if (error.code === 'ECONNRESET' || !socket.writable || begun || (late && socket.bytesRead === 0)) {
      socket.destroy();
      return;
    }
    refused.add(socket);
    const refuse = (): void => {
      endWith(socket, refusal(errorOf(error.code), baseUrl));
    };
    // In front of the responses to earlier requests it would be taken for one of them.
    if (under?.req.complete && !under.writableFinished) under.once('close', refuse);
    else refuse();
  });
}

/** Sends these last bytes, and does not wait long for a client that keeps its side open. */
export function endWith(socket: Duplex, bytes: string): void {
  socket.end(bytes);
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}

function errorOf(code: string | undefined): AppError {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return new AppError('request_timeout', 'The request did not arrive in time.');
  const tooLong = code === 'HPE_HEADER_OVERFLOW';
  return new AppError(
    'bad_request',
    tooLong
      ? 'The request has too many headers, or its line and headers are too long.'
      : 'The request is not valid HTTP.',
  );
}

/** A whole response, for a connection that has none of its own. */
export function refusal(error: AppError, baseUrl: string): string {
  const requestId = randomUUID().replaceAll('-', '');
  const body = JSON.stringify(problemBody(error, requestId, baseUrl));
  return [
    `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}`,
    ...CROSS_ORIGIN.flatMap((name, i) => (i % 2 === 0 ? [`${name}: ${CROSS_ORIGIN[i + 1]}`] : [])),
    ...Object.entries(error.headers).map(([name, value]) => `${name}: ${value}`),
    'Content-Type: application/problem+json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${requestId}`,
    'Cache-Control: no-store',
    'Connection: close',
    '',
    body,
  ].join('\r\n');
}
