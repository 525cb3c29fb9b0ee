// Writes rows of several tables in one statement, from columns, because a round trip each would take longer than the
// rows.
import type { ClientBase } from 'pg';

/** Column name, its type in PostgreSQL, and the value of a row. */
export type StoredColumn<R> = readonly [name: string, type: string, of: (row: R) => unknown];

/** A column with one value in all rows. */
export type Fixed = readonly [name: string, type: string, value: unknown];

export interface Insert {
  /** `$first` is its first value. */
  text(first: number): string;
  readonly values: readonly unknown[];
}

/** `conflict`: the clause after the rows. */
export function oneRow(table: string, columns: readonly Fixed[], conflict: string): Insert {
  const names = columns.map(([name]) => name).join(', ');
  return {
    text: (first) => `INSERT INTO ${table} (${names}) VALUES (${columns.map((_, i) => `$${first + i}`)}) ${conflict}`,
    values: columns.map(([, , value]) => value),
  };
}

/** `fixed` come before the columns. */
export function manyRows<R>(
  table: string,
  fixed: readonly Fixed[],
  columns: readonly StoredColumn<R>[],
  rows: readonly R[],
): Insert {
  const names = [...fixed, ...columns].map(([name]) => name).join(', ');
  return {
    text: (first) => {
      const constants = fixed.map(([, type], i) => `$${first + i}::${type}`).join(', ');
      const arrays = columns.map(([, type], i) => `$${first + fixed.length + i}::${type}[]`).join(', ');
      return `INSERT INTO ${table} (${names}) SELECT ${constants}, q.* FROM unnest(${arrays}) AS q`;
    },
    values: [...fixed.map(([, , value]) => value), ...columns.map(([, , of]) => rows.map(of))],
  };
}

/** `name` stands for these tables in this order. */
export async function insertAll(client: ClientBase, name: string, inserts: readonly Insert[]): Promise<void> {
  let first = 1;
  const parts = inserts.map(({ text, values }, i) => {
    const part = `i${i} AS (${text(first)})`;
    first += values.length;
    return part;
  });
  await client.query({
    name: `archive-${name}`,
    text: `WITH ${parts.join(', ')} SELECT`,
    values: inserts.flatMap(({ values }) => values),
  });
}
