// What the HTTP layer and the books say to each other. A book answers a request with text; how it travels (compressed, 304)
// is not its affair.

export interface BookRequest {
  readonly method: 'GET' | 'POST';
  /** Of a POST, as sent; empty otherwise. */
  readonly body: string;
  /** Path below the book's prefix, without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** Path and query as asked, for books that echo it. */
  readonly url: string;
  /** Where this book is reached, for books that link to themselves. */
  readonly baseUrl: string;
  header(name: string): string;
  readonly nowMs: number;
}

export interface BookReply {
  readonly status: number;
  readonly body: string;
  /** Absent: JSON. */
  readonly type?: 'text/html';
  /** The part of the body that an ETag stands for; null when the book sends none. */
  readonly tagged: string | null;
}

export type Book = (request: BookRequest) => BookReply;

export const json = (status: number, value: unknown): BookReply => ({
  status,
  body: JSON.stringify(value),
  tagged: null,
});

export const page = (status: number, html: string): BookReply => ({
  status,
  body: html,
  type: 'text/html',
  tagged: null,
});

/** A 200 with an ETag over the whole body. */
export function taggedJson(value: unknown): BookReply {
  const body = JSON.stringify(value);
  return { status: 200, body, tagged: body };
}
