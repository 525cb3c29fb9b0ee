// Retry-After in both its forms (RFC 9110 10.2.3): seconds, or an HTTP date. Milliseconds of the clock that `nowMs` is read from.

const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/** Null when absent or unreadable; 0 when the date has passed. */
export function retryAfterMs(header: string | null, nowMs: number): number | null {
  const text = header?.trim() ?? '';
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
  if (!HTTP_DATE.test(text)) return null;
  return Math.max(0, Date.parse(text) - nowMs);
}
