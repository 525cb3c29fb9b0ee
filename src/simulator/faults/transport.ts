// Faults in sending a reply, per book: refusals, silence, a trickle, truncated replies, pages, bombs. A middleware
// between the book and the wire; a book without a switch costs one look-up.
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import type { Context, Middleware, Next } from 'koa';
import type { Switches } from './switches';

const RETRY_AFTER_SECONDS = 30;
const BETWEEN_BYTES_MS = 250;
const MEGABYTE = 1024 * 1024;
const BOMB_MEGABYTES = 64;

type Fault = (ctx: Context, next: Next) => Promise<void>;

const PAGE = '<!doctype html><html><head><title>Access Denied</title></head><body>Reference #18.4</body></html>';

const CHALLENGE = `<!DOCTYPE html><html lang="en-US"><head><title>Just a moment...</title><meta name="robots" content="noindex,nofollow"></head>
<body><noscript>Enable JavaScript and cookies to continue</noscript></body></html>`;

const refused =
  (status: number, type: string, body: string, headers: Readonly<Record<string, string>> = {}): Fault =>
  async (ctx) => {
    ctx.status = status;
    ctx.set(headers);
    ctx.type = type;
    ctx.body = body;
  };

/** The book replies as usual, then the reply is corrupted. It has no ETag, because no caller can have it cached. */
const spoilt =
  (spoil: (ctx: Context, body: string) => void): Fault =>
  async (ctx, next) => {
    await next();
    if (typeof ctx.body !== 'string') return;
    ctx.state.tagged = null;
    spoil(ctx, ctx.body);
  };

/** Ends when the caller disconnects, or the server closes. */
const hanging: Fault = async (ctx) => {
  ctx.respond = false;
  if (!ctx.req.socket.destroyed) await once(ctx.req.socket, 'close');
};

async function* trickle(text: string): AsyncGenerator<Buffer> {
  for (const byte of Buffer.from(text)) {
    yield Buffer.of(byte);
    await delay(BETWEEN_BYTES_MS);
  }
}

const half = (text: string): string => text.slice(0, Math.floor(text.length / 2));

/** Keeps the content type, which Koa would otherwise guess from the new body. */
function withBody(ctx: Context, body: unknown): void {
  const { type } = ctx;
  ctx.body = body;
  ctx.type = type;
}

const reset = spoilt((ctx, body) => {
  ctx.respond = false;
  ctx.res.writeHead(200, { 'content-type': ctx.type, 'content-length': Buffer.byteLength(body) });
  ctx.res.write(half(body), () => ctx.req.socket.resetAndDestroy());
});

let bomb: Buffer | null = null;

/** One megabyte of blanks as a gzip member, many times over: readers unpack member after member. */
function bombOf(): Buffer {
  bomb ??= Buffer.concat(Array<Buffer>(BOMB_MEGABYTES).fill(gzipSync(Buffer.alloc(MEGABYTE, ' '))));
  return bomb;
}

const FAULTS: ReadonlyMap<string, Fault> = new Map<string, Fault>([
  [
    'rate_limited',
    refused(429, 'application/json', '{"error":"Too Many Requests"}', { 'Retry-After': `${RETRY_AFTER_SECONDS}` }),
  ],
  ['blocked', refused(403, 'text/html', PAGE)],
  ['server_error', refused(500, 'application/json', '{"error":"Internal Server Error"}')],
  ['hanging', hanging],
  ['slow_loris', spoilt((ctx, body) => withBody(ctx, Readable.from(trickle(body))))],
  ['connection_reset', reset],
  ['truncated_json', spoilt((ctx, body) => withBody(ctx, half(body)))],
  ['html_with_200', refused(200, 'text/html', PAGE)],
  ['challenge_page', refused(200, 'text/html', CHALLENGE)],
  [
    'wrong_content_type',
    spoilt((ctx) => {
      ctx.type = 'application/octet-stream';
    }),
  ],
  [
    'gzip_bomb',
    spoilt((ctx) => {
      withBody(ctx, bombOf());
      ctx.set('Content-Encoding', 'gzip');
    }),
  ],
]);

export function faultyTransport(switches: Switches, now: () => number): Middleware {
  return async (ctx, next) => {
    const on = switches.of(ctx.path.split('/', 2)[1] ?? '', now()).findLast((one) => FAULTS.has(one.scenario));
    await (on ? FAULTS.get(on.scenario)!(ctx, next) : next());
  };
}
