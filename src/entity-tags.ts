// The one reading of `If-None-Match`, for pages, files and operations: one pass over the header, whatever it has.

/**
 * Whether an `If-None-Match` names the entity tag, compared weakly (RFC 9110 8.8.3.2, 13.1.2). `sent` undefined: the
 * request has none. Koa's own `fresh` cannot be used: it obeys the `Cache-Control: no-cache` that `fetch` adds to every
 * conditional request.
 */
export function namesTag(sent: string | undefined, tag: string): boolean {
  if (!sent) return false;
  const wanted = opaque(tag);
  return sent.split(',').some((item) => {
    const one = item.trim();
    return one === '*' || opaque(one) === wanted;
  });
}

const opaque = (tag: string): string => (tag.startsWith('W/') ? tag.slice(2) : tag);
