// The interface between the HTTP layer and the books. A book returns text for a request; the HTTP layer handles
// compression and 304.

export interface BookRequest {
  readonly method: 'GET' | 'POST';
  /** The body of a POST, as sent; empty otherwise. */
  readonly body: string;
  /** Path below the book's prefix, without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** The requested path and query, for books that echo them. */
  readonly url: string;
  /** This book's own address, for books that link to themselves. */
  readonly baseUrl: string;
  header(name: string): string;
  readonly nowMs: number;
}

export interface BookReply {
  readonly status: number;
  readonly body: string;
  /** Absent: JSON. */
  readonly type?: 'text/html';
  /** The part of the body that the ETag covers; null if the book sends no ETag. */
  readonly tagged: string | null;
  /** In addition to the headers of every reply. */
  readonly headers?: Readonly<Record<string, string>>;
}

export type Book = (request: BookRequest) => BookReply;

/** A book whose replies can take a while to compute, and which meanwhile leaves the thread to the others. */
export type SlowBook = (request: BookRequest) => BookReply | Promise<BookReply>;

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

/** A 200 with an ETag of the whole body. */
export function taggedJson(value: unknown): BookReply {
  const body = JSON.stringify(value);
  return { status: 200, body, tagged: body };
}
