// Refuses requests that are not valid HTTP with the usual problem document (D5). Node's parser rejects them before the application runs,
// so the response is written to the socket, which is then closed: the start of a next request could not be found.
import { randomUUID } from 'node:crypto';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { AppError } from '../../errors';
import { problemBody } from './problem';
import { EVERYWHERE } from './response-headers';

const REASONS: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: 'The request line and headers are too long.',
  ERR_HTTP_REQUEST_TIMEOUT: 'The request did not arrive in time.',
};

export function refuseUnreadable(server: Server, baseUrl: string): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
    socket.end(response(REASONS[error.code ?? ''] ?? 'The request is not valid HTTP.', baseUrl));
  });
}

function response(detail: string, baseUrl: string): string {
  const requestId = randomUUID().replaceAll('-', '');
  const body = JSON.stringify(problemBody(new AppError('bad_request', detail), requestId, baseUrl));
  return [
    'HTTP/1.1 400 Bad Request',
    ...EVERYWHERE.flatMap((name, i) => (i % 2 === 0 ? [`${name}: ${EVERYWHERE[i + 1]}`] : [])),
    'Content-Type: application/problem+json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${requestId}`,
    'Cache-Control: no-store',
    'Connection: close',
    '',
    body,
  ].join('\r\n');
}
