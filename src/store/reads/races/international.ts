// What is served of races outside Australia and New Zealand (A 1, A 2.2): prices and identity. Registries do not cover them, and what a book
// states of their conditions and runners is not checked against anything. A race of unknown country is not one of them.

/** Over `races r`. Null while the country is unknown. */
export const IS_INTERNATIONAL = `r.country NOT IN ('AU', 'NZ')`;

/** Columns of `races r`, null for an international race. */
export const domesticColumns = (...names: readonly string[]): string =>
  names.map((name) => `CASE WHEN ${IS_INTERNATIONAL} THEN NULL ELSE r.${name} END AS ${name}`).join(', ');
