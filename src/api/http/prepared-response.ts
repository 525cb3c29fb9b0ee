// A reply put on the wire: JSON, a weak ETag over what is said and not how old it is, and the 304 that follows from it (D32).
import type { Context } from 'koa';
import { compressBytes, type Encoding, encodingFor } from './compression';
import type { Reply } from './reply';
import { headersOf } from './response-headers';
import type { TagOf } from './tag';

/** How long a client may keep a response: that of a GET by its tag, that of `changes` not at all (D32); of a POST it says nothing. */
export type Tagging = TagOf | 'never_stored' | 'none';

/** What goes out after the headers of every response: an answer's own, flat, and its body. */
interface Variant {
  readonly headers: readonly string[];
  readonly bytes: Buffer | null;
}

/** A reply as it travels, serialised and tagged once for all who get it, and packed once for each encoding. */
export interface PreparedResponse {
  /** Null: has none. */
  readonly tag: string | null;
  readonly bytes: Buffer;
  readonly full: Variant;
  readonly notModified: Variant;
  readonly compressed: Map<Encoding, Variant | Promise<Variant>>;
  readonly forOneOnly: boolean;
}

export function prepareResponse(reply: Reply<unknown>, tagging: Tagging): PreparedResponse {
  // The text is at hand only here: a page of results is 800 kB.
  const json = 'bytes' in reply ? reply.tagged : JSON.stringify(reply.body);
  const bytes = 'bytes' in reply ? reply.bytes : Buffer.from(json);
  const tag = typeof tagging === 'function' ? `W/"${tagging(json)}"` : null;
  const headers: string[] = [];
  if (reply.dataAgeSeconds != null) headers.push('X-Data-Age-Seconds', String(reply.dataAgeSeconds));
  if (tagging === 'never_stored') headers.push('Cache-Control', 'no-store');
  if (tag !== null) headers.push('Cache-Control', 'private, no-cache', 'ETag', tag);
  const notModified = { headers, bytes: null };
  return {
    tag,
    bytes,
    full: full(headers, bytes),
    notModified,
    compressed: new Map(),
    forOneOnly: reply.forOneOnly === true,
  };
}

function full(headers: readonly string[], bytes: Buffer, encoding: Encoding | null = null): Variant {
  const about = ['Content-Type', 'application/json; charset=utf-8', 'Content-Length', String(bytes.length)];
  return { headers: [...headers, ...about, ...(encoding === null ? [] : ['Content-Encoding', encoding])], bytes };
}

/** 304 when the caller already holds what would be said. */
export function statusOf(ctx: Context, { tag }: PreparedResponse): 200 | 304 {
  const sent = ctx.req.headers['if-none-match'];
  return tag !== null && sent !== undefined && holds(sent, tag) ? 304 : 200;
}

/** Waits only where the answer is still to be packed. */
export function send(ctx: Context, one: PreparedResponse, status: 200 | 304): void | Promise<void> {
  if (status === 304) return write(ctx, status, one.notModified);
  // HEAD is told the length of the body as it is.
  const encoding = ctx.method === 'HEAD' ? null : encodingFor(ctx.req.headers['accept-encoding'], one.bytes.length);
  const form = encoding === null ? one.full : packed(one, encoding);
  return 'then' in form ? form.then((made) => write(ctx, status, made)) : write(ctx, status, form);
}

/** Whoever asks while it is being packed waits for the same. */
function packed(one: PreparedResponse, encoding: Encoding): Variant | Promise<Variant> {
  const held = one.compressed.get(encoding);
  if (held) return held;
  const making = compressBytes(encoding, one.bytes).then((bytes) => {
    const made = full(one.notModified.headers, bytes, encoding);
    one.compressed.set(encoding, made);
    return made;
  });
  one.compressed.set(encoding, making);
  return making;
}

/** The head in one piece, with all headers that waited. Past Koa's own way, which looks up a type and a length for what has both. */
function write(ctx: Context, status: number, { headers, bytes }: Variant): void {
  ctx.respond = false;
  ctx.res.writeHead(status, [...headersOf(ctx), ...headers]).end(bytes);
}

/**
 * Whether the caller's `If-None-Match` names the tag, compared weakly (RFC 9110 13.1.2). Koa's own `fresh` will not do: it obeys the
 * `Cache-Control: no-cache` that `fetch` adds to every conditional request.
 */
function holds(sent: string, tag: string): boolean {
  const opaque = tag.replace('W/', '');
  return sent.split(',').some((one) => one.trim() === '*' || one.trim().replace(/^W\//, '') === opaque);
}
