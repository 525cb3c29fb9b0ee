// The next page of a list: its address, and the header `Link` that names it (RFC 8288).

type Query = Readonly<Record<string, unknown>>;

/** `address` with the parameters of this page, some of them changed; undefined removes one. */
export function pageAddress(address: string, query: object, changes: Query): string {
  const sent = new URLSearchParams();
  for (const [name, value] of Object.entries({ ...query, ...changes }))
    if (value !== undefined) sent.set(name, String(value));
  return `${address}?${sent}`;
}

interface OffsetQuery {
  readonly limit: number;
  readonly offset: number;
}

/**
 * The page after these rows, by `offset`. `total`: of all pages; null: of rows from the offset on, one more than
 * `limit` was read.
 */
export function pageByOffset<T>(address: string, query: OffsetQuery, found: readonly T[], total: number | null = null) {
  const rows = found.slice(0, query.limit);
  const offset = query.offset + rows.length;
  const isLast = rows.length === 0 || (total === null ? found.length <= query.limit : offset >= total);
  return { rows, next: isLast ? null : pageAddress(address, query, { offset }) };
}

/** This many rows show whether there is a next page. */
export const oneMore = <Q extends OffsetQuery>(query: Q): Q => ({ ...query, limit: query.limit + 1 });

export const linkTo = (next: string): string => `<${next}>; rel="next"`;
