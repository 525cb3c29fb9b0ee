// The one error edge: everything thrown below it, and an unknown route, becomes RFC 9457 problem+json (D5).
// A 500 never shows a message, a stack or SQL: they are logged with the request id.
import type { Context, Middleware } from 'koa';
import {
  AppError,
  databaseAway,
  type ErrorCode,
  ExpectedRefusal,
  PROBLEMS,
  type ProblemExtensions,
  slugOf,
} from '../../../errors';
import { SECURITY_HEADERS } from '../../../security-headers';
import { isUnreachable } from '../../../store/pg/unreachable';
import { ClientGone } from './client-gone';
import { compressResponse } from './compression';
import { sentPath } from './request-head';

export interface ProblemLog {
  error(fields: object, message: string): void;
}

/** Notes what callers were refused. */
interface Refusals {
  note(ctx: Context, refusal: AppError): void;
}

export interface ProblemBody extends ProblemExtensions {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly code: ErrorCode;
  readonly request_id: string;
}

export function problemEdge(baseUrl: string, log: ProblemLog, { note }: Refusals): Middleware {
  return async (ctx, next) => {
    try {
      await next();
      if (ctx.status === 404 && ctx.body == null) {
        throw new AppError('not_found', `There is no resource at ${sentPath(ctx)}.`);
      }
    } catch (error) {
      if (error instanceof ClientGone) {
        ctx.respond = false;
        return;
      }
      const refusal = refusalOf(ctx, error, log);
      note(ctx, refusal);
      writeProblem(ctx, refusal, baseUrl);
      await compressResponse(ctx);
    }
  };
}

/** Logs failures that are not the client's. Rethrows `ClientGone`. */
export function refusalOf(ctx: Context, error: unknown, log: ProblemLog): AppError {
  if (error instanceof ClientGone) throw error;
  const refusal = appErrorOf(error);
  if (refusal.status >= 500 && !(refusal instanceof ExpectedRefusal))
    log.error({ err: error, requestId: requestIdOf(ctx), path: sentPath(ctx) }, 'request failed');
  return refusal;
}

function appErrorOf(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (!isUnreachable(error)) return new AppError('internal', 'An internal error occurred.');
  return databaseAway();
}

function writeProblem(ctx: Context, error: AppError, baseUrl: string): void {
  const { retry_after_seconds: retryAfter } = error.extensions;
  if (retryAfter !== undefined) ctx.set('Retry-After', String(Math.ceil(retryAfter)));
  // A problem is data, even if a document had begun.
  for (const name of ['ETag', 'X-Data-Age-Seconds', 'Content-Encoding', ...SECURITY_HEADERS]) ctx.remove(name);
  ctx.set('Cache-Control', 'no-store');
  // RFC 9110 15.5.2: a 401 names the scheme.
  if (error.status === 401) ctx.set('WWW-Authenticate', 'ApiKey realm="racing-odds"');
  ctx.set({ ...error.headers });
  ctx.status = error.status;
  ctx.body = JSON.stringify(problemBody(error, requestIdOf(ctx), baseUrl));
  ctx.type = 'application/problem+json';
}

export function problemBody(error: AppError, requestId: string, baseUrl: string): ProblemBody {
  return {
    type: `${baseUrl}/errors/${slugOf(error.code)}`,
    title: PROBLEMS[error.code].title,
    status: error.status,
    detail: error.message,
    code: error.code,
    request_id: requestId,
    ...error.extensions,
  };
}

function requestIdOf(ctx: Context): string {
  return String(ctx.state.requestId);
}
