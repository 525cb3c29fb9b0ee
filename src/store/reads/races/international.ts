// What is served about races outside Australia and New Zealand (A 1, A 2.2): prices and identity. Registries do not
// cover them, and a book's statements about their conditions and runners are not checked against anything. A race of
// unknown country does not count as one.

/** Over `races r`. Null while the country is unknown. */
export const IS_INTERNATIONAL = `r.country NOT IN ('AU', 'NZ')`;

/** Over `races r`: null for an international race. */
export const domestic = (value: string): string => `CASE WHEN ${IS_INTERNATIONAL} THEN NULL ELSE ${value} END`;

/** Columns of `races r`, null for an international race. */
export const domesticColumns = (...names: readonly string[]): string =>
  names.map((name) => `${domestic(`r.${name}`)} AS ${name}`).join(', ');
