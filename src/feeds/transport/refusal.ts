// Detects a book's refusal: by its status, by a page in place of data, or by a wall that comes as a page with HTTP 200.
// Reads its Retry-After.
import type { FeedFailure } from '../feed';

export type Expected = 'json' | 'page';

/** Null if the body may be read. */
export function refusalOf(
  status: number,
  contentType: string | null,
  expect: Expected,
): [reason: FeedFailure, detail: string] | null {
  if (status === 429) return ['rate_limited', 'HTTP 429'];
  if (status === 403) return ['blocked', 'HTTP 403'];
  if (status === 404) return ['not_found', 'HTTP 404'];
  if (status !== 200) return ['http_error', `HTTP ${status}`];
  const type = contentType?.split(';')[0]?.trim().toLowerCase() ?? '';
  if (expect === 'page') return type === 'text/html' ? null : ['wrong_content_type', type.slice(0, 80)];
  // A page in place of data with HTTP 200 is a wall: Akamai blocks addresses outside Australia in this way.
  if (type === 'text/html') return ['blocked', 'HTTP 200 with a page'];
  if (type !== '' && !/^application\/(.+\+)?json$/.test(type)) return ['wrong_content_type', type.slice(0, 80)];
  return null;
}

/** Titles that Cloudflare, Akamai and the books themselves use. */
const WALL = /just a moment|are you (a )?human|access denied|attention required/i;

/** The head of a wall's page is short. */
const HEAD = 20_000;

/** The wall's title, for books whose valid replies are pages too; null if the page is not a wall. */
export function wallIn(html: string): string | null {
  const title = /<title[^>]{0,200}>([^<]{0,200})/i.exec(html.slice(0, HEAD))?.[1] ?? '';
  return WALL.test(title) ? title.trim().slice(0, 80) : null;
}

const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/**
 * Retry-After in both its forms (RFC 9110 10.2.3), seconds or an HTTP date, in milliseconds from `nowMs`. Null if
 * absent or unreadable; 0 if the date has passed.
 */
export function retryAfterMs(header: string | null, nowMs: number): number | null {
  const text = header?.trim() ?? '';
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
  if (!HTTP_DATE.test(text)) return null;
  return Math.max(0, Date.parse(text) - nowMs);
}
