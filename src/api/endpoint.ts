// One declaration per operation: from it come the types of the handler, the validation, the route and the OpenAPI document.
import type { Static, TObject, TProperties, TSchema } from '@sinclair/typebox';
import type { ErrorCode, InputProblem } from '../errors';
import type { Caller, Rights } from './access/caller';
import type { Audience } from './access/visibility';
import type { Reply } from './http/reply';
import type { BodyRules } from './input/body-rules';
import type { Services } from './services/services';

/** `key`: an X-API-Key is needed. `internal`: an operator's (D14). `none`: anybody. */
type Auth = 'key' | 'internal' | 'none';

/** What a handler is given: nothing of the transport, and of the caller only what all who are told the same have in common. */
export interface Call<Q = unknown, P = unknown, B = unknown> {
  readonly audience: Audience;
  readonly rights: Rights;
  /** Validated and defaulted, under the canonical names. */
  readonly query: Q;
  readonly params: P;
  readonly body: B;
  /** Racing time of this call, epoch milliseconds; of a GET, the whole second in which it was asked. */
  readonly nowMs: number;
  readonly services: Services;
}

/** What the plan of the caller must allow. Returns headers that say what was allowed and used, or throws a 403. */
export interface Gate<Q> {
  readonly text: string;
  readonly errors: readonly ErrorCode[];
  readonly headers: Readonly<Record<string, string>>;
  check(call: { caller: Caller; query: Q; nowMs: number; setHeader: (name: string, value: string) => void }): void;
}

/** Credits of a successful call; a function where the price depends on the request. `text` is the public sentence. */
export interface Cost<Q> {
  readonly text: string;
  credits(query: Q, caller: Caller): number;
}

/** What rules that no schema can say are given: only parameters that passed their schema. */
interface RuleContext {
  readonly audience: Audience;
  readonly nowMs: number;
  /** Canonical names that the caller sent. */
  readonly given: ReadonlySet<string>;
}

type StaticOf<T extends TProperties> = Static<TObject<T>>;

export interface EndpointSpec<Q extends TProperties, P extends TProperties, B extends TSchema, R extends TSchema> {
  readonly method: 'get' | 'post' | 'patch' | 'delete';
  /** OpenAPI form: `/v1/sports/{sport_key}/odds`. */
  readonly path: string;
  readonly operationId: string;
  readonly tag: string;
  readonly summary: string;
  readonly description: string;
  readonly auth: Auth;
  readonly cost: Cost<StaticOf<Q>>;
  readonly gate?: Gate<StaticOf<Q>>;
  /** Requests a minute from one address, where there is no key to count by. */
  readonly perMinutePerIp?: number;
  readonly query?: Q;
  readonly params?: P;
  readonly body?: B;
  /**
   * Its answer is never given to a later question and has no tag (D32: `changes`): one reading serves those who ask the same
   * within 25 ms of its beginning.
   */
  readonly neverCached?: true;
  /** Groups of which at most one may be sent. */
  readonly exclusive?: readonly (readonly string[])[];
  rules?(query: Partial<StaticOf<Q>>, context: RuleContext): readonly InputProblem[];
  readonly bodyRules?: BodyRules<Static<B>>;
  readonly ok: {
    readonly description: string;
    readonly schema: R;
    readonly example: Static<R>;
  };
  /** Refusals beyond those that every endpoint of its kind may answer. */
  readonly errors?: readonly ErrorCode[];
  handler(call: Call<StaticOf<Q>, StaticOf<P>, Static<B>>): Promise<Reply<Static<R>>>;
}

/** An endpoint whose types have been checked and are no longer needed: what `mount` and `openapi` hold in a list. */
// biome-ignore lint/complexity/noBannedTypes: {} is "no properties" to TypeBox.
export type Endpoint = EndpointSpec<{}, {}, TSchema, TSchema>;

// biome-ignore lint/complexity/noBannedTypes: {} is "no properties" to TypeBox.
type None = {};

/** Declares an operation. */
export function endpoint<
  R extends TSchema,
  Q extends TProperties = None,
  P extends TProperties = None,
  B extends TSchema = TSchema,
>(spec: EndpointSpec<Q, P, B, R>): Endpoint {
  // The one place where the types are let go: the route validates at run time what they said.
  return spec as unknown as Endpoint;
}

/** A price that is always the same. */
export function flat<Q>(credits: number): Cost<Q> {
  return { text: `${credits} ${credits === 1 ? 'credit' : 'credits'}`, credits: () => credits };
}
