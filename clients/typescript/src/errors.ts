// What a call can fail with. No text of an error has the key, a header or a query.
import type { Schemas } from './types.ts';

export type Problem = Schemas['Problem'];

/** Every error of this package. */
export abstract class OddsError extends Error {
  override get name(): string {
    return this.constructor.name;
  }
}

/** The service refused or failed, and its answer is a problem. Branch on `code`; show `detail` to people. */
export class ApiError extends OddsError {
  readonly status: number;
  /** Null if another server on the way answered, such as a proxy. */
  readonly code: Problem['code'] | null;
  readonly detail: string;
  readonly requestId: string | null;
  /** What is wrong with the request, part by part. */
  readonly errors: NonNullable<Problem['errors']>;
  readonly retryAfterSeconds: number | null;
  /** The cheapest plan that allows the request. */
  readonly requiredPlan: string | null;
  /** The whole body, or what is known of it. */
  readonly problem: Partial<Problem>;

  constructor(problem: Partial<Problem> & { readonly status: number }) {
    const { status, code = null, detail = `The answer was a ${status} without a problem.` } = problem;
    super(`${status} ${code ?? 'without a code'}: ${detail}`);
    this.status = status;
    this.code = code;
    this.detail = detail;
    this.requestId = problem.request_id ?? null;
    this.errors = problem.errors ?? [];
    this.retryAfterSeconds = problem.retry_after_seconds ?? null;
    this.requiredPlan = problem.required_plan ?? null;
    this.problem = problem;
  }
}

/** 400, 406, 415, 422: the request itself is wrong. */
export class InvalidRequestError extends ApiError {}
/** 401: no key, or one that the service does not know. */
export class AuthenticationError extends ApiError {}
/** 402: the credits of the month are used up. */
export class CreditsError extends ApiError {}
/** 403: the plan, the scope or the address does not allow the request. */
export class ForbiddenError extends ApiError {}
/** 404, 410. */
export class NotFoundError extends ApiError {}
/** 409: more than one race matches, the stream was replaced, or the state does not allow it. */
export class ConflictError extends ApiError {}
/** 429. */
export class RateLimitError extends ApiError {}
/** 5xx. */
export class UnavailableError extends ApiError {}

const BY_STATUS: Readonly<Record<number, typeof ApiError>> = {
  400: InvalidRequestError,
  401: AuthenticationError,
  402: CreditsError,
  403: ForbiddenError,
  404: NotFoundError,
  406: InvalidRequestError,
  409: ConflictError,
  410: NotFoundError,
  415: InvalidRequestError,
  422: InvalidRequestError,
  429: RateLimitError,
};

export function apiErrorOf(problem: Partial<Problem> & { readonly status: number }): ApiError {
  const Kind = BY_STATUS[problem.status] ?? (problem.status >= 500 ? UnavailableError : ApiError);
  return new Kind(problem);
}

/** No whole answer came: whether the call was made is unknown. */
export class ConnectionError extends OddsError {}
/** None came in time. */
export class TimeoutError extends ConnectionError {}
/** What came is not in the form of the service: sending the request again would not help. */
export class FormatError extends OddsError {}
/** A post that the service did not sign, or whose signature is too old. */
export class WebhookVerificationError extends OddsError {}

/** Whether the same request may succeed later: who follows or polls goes on. */
export const isTransient = (error: unknown): boolean =>
  error instanceof ConnectionError || (error instanceof ApiError && (error.status === 429 || error.status >= 500));
