// A bookmaker's host for tests: a real HTTP server on a free port that replies as the test defines and records its
// requests.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Answers, Served } from './book';

export type Answer = (request: IncomingMessage, response: ServerResponse) => void;

export interface BookServer {
  readonly url: string;
  readonly requests: readonly IncomingMessage[];
  /** Sends this reply to every request from now on. */
  answer(how: Answer): void;
  close(): Promise<void>;
}

export async function startBookServer(): Promise<BookServer> {
  let how: Answer = (_, response) => void response.writeHead(500).end();
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    how(request, response);
  });
  // After a pause of the machine a client would otherwise send on a connection that is just being closed as idle.
  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    answer(next) {
      how = next;
      requests.length = 0;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const JSON_TYPE = 'application/json; charset=utf-8';

export const json =
  (body: unknown, headers: Record<string, string> = {}, status = 200): Answer =>
  (_, response) =>
    void response
      .writeHead(status, { 'content-type': JSON_TYPE, ...headers })
      .end(typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body));

export const status =
  (code: number, headers: Record<string, string> = {}): Answer =>
  (_, response) =>
    void response.writeHead(code, headers).end();

export interface Change {
  /** The replacement for a reply, made from the book's own reply. */
  readonly body?: (served: Served) => string | Buffer;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The book's own replies, including path, POST and content type; `change` spoils a reply and keeps the rest. */
export const serve =
  (answers: Answers, change: Change = {}): Answer =>
  async (request, response) => {
    const served = answers(request.url!, request.method === 'POST' ? await text(request) : '');
    response
      .writeHead(served.status ?? 200, { 'content-type': served.type ?? JSON_TYPE, ...change.headers })
      .end(change.body ? change.body(served) : served.body);
  };

/** Replies with 304 to requests with the validator. */
export const withETag =
  (etag: string, answers: Answers): Answer =>
  (request, response) =>
    request.headers['if-none-match'] === etag
      ? status(304, { etag })(request, response)
      : serve(answers, { headers: { etag } })(request, response);
