// A bookmaker's host for tests: a real HTTP server on a free port that answers what the test says and remembers what it was asked.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Answer = (request: IncomingMessage, response: ServerResponse) => void;

export interface BookServer {
  readonly url: string;
  readonly asked: readonly IncomingMessage[];
  /** Answers every request from now on. */
  answer(how: Answer): void;
  close(): Promise<void>;
}

export async function startBookServer(): Promise<BookServer> {
  let how: Answer = (_, response) => void response.writeHead(500).end();
  const asked: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    asked.push(request);
    how(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    answer(next) {
      how = next;
      asked.length = 0;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

export const json =
  (body: unknown, headers: Record<string, string> = {}, status = 200): Answer =>
  (_, response) =>
    void response
      .writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...headers })
      .end(typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body));

export const status =
  (code: number, headers: Record<string, string> = {}): Answer =>
  (_, response) =>
    void response.writeHead(code, headers).end();

/** Answers whoever sends the validator with 304. */
export const withETag =
  (etag: string, body: unknown): Answer =>
  (request, response) =>
    request.headers['if-none-match'] === etag
      ? status(304, { etag })(request, response)
      : json(body, { etag })(request, response);
