// Prepares and sends responses: JSON, a weak ETag over the content without its ages, and a 304 if the client has that
// content (D32).
import type { Context } from 'koa';
import { namesTag } from '../../../../entity-tags';
import { compressBytes, type Encoding, encodingFor } from '../compression';
import { headersOf } from '../response-headers';
import { type TagOf, tagOfText } from '../tag';
import { linkTo } from './next-page';
import { isEvents, isFile, isPlayed, isStreamed, type Reply } from './reply';

/**
 * Caching by clients (D32): a GET is revalidated by its tag, `changes` is never stored, a POST has no cache headers.
 */
export type Tagging = TagOf | 'never_stored' | 'none';

/** One way to send a response: the headers that only this response has, as a flat list, and its body. */
interface Variant {
  readonly headers: readonly string[];
  readonly bytes: Buffer | null;
}

/** A serialised and tagged reply, shared by every request that gets it and compressed once per encoding. */
export interface PreparedResponse {
  readonly status: 200 | 303;
  readonly tag: string | null;
  /** Media type. */
  readonly type: string;
  readonly bytes: Buffer;
  readonly full: Variant;
  readonly notModified: Variant;
  readonly compressed: Map<Encoding, Variant | Promise<Variant>>;
  readonly forOneOnly: boolean;
}

const JSON_TYPE = 'application/json; charset=utf-8';

export function prepareResponse(reply: Reply<unknown>, tagging: Tagging): PreparedResponse {
  if (isStreamed(reply) || isFile(reply) || isEvents(reply) || isPlayed(reply))
    throw new Error('the operation returned a stream that it did not declare');
  if ('location' in reply) return redirectTo(reply.location);
  // Only the bytes are kept, not the text: a page of results is 800 kB.
  const json = 'bytes' in reply ? reply.tagged : JSON.stringify(reply.body);
  const bytes = 'bytes' in reply ? reply.bytes : Buffer.from(json);
  const tag = typeof tagging === 'function' ? `W/"${tagging(json)}"` : null;
  const headers: string[] = [];
  if (reply.dataAgeSeconds != null) headers.push('X-Data-Age-Seconds', String(reply.dataAgeSeconds));
  if (reply.next != null) headers.push('Link', linkTo(reply.next));
  if (tagging === 'never_stored') headers.push('Cache-Control', 'no-store');
  if (tag !== null) headers.push('Cache-Control', REVALIDATED, 'ETag', tag);
  return { ...prepared(headers, bytes, JSON_TYPE), tag, forOneOnly: reply.forOneOnly === true };
}

const REVALIDATED = 'private, no-cache';

/** A text that is the same for every caller; anyone may cache it, unless it is to be revalidated each time. */
export function prepareDocument(text: string, type: string, { revalidated = false } = {}): PreparedResponse {
  const tag = `W/"${tagOfText(text)}"`;
  const headers = ['Cache-Control', revalidated ? REVALIDATED : 'public, max-age=3600', 'ETag', tag];
  return { ...prepared(headers, Buffer.from(text), type), tag, forOneOnly: false };
}

const prepared = (headers: readonly string[], bytes: Buffer, type: string) => ({
  status: 200 as const,
  type,
  bytes,
  full: fullVariant(headers, bytes, type),
  notModified: { headers, bytes: null },
  compressed: new Map(),
});

/** See other: never cached, because the address belongs to this request only. */
function redirectTo(location: string): PreparedResponse {
  const bytes = Buffer.alloc(0);
  const full = { headers: ['Location', location, 'Cache-Control', 'no-store', 'Content-Length', '0'], bytes };
  return {
    status: 303,
    tag: null,
    type: JSON_TYPE,
    bytes,
    full,
    notModified: full,
    compressed: new Map(),
    forOneOnly: true,
  };
}

function fullVariant(
  headers: readonly string[],
  bytes: Buffer,
  type: string,
  encoding: Encoding | null = null,
): Variant {
  const about = ['Content-Type', type, 'Content-Length', String(bytes.length)];
  return { headers: [...headers, ...about, ...(encoding === null ? [] : ['Content-Encoding', encoding])], bytes };
}

/** 304 if `If-None-Match` names the tag of this response. */
export function statusOf(ctx: Context, { tag, status }: PreparedResponse): 200 | 303 | 304 {
  return tag !== null && namesTag(ctx.req.headers['if-none-match'], tag) ? 304 : status;
}

/** Returns a promise only while the body is still being compressed. */
export function send(ctx: Context, response: PreparedResponse, status: 200 | 202 | 303 | 304): void | Promise<void> {
  if (status === 304) return write(ctx, status, response.notModified);
  // HEAD reports the length of the uncompressed body.
  const encoding =
    ctx.method === 'HEAD' ? null : encodingFor(ctx.req.headers['accept-encoding'], response.bytes.length);
  const variant = encoding === null ? response.full : compressed(response, encoding);
  return 'then' in variant ? variant.then((ready) => write(ctx, status, ready)) : write(ctx, status, variant);
}

/** For JSON that was not generated. */
export function sendHead(ctx: Context, isRevalidated: boolean): void {
  const headers = ['Cache-Control', isRevalidated ? REVALIDATED : 'no-store', 'Content-Type', JSON_TYPE];
  write(ctx, 200, { headers, bytes: null });
}

/** Requests that arrive during the compression share it. */
function compressed(response: PreparedResponse, encoding: Encoding): Variant | Promise<Variant> {
  const cached = response.compressed.get(encoding);
  if (cached) return cached;
  const pending = compressBytes(encoding, response.bytes).then((bytes) => {
    const ready = fullVariant(response.notModified.headers, bytes, response.type, encoding);
    response.compressed.set(encoding, ready);
    return ready;
  });
  response.compressed.set(encoding, pending);
  return pending;
}

/**
 * Writes all headers at once and bypasses Koa's own response, which would derive a type and a length that are already
 * set.
 */
function write(ctx: Context, status: number, { headers, bytes }: Variant): void {
  ctx.respond = false;
  ctx.res.writeHead(status, [...headersOf(ctx), ...headers]).end(bytes);
}
