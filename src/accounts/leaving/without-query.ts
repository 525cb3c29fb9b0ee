// The address of a webhook as its owner sees it.

/** A query may have a secret of the receiver. */
export function withoutQuery(text: string): string {
  const { origin, pathname, search } = new URL(text);
  return `${origin}${pathname}${search === '' ? '' : '?…'}`;
}
