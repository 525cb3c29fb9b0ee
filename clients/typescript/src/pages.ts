// Pages one after another: the next one as the header `Link` names it (RFC 8288).

/** The query of the next page, to be sent to the same path: the key goes nowhere else. Null: this was the last one. */
export function nextQueryOf(headers: Headers): Record<string, string> | null {
  const [, target] = /<([^<>]*)>\s*;\s*rel="?next"?/.exec(headers.get('Link') ?? '') ?? [];
  return target === undefined ? null : Object.fromEntries(new URL(target, 'http://localhost').searchParams);
}
