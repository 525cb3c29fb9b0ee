// The one interface that every polled book implements. A connector speaks the book's wire format and nothing else:
// it never stores, never compares books, never throws for what a book does wrong (it returns `failed` with a reason).
import type { BookListing, BookSnapshot } from '../domain/race/feed-race';
import type { Day, Instant } from '../domain/race/race';

/** Rows or values a connector refused, by reason (`price_not_above_1`, `race_number_0`, …). Everything dropped is counted. */
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
  /** Ours, not the book's: the shared budget is spent, the breaker is open. Nothing was sent. */
  | 'over_budget'
  | 'breaker_open'
  /** Ours too: it came whole and is not believed. It names another race's runners, or the book has said something newer before. */
  | 'another_race'
  | 'out_of_order';

/**
 * Every reply says when we received it (`observedAt`, our clock) and, where the book stamps its replies, the book's own time.
 * `unchanged` is a 304: what we hold is fresh as of `observedAt`.
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
    };

/** `near`: inside two minutes of the jump; `idle`: lists, the card tier, results. */
export type Urgency = 'near' | 'usual' | 'idle';

export interface FeedCall {
  /** Aborts the HTTP call; a connector also has its own timeout. */
  readonly signal?: AbortSignal;
  /** How much the answer is worth: when the budget runs short, races near the jump are asked first. Default `usual`. */
  readonly urgency?: Urgency;
  /** The caller does not hold the last reply (a new holder, a failed save): no conditional request, so never `unchanged`. */
  readonly whole?: boolean;
}

export interface Feed {
  readonly bookmakerKey: string;
  /** Every race the book lists for one Sydney day, all codes. */
  listRaces(day: Day, call?: FeedCall): Promise<FeedReply<readonly BookListing[]>>;
  /** One race: prices, market state, scratchings, and the outcome once there is one. */
  fetchRace(sourceRaceId: string, call?: FeedCall): Promise<FeedReply<BookSnapshot>>;
  /** Where one call of the book answers for many races. */
  readonly bulk?: BulkFeed;
}

export interface BulkFeed {
  /** Most races in one `fetchRaces`. */
  readonly maxRaces: number;
  /** One reply per id asked, whatever the book left out (`not_found`); a failed call fails every race that was in it. */
  fetchRaces(sourceRaceIds: readonly string[], call?: FeedCall): Promise<ReadonlyMap<string, FeedReply<BookSnapshot>>>;
}

/** How a call to a book ended, as far as its gate must know. */
export interface CallEnd {
  /** Null: a reply that could be read, whatever it means. */
  readonly failure: FeedFailure | null;
  /** Of the reply; null when there was none. */
  readonly status: number | null;
  readonly retryAfterMs: number | null;
  /** We ended it ourselves before there was a reply: it says nothing of the book. */
  readonly calledOff: boolean;
}

/** Stands before every HTTP call to one book: the budget that all workers share, and the breaker. */
export interface FeedGate {
  /** A refusal is ours and nothing was sent. Whoever may go says once, through `left`, how the call ended. */
  enter(urgency: Urgency): Promise<Entry>;
}

export type Entry =
  | { readonly kind: 'go'; left(end: CallEnd): void }
  | { readonly kind: 'refused'; readonly reason: 'over_budget' | 'breaker_open'; readonly retryAfterMs: number };

/** The address of one book, from configuration: the simulator by default, the real host for who has the right to it. */
export interface FeedEndpoint {
  readonly baseUrl: string;
  /** Who we are, sent as the book asks for it (`From`, `X-Partner`, User-Agent). */
  readonly contact: string;
  readonly partner: string;
  readonly timeoutMs: number;
  /** What only this book needs and may change without notice (Unibet's query hashes). Absent, or a name absent: as documented. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Absent: nothing stands before the calls (tests of a connector alone). */
  readonly gate?: FeedGate;
}
