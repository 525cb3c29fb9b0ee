// The interface that every polled book implements. A connector handles the book's wire format and nothing else:
// it never stores, never compares books, and never throws for what a book does wrong (it returns `failed` with a
// reason).
import type { BookListing, BookSnapshot } from '../domain/race/feed-race';
import type { Day, Instant } from '../domain/race/race';

/** Rows or values that a connector dropped, counted by reason (`price_not_above_1`, `race_number_0`, …). */
export type Dropped = Readonly<Record<string, number>>;

export type FeedFailure =
  | 'timeout'
  | 'network'
  | 'rate_limited'
  | 'blocked'
  | 'http_error'
  | 'not_found'
  | 'wrong_content_type'
  | 'malformed'
  | 'too_large'
  /** Our own refusals, before anything is sent: the shared budget is spent, or the breaker is open. */
  | 'over_budget'
  | 'breaker_open'
  /**
   * Our own refusals of a complete reply: it names another race's runners, or is older than a reply already received.
   */
  | 'another_race'
  | 'out_of_order';

/**
 * Every reply carries when we received it (`observedAt`, our clock) and, if the book stamps its replies, the book's own
 * time. `unchanged` is a 304: our last reply is still current as of `observedAt`.
 */
export type FeedReply<T> =
  | {
      readonly kind: 'ok';
      readonly value: T;
      readonly observedAt: Instant;
      readonly bookAt: Instant | null;
      readonly dropped: Dropped;
    }
  | { readonly kind: 'unchanged'; readonly observedAt: Instant }
  | {
      readonly kind: 'failed';
      readonly reason: FeedFailure;
      readonly detail: string;
      readonly retryAfterMs: number | null;
      readonly observedAt: Instant;
      /** A registry's door refused the call. */
      readonly notSent?: true;
    };

/** `near`: inside two minutes of the jump; `idle`: lists, the card tier, results. */
export type Urgency = 'near' | 'usual' | 'idle';

export interface FeedCall {
  /** Aborts the HTTP call; a connector also has its own timeout. */
  readonly signal?: AbortSignal;
  /** When the budget runs short, races near the jump are polled first. Default `usual`. */
  readonly urgency?: Urgency;
  /** The caller lacks the last reply (a new poller, a failed save): no conditional request, so never `unchanged`. */
  readonly whole?: boolean;
  /**
   * The caller stores nothing of the reply: it arrives whole and leaves no ETag, because a 304 to that ETag would stand
   * for a stored reply.
   */
  readonly unstored?: boolean;
  /** Receives the text of every body of the call unchanged, before it is mapped. */
  readonly onBody?: (text: string) => void;
}

export interface Feed {
  readonly bookmakerKey: string;
  /** Every race the book lists for one Sydney day, all codes. */
  listRaces(day: Day, call?: FeedCall): Promise<FeedReply<readonly BookListing[]>>;
  /** One race: prices, market state, scratchings, and the result once there is one. */
  fetchRace(sourceRaceId: string, call?: FeedCall): Promise<FeedReply<BookSnapshot>>;
  /** Set if one call of the book returns many races. */
  readonly bulk?: BulkFeed;
}

export interface BulkFeed {
  /** The most races in one `fetchRaces`. */
  readonly maxRaces: number;
  /** One reply per requested id, even if the book left it out (`not_found`); a failed call fails every race in it. */
  fetchRaces(sourceRaceIds: readonly string[], call?: FeedCall): Promise<ReadonlyMap<string, FeedReply<BookSnapshot>>>;
}

/** How a call to a book ended, for its gate. */
export interface CallEnd {
  /** Null if the reply could be read, whatever it means. */
  readonly failure: FeedFailure | null;
  /** The reply's status; null without a reply. */
  readonly status: number | null;
  readonly retryAfterMs: number | null;
  /** We cancelled the call before a reply: it proves nothing about the book. */
  readonly calledOff: boolean;
  /** For a failure: the answer. */
  readonly detail?: string;
}

/** Every HTTP call to one book passes it first: the budget that all workers share, and the breaker. */
export interface FeedGate {
  /** If it refuses, nothing was sent. After `go` the caller must report once, through `left`, how the call ended. */
  enter(urgency: Urgency): Promise<Entry>;
}

export type Entry =
  | { readonly kind: 'go'; left(end: CallEnd): void }
  | { readonly kind: 'refused'; readonly reason: 'over_budget' | 'breaker_open'; readonly retryAfterMs: number };

/**
 * The address of one book, from configuration: the simulator by default, the real host for operators with the right to
 * it.
 */
export interface FeedEndpoint {
  readonly baseUrl: string;
  /** Our identification, in the form that the book wants (`From`, `X-Partner`, User-Agent). */
  readonly contact: string;
  readonly partner: string;
  readonly timeoutMs: number;
  /**
   * Settings of this book only, which may change without notice (Unibet's query hashes). Absent names use the
   * documented value.
   */
  readonly settings?: Readonly<Record<string, string>>;
  /** Absent in tests of a connector without its gate. */
  readonly gate?: FeedGate;
}
