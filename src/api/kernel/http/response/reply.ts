// What a handler returns, independent of HTTP.
import type { Readable } from 'node:stream';
import type { PlayBill, PlayRecord } from '../../../../store/redis/paid-plays';
import type { Chunk } from './chunk';

interface ReplyFacts {
  /** The address of the next page, for an operation that declares `paged`; null: this is the last. */
  readonly next?: string | null;
  /** If the body has an age (D32). */
  readonly dataAgeSeconds?: number | null;
  /** The body has `cached: false`, which is true for this request only: it is never shared with another. */
  readonly forOneOnly?: boolean;
}

/**
 * A 200. `body` is still to be serialised. `bytes` is serialised JSON, and `tagged` the text that its ETag is computed
 * from: it differs whenever more than the ages of the body differ.
 */
type BodyReply<T> = ReplyFacts & ({ readonly body: T } | { readonly bytes: Buffer; readonly tagged: string });

/** A body, and headers that are known only once its work has started. */
export interface OpenedBody {
  readonly source: Readable;
  readonly headers: Readonly<Record<string, string>>;
}

/** A 200 whose body is generated while it is sent; it is shared with no other request. */
export interface StreamedReply {
  /** Starts the work: not called for HEAD. */
  open(): Readable | OpenedBody | Promise<Readable | OpenedBody>;
  /** Default: 200. */
  readonly status?: 200 | 206;
  /** Media type. */
  readonly type: string;
  /** Bytes, if known. */
  readonly length?: number;
  /** The name under which a browser saves it. */
  readonly fileName?: string;
  /** Default: `no-store`. */
  readonly cacheControl?: string;
  /** May be sent with gzip. */
  readonly compressible?: true;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A 303, for an operation that declares `redirects`. */
interface RedirectReply {
  readonly location: string;
}

/** A version of a stored file, of which a request gets a part or the whole. */
export interface FileReply {
  /** The version's: it never changes. */
  readonly name: string;
  readonly sha256: string;
  readonly bytes: number;
  readonly type: string;
  /** The name under which a browser saves it. */
  readonly fileName: string;
  /** `end` is exclusive. Null: the file is missing. */
  open(range: ByteRange): Promise<Readable | null>;
}

export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** Receives the events of a stream. */
export interface Sink {
  /**
   * The stream's events, in order. Those that come before the opening is sent follow it. `framed`: the same bytes in
   * the frame of an HTTP chunk. Returns true if it needs neither any more: both may then be overwritten.
   */
  event(bytes: Buffer, framed?: Buffer): unknown;
  /** Nothing more comes. */
  lost(): void;
}

export interface OpenedStream {
  /** The first events. */
  readonly opening: readonly Buffer[];
  /** For when nothing else is sent. */
  heartbeat(): Chunk;
  leave(): void;
}

export interface StreamStart {
  /** The id that the client sent. */
  readonly lastEventId: string | null;
  /** The id of this connection, which the ids of its events name. */
  readonly connection: string;
}

/** A 200 of server-sent events, for an operation that declares `sendsEvents`. */
export interface EventsReply {
  /** Starts the work: not called for HEAD. */
  follow(start: StreamStart, sink: Sink): Promise<OpenedStream>;
}

/** One event of the past. */
export interface PlayedEvent {
  readonly event: string;
  /** JSON. */
  readonly data: string;
  /** Where the client goes on after it. Up to their first space, ids sort in their order. */
  readonly id?: string;
}

/** What a client asks for: nothing is counted yet. */
export interface PlayRequest {
  /** The id that the client sent, and its play; null: it sent none. */
  readonly earlier: { readonly play: string; readonly id: string } | null;
  /** Equal for equal filters, and too long to be found for others. */
  readonly filters: string;
  /** Where the id goes on, epoch milliseconds; null: from the first event on. */
  readonly fromMs: number | null;
  /** No replay with an event costs less. */
  readonly leastCredits: number;
  /** Counts what is played. `before`: what was paid for. */
  open(before: Omit<PlayRecord, 'filters'>): Promise<OpenedPlay>;
}

export interface OpenedPlay {
  /** The credits of each race that is sent, from where it is paid on. */
  readonly bill: PlayBill;
  /** The id of the place before the first event: for a client whose connection breaks before it has another. */
  beginId(play: string): string;
  /** `play` is in every id. Nothing is read before the first batch is asked for, and a caller that stops ends it. */
  events(play: string, signal: AbortSignal): AsyncGenerator<readonly PlayedEvent[]>;
}

/** A 200 of events of the past, for an operation that declares `sendsEvents`: charged once, ahead (D69). */
export interface PlayedReply {
  /** Default: by `Accept`. */
  readonly format?: PlayFormat;
  /** As a parameter of the address. */
  readonly lastEventId?: string;
  /** Not called for HEAD. Throws `validation` if the id is not one of this replay. */
  play(lastEventId: string | null): PlayRequest;
}

export type PlayFormat = 'sse' | 'ndjson';

export type Reply<T> = BodyReply<T> | StreamedReply | FileReply | EventsReply | PlayedReply | RedirectReply;

export const isFile = <T>(reply: Reply<T>): reply is FileReply => 'sha256' in reply;

export const isEvents = <T>(reply: Reply<T>): reply is EventsReply => 'follow' in reply;

export const isPlayed = <T>(reply: Reply<T>): reply is PlayedReply => 'play' in reply;

export const isStreamed = <T>(reply: Reply<T>): reply is StreamedReply => 'open' in reply && !isFile(reply);
