// HTTP to one book, without interpreting its replies: identification, timeout, size limit, content type, conditional
// requests, failures. Never throws for what a book does: every failure is a value. Never follows a redirect: a path is
// either documented or wrong.
import { Agent } from 'undici';
import type { Instant } from '../../domain/race/race';
import type { CallEnd, FeedCall, FeedEndpoint, FeedFailure, FeedGate } from '../feed';
import { type BodyRead, bodyOf } from './body';
import { isTimeout } from './deadline';
import { createLastReads, type LastReads } from './last-reads';
import { type Expected, refusalOf, retryAfterMs, wallIn } from './refusal';
import { createValidators, type Validators } from './validators';
import { type BodyBounds, type ReplyHead, type WholeReply, wholeReply } from './whole-reply';

export interface HttpFailure {
  readonly kind: 'failed';
  readonly reason: FeedFailure;
  readonly detail: string;
  readonly retryAfterMs: number | null;
  readonly observedAt: Instant;
  /** The reply's status; absent without a reply. */
  readonly status?: number;
  /** The source's own code of a refusal (`codeOf`). */
  readonly code?: string;
  /** The caller cancelled, other than by its deadline: this proves nothing about the book. */
  readonly calledOff?: boolean;
  /** A registry's door refused the call. */
  readonly notSent?: true;
}

export type HttpReply<T> =
  | { readonly kind: 'ok'; readonly read: T; readonly observedAt: Instant }
  | { readonly kind: 'unchanged'; readonly observedAt: Instant }
  | HttpFailure;

export interface HttpOptions {
  readonly endpoint: FeedEndpoint;
  /** Headers that the book wants besides `User-Agent` and `Accept`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Epoch milliseconds in race time. */
  readonly now: () => number;
  readonly maxBytes?: number;
  /** The most URLs with a cached ETag. */
  readonly maxValidators?: number;
}

interface GetOptions<T> {
  /** Path and query under the base URL. */
  readonly path: string;
  /** Maps the body; null if it is not as the book documents (`malformed`). Must be pure. */
  readonly read: (body: unknown) => T | null;
  /** Send If-None-Match if an ETag is cached. Never use it for pages of a list: an unchanged page has no rows. */
  readonly conditional?: boolean;
  /**
   * All that `read` depends on but the body, such as the race's id: if it and the bytes equal those of the last reply
   * from the URL, they are not read again, and the value is the very object of that reply. Only with GET.
   */
  readonly readOnce?: string;
  readonly call?: FeedCall;
  /** The expected content: JSON (`read` gets the parsed value) or a page (`read` gets its text). Default `json`. */
  readonly expect?: Expected;
  /** A JSON body, sent with POST; GET if absent. */
  readonly post?: unknown;
  /** In addition to the book's own. */
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * Called with the headers of every reply, including refusals and those whose body fails: a metered source reports
   * there what the call cost.
   */
  readonly onHeaders?: (header: (name: string) => string | null) => void;
  /**
   * The source's own code in the JSON body of a refusal; null if there is none. Absent: the bodies of refusals are not
   * read.
   */
  readonly codeOf?: (body: unknown) => string | null;
}

export interface Http {
  get<T>(options: GetOptions<T>): Promise<HttpReply<T>>;
}

const EIGHT_MEGABYTES = 8 * 1024 * 1024;
const MAX_SOCKETS = 16;

/** Shared by the calls to one book. */
interface Book {
  readonly base: string;
  readonly agent: Agent;
  readonly headers: Readonly<Record<string, string>>;
  readonly validators: Validators;
  readonly lastReads: LastReads;
  readonly timeoutMs: number;
  readonly maxBytes: number;
  readonly now: () => number;
  readonly gate: FeedGate | undefined;
}

export function createHttp({
  endpoint,
  headers,
  now,
  maxBytes = EIGHT_MEGABYTES,
  maxValidators = 4096,
}: HttpOptions): Http {
  const book: Book = {
    base: endpoint.baseUrl.replace(/\/+$/, ''),
    agent: new Agent({ connections: MAX_SOCKETS, keepAliveTimeout: 30_000, headersTimeout: 0, bodyTimeout: 0 }),
    headers: {
      accept: 'application/json',
      'accept-encoding': 'gzip, br',
      'user-agent': `racing-odds-service (${endpoint.partner}; ${endpoint.contact})`,
      ...headers,
    },
    validators: createValidators(maxValidators),
    lastReads: createLastReads(),
    timeoutMs: endpoint.timeoutMs,
    maxBytes,
    now,
    gate: endpoint.gate,
  };
  return { get: (options) => get(book, options) };
}

async function get<T>(book: Book, options: GetOptions<T>): Promise<HttpReply<T>> {
  const entry = await book.gate?.enter(options.call?.urgency ?? 'usual');
  if (entry?.kind === 'refused') {
    return failed(book, entry.reason, 'nothing was sent', { retryAfterMs: entry.retryAfterMs });
  }
  const reply = await send(book, options);
  entry?.left(endOf(reply));
  return reply;
}

export function endOf<T>(reply: HttpReply<T>): CallEnd {
  if (reply.kind !== 'failed') return { failure: null, status: null, retryAfterMs: null, calledOff: false };
  const { reason, status = null, retryAfterMs, calledOff = false, detail } = reply;
  return { failure: reason, status, retryAfterMs, calledOff, detail };
}

async function send<T>(book: Book, options: GetOptions<T>): Promise<HttpReply<T>> {
  const url = book.base + options.path;
  const { whole, unstored, signal } = options.call ?? {};
  const etag = options.conditional && !whole && !unstored ? book.validators.get(url, book.now()) : null;
  try {
    const onHead = (head: ReplyHead): BodyBounds => {
      options.onHeaders?.((name) => header(head, name));
      const isRefusal = refusalIn(head, options) !== null;
      return { mostBytes: isRefusal ? REFUSAL_BYTES : book.maxBytes, isHeadEnough: isRefusal };
    };
    const request = requestOf(book, options, etag);
    const bounds = { withinMs: book.timeoutMs, signal, onHead };
    const reply = await wholeReply({ dispatcher: book.agent, url, ...bounds, ...request });
    if (reply.statusCode === 304 && etag !== null) return { kind: 'unchanged', observedAt: observedAt(book) };
    return await readReply(book, url, reply, options);
  } catch (error) {
    return networkFailure(book, error, signal);
  }
}

function requestOf<T>(book: Book, { headers, post, expect }: GetOptions<T>, etag: string | null) {
  const all: Record<string, string> = { ...book.headers, ...headers };
  if (expect === 'page') all.accept = 'text/html';
  if (etag !== null) all['if-none-match'] = etag;
  if (post === undefined) return { method: 'GET' as const, headers: all };
  return {
    method: 'POST' as const,
    headers: { ...all, 'content-type': 'application/json' },
    body: JSON.stringify(post),
  };
}

const refusalIn = <T>(head: ReplyHead, { expect = 'json' }: GetOptions<T>) =>
  refusalOf(head.statusCode, header(head, 'content-type'), expect);

async function readReply<T>(book: Book, url: string, reply: WholeReply, options: GetOptions<T>): Promise<HttpReply<T>> {
  const { codeOf } = options;
  const refusal = refusalIn(reply, options);
  if (refusal) {
    const code = codeOf?.(await refusalBody(reply));
    const retryAfter = retryAfterMs(header(reply, 'retry-after'), book.now());
    return failed(book, ...refusal, { retryAfterMs: retryAfter, status: reply.statusCode, ...(code && { code }) });
  }
  const value = await readValue(book, url, reply, options);
  if ('failed' in value) return failed(book, ...value.failed);
  if (!options.call?.unstored) keepValidator(book, url, header(reply, 'etag'));
  return { kind: 'ok', read: value.read, observedAt: observedAt(book) };
}

type Value<T> = { readonly read: T } | { readonly failed: readonly [FeedFailure, detail: string] };

async function readValue<T>(book: Book, url: string, reply: WholeReply, options: GetOptions<T>): Promise<Value<T>> {
  const { maxBytes, lastReads } = book;
  const { raw } = reply;
  if (raw === null) return { failed: ['too_large', `more than ${maxBytes} bytes`] };
  const encoding = header(reply, 'content-encoding');
  const readable = isReadOnce(reply, options) ? { raw, encoding, readOnce: options.readOnce! } : null;
  const last = readable && lastReads.get(url, readable);
  if (last != null) return { read: last as T };
  const body = await bodyOf(raw, encoding, maxBytes);
  const value = valueIn(body, maxBytes, options);
  if (readable && body.kind === 'text' && 'read' in value) lastReads.keep(url, readable, value.read, body.text.length);
  return value;
}

/** Of a book that sends ETags, most equal replies are a 304. */
const isReadOnce = <T>(reply: WholeReply, { readOnce, post, call }: GetOptions<T>): boolean =>
  readOnce !== undefined && post === undefined && !call?.onBody && header(reply, 'etag') === null;

function valueIn<T>(body: BodyRead, maxBytes: number, { expect = 'json', read, call }: GetOptions<T>): Value<T> {
  if (body.kind === 'too_large') return { failed: ['too_large', `more than ${maxBytes} bytes`] };
  if (body.kind === 'malformed') return { failed: ['malformed', body.detail] };
  const wall = expect === 'page' ? wallIn(body.text) : null;
  if (wall !== null) return { failed: ['blocked', `HTTP 200 with "${wall}"`] };
  call?.onBody?.(body.text);
  const value = expect === 'page' ? readPage(body.text, read) : readJson(body.text, read);
  return typeof value === 'string' ? { failed: ['malformed', value] } : value;
}

function keepValidator({ validators, now }: Book, url: string, etag: string | null): void {
  if (etag === null) validators.forget(url);
  else validators.keep(url, etag, now());
}

const REFUSAL_BYTES = 65_536;

/** Null if it is not JSON. */
async function refusalBody(reply: WholeReply): Promise<unknown> {
  if (reply.raw === null) return null;
  try {
    const body = await bodyOf(reply.raw, header(reply, 'content-encoding'), REFUSAL_BYTES);
    return body.kind === 'text' ? JSON.parse(body.text) : null;
  } catch {
    return null;
  }
}

const observedAt = (book: Book): Instant => new Date(book.now()).toISOString();

function failed(
  book: Book,
  reason: FeedFailure,
  detail: string,
  more: Partial<Pick<HttpFailure, 'retryAfterMs' | 'status' | 'code' | 'calledOff'>> = {},
): HttpFailure {
  return { kind: 'failed', reason, detail, retryAfterMs: null, observedAt: observedAt(book), ...more };
}

function header(reply: ReplyHead, name: string): string | null {
  const value = reply.headers[name];
  return (Array.isArray(value) ? value[0] : value) ?? null;
}

/** The detail if it cannot be read. An empty body with 200 happens (TAB) and is retried like any malformed reply. */
function readJson<T>(text: string, read: (body: unknown) => T | null): { read: T } | string {
  if (text.trim() === '') return 'empty body';
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return 'not JSON';
  }
  const value = read(body);
  return value === null ? 'not the documented reply' : { read: value };
}

function readPage<T>(text: string, read: (body: unknown) => T | null): { read: T } | string {
  if (text.trim() === '') return 'empty body';
  const value = read(text);
  return value === null ? 'not the documented page' : { read: value };
}

function networkFailure(book: Book, error: unknown, signal: AbortSignal | undefined): HttpFailure {
  const reason: unknown = signal?.aborted ? signal.reason : error;
  if (isTimeout(reason)) return failed(book, 'timeout', `no reply: ${reason.message}`);
  if (signal?.aborted) return failed(book, 'network', 'called off by the caller', { calledOff: true });
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'UND_ERR_CONNECT_TIMEOUT') return failed(book, 'timeout', 'no connection');
  return failed(book, 'network', code ?? message ?? 'unknown');
}
