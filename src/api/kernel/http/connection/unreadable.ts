// Refuses requests that never reach the application, because Node's parser rejects them or they open a tunnel: the
// usual problem document (D5) is written to the socket, which is then closed, because the start of a next request could
// not be found.
import { randomUUID } from 'node:crypto';
import { type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { AppError } from '../../../../errors';
import { problemBody } from '../problem';
import { crossOriginHeaders } from '../response-headers';

/** A client that is still sending would not read the response if the connection were closed at once. */
const LINGER_MS = 2000;

export function refuseUnreadable(server: Server, baseUrl: string): void {
  const latest = new WeakMap<Duplex, ServerResponse>();
  const refused = new WeakSet<Duplex>();
  server.prependListener('request', (request, response) => latest.set(request.socket, response));
  /** Before the responses to earlier requests it would be taken for one of them. */
  const refuse = (socket: Duplex, error: AppError): void => {
    refused.add(socket);
    const under = latest.get(socket);
    const write = (): void => endWith(socket, refusal(error, baseUrl));
    if (under?.req.complete && !under.writableFinished) under.once('close', write);
    else write();
  };
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    if (refused.has(socket)) return;
    const under = latest.get(socket);
    const late = error.code === 'ERR_HTTP_REQUEST_TIMEOUT';
    const begun = under !== undefined && !under.req.complete && under.headersSent;
    if (error.code === 'ECONNRESET' || !socket.writable || begun || (late && socket.bytesRead === 0)) {
      socket.destroy();
      return;
    }
    refuse(socket, errorOf(error.code));
  });
  server.on('connect', (_, socket) => {
    // Node has removed its own listeners from this socket: a reset would end the process, and nothing would read it or
    // time it out.
    const destroy = (): void => void socket.destroy();
    socket.on('error', destroy).on('timeout', destroy).resume();
    refuse(socket, NO_TUNNELS);
  });
}

const NO_TUNNELS = new AppError(
  'method_not_allowed',
  'CONNECT is not allowed: this is no proxy.',
  {},
  { Allow: 'GET, HEAD, POST' },
);

/** Sends these last bytes, and does not wait long for a client that keeps its side open. */
function endWith(socket: Duplex, bytes: string): void {
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

/** A complete response, for a connection without a response object. */
function refusal(error: AppError, baseUrl: string): string {
  const requestId = randomUUID().replaceAll('-', '');
  const body = JSON.stringify(problemBody(error, requestId, baseUrl));
  const usual = crossOriginHeaders(baseUrl);
  return [
    `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}`,
    ...usual.flatMap((name, i) => (i % 2 === 0 ? [`${name}: ${usual[i + 1]}`] : [])),
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
