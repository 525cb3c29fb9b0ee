// The outcome of an attempt: by the receiver's status, or by the error before there was one. Pure.
import { AddressRefused } from './address/guarded-lookup';
import { NameNotFound } from './address/resolver';

export interface Answer {
  readonly statusCode: number;
  readonly retryAfter: string | undefined;
}

const DAY_MS = 86_400_000;
const SLOW = [429, 502, 504];

export function judge({ statusCode, retryAfter }: Answer, at: Date) {
  const delivered = statusCode >= 200 && statusCode < 300;
  const retryAfterMs = delivered ? null : waitOf(retryAfter, at);
  return {
    delivered,
    statusCode,
    error: delivered ? null : statusText(statusCode),
    retryAfterMs,
    gone: statusCode === 410,
    slow: SLOW.includes(statusCode) || retryAfterMs !== null,
  };
}

function statusText(statusCode: number): string {
  const isRedirect = statusCode >= 300 && statusCode < 400;
  return `The receiver responded with status ${statusCode}${isRedirect ? '; redirects are not followed' : ''}.`;
}

/** Seconds or a date; a day at most. */
function waitOf(retryAfter: string | undefined, at: Date): number | null {
  const text = retryAfter?.trim() ?? '';
  const waitMs = /^\d{1,15}$/.test(text) ? Number(text) * 1000 : dateOf(text) - at.getTime();
  return Number.isNaN(waitMs) ? null : Math.min(DAY_MS, Math.max(0, waitMs));
}

/** `Sun, 06 Nov 1994 08:49:37 GMT`, the only form that is still sent. */
const dateOf = (text: string): number =>
  /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/.test(text) ? Date.parse(text) : Number.NaN;

const TEXTS: readonly (readonly [RegExp, string])[] = [
  [/^ECONNREFUSED$/, 'The connection was refused.'],
  [/^(ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT|UND_ERR_ABORTED)$/, 'The receiver did not respond in time.'],
  [/^(ENETUNREACH|EHOSTUNREACH|EADDRNOTAVAIL)$/, 'The receiver cannot be reached.'],
  [/^CERT_HAS_EXPIRED$/, 'The certificate of the receiver has expired.'],
  [/^ERR_TLS_CERT_ALTNAME_INVALID$/, 'The certificate of the receiver is for another name.'],
  [/CERT|SELF_SIGNED|UNABLE_TO_|CRL/, 'The certificate of the receiver is not trusted.'],
  [/SSL|TLS|EPROTO/, 'A TLS connection could not be made.'],
  [/^(HTTPParserError|HPE_\w+|UND_ERR_HEADERS_OVERFLOW|UND_ERR_INFO)$/, 'The response was not HTTP.'],
  [/^(ECONNRESET|EPIPE|UND_ERR_SOCKET)$/, 'The connection was closed before a response.'],
];

/** A sentence for the owner of the webhook, without the error's own text, which may name addresses. */
export function failureText(error: unknown, isLate: boolean): string {
  if (isLate) return 'The receiver did not respond in time.';
  if (error instanceof AddressRefused) return 'The URL is not allowed: its host is not a public address.';
  if (error instanceof NameNotFound) return 'The host of the URL has no address.';
  const code = codeOf(error);
  return TEXTS.find(([pattern]) => pattern.test(code))?.[1] ?? 'The connection failed.';
}

/** An error of several addresses has one per address. */
function codeOf(error: unknown): string {
  const { code, errors, cause, name } = (error ?? {}) as {
    readonly [key in 'code' | 'name']?: string;
  } & { readonly errors?: readonly unknown[]; readonly cause?: unknown };
  if (code !== undefined) return code;
  if (errors?.length) return codeOf(errors[0]);
  return cause ? codeOf(cause) : (name ?? '');
}
