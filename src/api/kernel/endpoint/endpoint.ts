// One declaration per operation, from which the handler's types, the validation, the route and the OpenAPI document are
// derived.
import type { Static, TObject, TProperties, TSchema } from '@sinclair/typebox';
import type { Session } from '../../../accounts/visitor';
import type { ErrorCode, InputProblem } from '../../../errors';
import type { RightName } from '../../../plans/rights';
import type { Column } from '../../../row-files/columns';
import type { Reply } from '../http/response/reply';
import type { RowFormat } from '../http/response/rows';
import type { Browser } from '../session/browser';
import type { Account, Auth } from './auth';
import type { BodyRules } from './body-rules';
import type { Caller, Rights } from './caller';
import type { SetHeader } from './meter';
import type { Audience } from './visibility';

/**
 * The input of a handler: nothing about HTTP, and about the caller only what all callers that share the response have
 * in common.
 */
export interface Call<Q = unknown, P = unknown, B = unknown, N = unknown> {
  readonly audience: Audience;
  readonly rights: Rights;
  /** Validated and defaulted, under the canonical names. */
  readonly query: Q;
  readonly params: P;
  readonly body: B;
  /** Race time of this call, epoch milliseconds; for a GET, rounded down to the second. */
  readonly nowMs: number;
  /** Only for operations with `ofAccount`; null for all others, and for a request with a session. */
  readonly caller: Caller | null;
  /** Only for operations with `ofAccount`: of the key or the session. */
  readonly account: Account | null;
  readonly session: Session | null;
  /** Only for operations with `ofAccount`. */
  readonly browser: Browser | null;
  /** Only for operations that take one; null: none was sent. */
  readonly idempotencyKey: string | null;
  /** Only for operations with `pushedBook`; null for all others: aborted when the client has left. */
  readonly gone: AbortSignal | null;
  /** The services that the operation is bound to. */
  readonly services: N;
}

/** A call as its gate and its cost see it. */
interface Judged<Q, P, B> {
  readonly caller: Caller;
  readonly query: Q;
  readonly params: P;
  readonly body: B;
}

interface GateCall<Q, P, B, N> extends Judged<Q, P, B> {
  readonly nowMs: number;
  readonly setHeader: SetHeader;
  /** Public address of the API, without a trailing slash. */
  readonly baseUrl: string;
  readonly services: N;
}

/**
 * What the caller's plan must allow. `check` sets headers that report the limit and its use, or throws a 403; it may
 * wait for sample rows.
 */
export interface Gate<Q, P = unknown, B = unknown, N = unknown> {
  /** From the plan table. */
  readonly right?: RightName;
  readonly text: string;
  readonly errors: readonly ErrorCode[];
  readonly headers: Readonly<Record<string, string>>;
  /** Not every caller gets these headers. */
  readonly headersOfSome?: true;
  readonly check: (call: GateCall<Q, P, B, N>) => void | Promise<void>;
}

/** The credits of a successful call, which may depend on the request. `text` is the public sentence. */
export interface Cost<Q, P = unknown, B = unknown> {
  readonly text: string;
  /** Only if it does not depend on the request. */
  readonly constant?: number;
  credits(call: Judged<Q, P, B>): number;
}

/** The context of rules that a schema cannot express. */
interface RuleContext {
  readonly audience: Audience;
  readonly nowMs: number;
  /** Canonical names of the parameters that were sent. */
  readonly given: ReadonlySet<string>;
}

/** The groups of the reference. A new one needs a row in the table of scopes (`scopes.ts`). */
export type Tag =
  | 'Racing'
  | 'Racing Archive'
  | 'Bulk'
  | 'Sports'
  | 'Arbitrage'
  | 'Data Quality'
  | 'Health'
  | 'Account'
  | 'Billing'
  | 'Keys'
  | 'Widgets'
  | 'Webhooks'
  | 'Signup'
  | 'Session'
  | 'Sandbox'
  | 'Ingest'
  | 'Site';

type StaticOf<T extends TProperties> = Static<TObject<T>>;

export interface EndpointSpec<Q extends TProperties, P extends TProperties, B extends TSchema, R extends TSchema, N> {
  readonly method: 'get' | 'post' | 'patch' | 'delete';
  /** OpenAPI form: `/v1/sports/{sport_key}/odds`. */
  readonly path: string;
  readonly operationId: string;
  readonly tag: Tag;
  readonly summary: string;
  readonly description: string;
  readonly auth: Auth;
  /**
   * The path parameter with the book whose prices are pushed: a pusher's key of that book may call the operation.
   * Default: no pusher's key may.
   */
  readonly pushedBook?: string;
  /**
   * Pushes per minute of one book, by all keys together, checked with the limits before the body is read. Default: not
   * limited.
   */
  readonly pushesPerMinute?: number;
  readonly cost: Cost<StaticOf<Q>, StaticOf<P>, Static<B>>;
  readonly gate?: Gate<StaticOf<Q>, StaticOf<P>, Static<B>, N>;
  /**
   * Requests per minute from one address, shared by operations of one tag with the same number; for calls without a key
   * it replaces the limit that all such operations share.
   */
  readonly perMinutePerIp?: number;
  readonly query?: Q;
  readonly params?: P;
  readonly body?: B;
  /** A request may have no body: the handler then gets `undefined`. */
  readonly bodyOptional?: true;
  /**
   * The longest body, decompressed. Default: `USUAL_BODY_BYTES`. Its schema limits its depth and its number of values.
   */
  readonly bodyBytes?: number;
  /**
   * The response is not cached and has no tag (D32: `changes`); only equal queries within 25 ms share one.
   */
  readonly neverCached?: true;
  /**
   * The response depends on the account, or changes who is signed in: it is `no-store`, never shared with another
   * caller, and its handler gets the caller (D35).
   */
  readonly ofAccount?: true;
  /**
   * It changes the account or its keys, or opens a page that does: a replaced key may not call it during its last day
   * (D38).
   */
  readonly currentKeyOnly?: true;
  /** It takes the header `Idempotency-Key`: the same request under it is carried out once. */
  readonly idempotencyKey?: true;
  /**
   * Formats of rows in addition to JSON, selected by the parameter `format`, or without it by an `Accept` that names no
   * other types (D64).
   */
  readonly rowFormats?: readonly RowFormat[];
  /** Each page but the last names the next one in the header `Link`. */
  readonly paged?: true;
  /** Whether the response to this query is a stream: then it is not cached either. Default: never. */
  streamed?(query: StaticOf<Q>): boolean;
  /** The response is a stored file: it may be a 304 or a part, and is charged once per version and day (D47). */
  readonly servesFile?: true;
  /**
   * The response is a stream of server-sent events, which lasts as long as its client and its credits (D61). Its cost
   * is per started minute.
   */
  readonly sendsEvents?: true;
  /**
   * Groups of parameters of which at most one may be sent; a parameter that equals its own default counts as not sent
   * beside another.
   */
  readonly exclusive?: readonly (readonly string[])[];
  rules?(query: Partial<StaticOf<Q>>, context: RuleContext): readonly InputProblem[];
  readonly bodyRules?: BodyRules<Static<B>>;
  /** For an operation that may answer with a 303. */
  readonly redirects?: string;
  readonly ok: {
    /** 202 for a request that is only accepted. Only operations with `ofAccount` have it. Default: 200. */
    readonly status?: 202;
    readonly description: string;
    readonly schema: R;
    readonly example: Static<R>;
    /** Media types that a request may choose in addition to JSON; for a file, all of them. */
    readonly types?: readonly string[];
    /** Of the rows as CSV; `rows` of the example has them by name. */
    readonly columns?: readonly Column[];
  };
  /** Error codes beyond those of every endpoint of its kind. */
  readonly errors?: readonly ErrorCode[];
  readonly handler: (call: Call<StaticOf<Q>, StaticOf<P>, Static<B>, N>) => Promise<Reply<Static<R>>>;
}

// biome-ignore lint/complexity/noBannedTypes: {} is "no properties" to TypeBox.
type None = {};

/**
 * A declaration without the types of its input, as `mount` and `openapi` list them. `N`: the services it is bound to;
 * without it, any.
 */
export type Endpoint<N = never> = EndpointSpec<None, None, TSchema, TSchema, N>;

/** The services that these operations are bound to, together. */
export type NeedsOf<E extends readonly Endpoint[]> = E[number] extends Endpoint<infer N> ? N : never;

/**
 * Declares an operation: `endpoint<{ reads: Reads }>()({ … })`. `N` has the services that its handler and its gate get;
 * a server that lacks one of them does not compile.
 */
export const endpoint =
  <N = unknown>() =>
  <R extends TSchema, Q extends TProperties = None, P extends TProperties = None, B extends TSchema = TSchema>(
    spec: EndpointSpec<Q, P, B, R, N>,
  ): Endpoint<N> =>
    // The only place that discards the types: from here on, the route validates at run time.
    spec as unknown as Endpoint<N>;

/** Whether responses have an ETag and may be a 304 (D32). */
export const isTagged = ({ method, neverCached, ofAccount, servesFile, sendsEvents }: Endpoint): boolean =>
  method === 'get' && !neverCached && !ofAccount && !servesFile && !sendsEvents;

/** Whether a successful call may cost credits. */
export const isPriced = ({ cost }: Endpoint): boolean => cost.constant !== 0;

/** Whether a call may have an Idempotency-Key, under which its repeats are charged once (D68). */
export const isChargedOnce = (one: Endpoint): boolean =>
  one.method === 'get' && isPriced(one) && !one.servesFile && !one.sendsEvents;

/** A constant cost. */
export function flat<Q>(credits: number): Cost<Q> {
  return { text: `${credits} ${credits === 1 ? 'credit' : 'credits'}`, constant: credits, credits: () => credits };
}
