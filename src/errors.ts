// The table of problems (D5), from which the API's error responses and the OpenAPI document are built. Imports nothing.

interface Problem {
  readonly status: number;
  /** Constant per type (RFC 9457). */
  readonly title: string;
  /** Whether the same request may succeed later without being changed. */
  readonly retryable: boolean;
}

export const PROBLEMS = {
  bad_request: { status: 400, title: 'Malformed request', retryable: false },
  undeliverable_address: { status: 400, title: 'Address cannot receive mail', retryable: false },
  disposable_address: { status: 400, title: 'Address of a throw-away mailbox', retryable: false },
  unauthorized: { status: 401, title: 'Missing or invalid API key', retryable: false },
  payment_required: { status: 402, title: 'Credit allowance used up', retryable: false },
  plan_required: { status: 403, title: 'Not included in your plan', retryable: false },
  horizon_exceeded: { status: 403, title: 'Beyond the forward horizon of your plan', retryable: false },
  archive_window: { status: 403, title: 'Outside the archive window of your plan', retryable: false },
  ip_not_allowed: { status: 403, title: 'IP address not on the allow-list of this key', retryable: false },
  scope_required: { status: 403, title: 'Outside the scopes of this key', retryable: false },
  origin_not_allowed: { status: 403, title: 'Site not allowed for this widget', retryable: false },
  not_found: { status: 404, title: 'Not found', retryable: false },
  race_not_on_board: { status: 404, title: 'Race not on the live board', retryable: false },
  match_not_open: { status: 404, title: 'Match not open for betting', retryable: false },
  method_not_allowed: { status: 405, title: 'Method not allowed', retryable: false },
  not_acceptable: { status: 406, title: 'Format not served', retryable: false },
  request_timeout: { status: 408, title: 'Request not received in time', retryable: true },
  conflict: { status: 409, title: 'Conflict', retryable: false },
  race_ambiguous: { status: 409, title: 'More than one race matches', retryable: false },
  gone: { status: 410, title: 'No longer available', retryable: false },
  payload_too_large: { status: 413, title: 'Body too large', retryable: false },
  unsupported_media_type: { status: 415, title: 'Unsupported media type', retryable: false },
  range_not_satisfiable: { status: 416, title: 'Range beyond the end of the file', retryable: false },
  validation: { status: 422, title: 'Invalid input', retryable: false },
  rate_limit: { status: 429, title: 'Rate limit exceeded', retryable: true },
  internal: { status: 500, title: 'Internal error', retryable: true },
  upstream_failure: { status: 502, title: 'Upstream read failed', retryable: true },
  unavailable: { status: 503, title: 'Unavailable', retryable: true },
  store_filling: { status: 503, title: 'Data still loading', retryable: true },
} as const satisfies Record<string, Problem>;

export type ErrorCode = keyof typeof PROBLEMS;

/** One error of a request: where, what, and which values are valid. */
export interface InputProblem {
  readonly parameter?: string;
  /** JSON pointer into the body. */
  readonly pointer?: string;
  readonly detail: string;
  readonly valid_values?: readonly string[];
}

/** Members of the problem document beyond the standard ones (D5). */
export interface ProblemExtensions {
  readonly errors?: readonly InputProblem[];
  readonly required_plan?: string;
  readonly upgrade_url?: string;
  /** The scope that a team key lacks. */
  readonly required_scope?: string;
  readonly sample?: readonly unknown[];
  readonly candidates?: readonly unknown[];
  readonly retry_after_seconds?: number;
  /** The address that was probably meant. */
  readonly suggestion?: string;
  /** Why a stream ends. */
  readonly reason?: 'replaced';
  /** The missing parts of a report (A 4.14). */
  readonly unavailable?: readonly { readonly name: string; readonly reason: string }[];
}

/**
 * A refusal with a reason. `detail` is a sentence that the customer may read: never a stack, SQL or an internal
 * address.
 */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly status: number;
  readonly retryable: boolean;

  constructor(
    readonly code: ErrorCode,
    detail: string,
    readonly extensions: ProblemExtensions = {},
    /** Response headers of this refusal. */
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(detail);
    this.status = PROBLEMS[code].status;
    this.retryable = PROBLEMS[code].retryable;
  }
}

/** An expected refusal, whatever its status: nothing is logged. */
export class ExpectedRefusal extends AppError {}

/** The URL segment of a problem's `type`: its code in kebab-case. */
export function slugOf(code: ErrorCode): string {
  return code.replaceAll('_', '-');
}

const DATABASE_RETRY_SECONDS = 5;

/** 503 while the database cannot be reached. */
export function databaseAway(detail = 'The database is unavailable.'): AppError {
  return new AppError('unavailable', detail, { retry_after_seconds: DATABASE_RETRY_SECONDS });
}

/** How many problems of one request are listed. */
export const MOST_PROBLEMS = 30;
/** The length of a problem's `detail`, which repeats the first problems as one text. */
const DETAIL_CHARACTERS = 2000;

/**
 * 422 with every problem found, not only the first (A 7: always free), up to a limit: then the last entry counts the
 * rest. `unlisted`: further problems found; null: a request so large that the search ended with the first.
 */
export function invalid(problems: readonly InputProblem[], unlisted: number | null = 0): AppError {
  const listed = problems.slice(0, MOST_PROBLEMS);
  const beyond = remaining(problems.length - listed.length, unlisted);
  const errors = beyond === null ? listed : [...listed, { detail: beyond }];
  return new AppError('validation', summaryOf(errors), { errors });
}

/** A sentence about the problems that are not listed; null: all are. */
function remaining(cut: number, unlisted: number | null): string | null {
  if (unlisted === null) return 'The body is large, so only its first problem is listed; there may be more.';
  const more = cut + unlisted;
  return more > 0 ? `The request has ${more} more problems, which are not listed.` : null;
}

/** As many of the sentences as there is room for, but at least the first. */
function summaryOf([first, ...others]: readonly InputProblem[]): string {
  let text = first!.detail;
  for (const [i, { detail }] of others.entries()) {
    if (text.length + detail.length > DETAIL_CHARACTERS) return `${text} See \`errors\` for ${others.length - i} more.`;
    text += ` ${detail}`;
  }
  return text;
}
