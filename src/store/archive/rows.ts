// Writes many rows of one table in one statement, from columns.
import type { ClientBase } from 'pg';

/** Column name, its type in PostgreSQL, and the value of a row. */
export type Column<R> = readonly [name: string, type: string, of: (row: R) => unknown];

/** `fixed`: columns that are the same in all rows, before the others. */
export async function insertRows<R>(
  client: ClientBase,
  table: string,
  fixed: readonly (readonly [name: string, type: string, value: unknown])[],
  columns: readonly Column<R>[],
  rows: readonly R[],
): Promise<void> {
  if (rows.length === 0) return;
  const names = [...fixed, ...columns].map(([name]) => name).join(', ');
  const constants = fixed.map(([, type], i) => `$${i + 1}::${type}`).join(', ');
  const arrays = columns.map(([, type], i) => `$${fixed.length + i + 1}::${type}[]`).join(', ');
  await client.query({
    name: `archive-insert-${table}`,
    text: `INSERT INTO ${table} (${names}) SELECT ${constants}, q.* FROM unnest(${arrays}) AS q`,
    values: [...fixed.map(([, , value]) => value), ...columns.map(([, , of]) => rows.map(of))],
  });
}
