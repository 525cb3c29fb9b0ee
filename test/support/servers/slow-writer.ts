// A writer whose transaction stays open until the test ends it: its rows are written but not yet visible. It has its
// own connection.
import type { Pool, PoolClient } from 'pg';
import { createPool } from '../../../src/store/pg/pool';

export interface SlowWriter {
  /** For stores: everything written through it belongs to one transaction. */
  readonly pool: Pool;
  commit(): Promise<void>;
  rollback(): Promise<void>;
}

export async function slowWriter(url: string): Promise<SlowWriter> {
  const own = createPool(url, 1);
  const client = await own.connect();
  await client.query('BEGIN');
  const end = async (statement: string): Promise<void> => {
    await client.query(statement);
    client.release();
    await own.end();
  };
  const query = client.query.bind(client) as PoolClient['query'];
  const inner = {
    // A store's own transactions become part of the open one.
    query: (...args: Parameters<typeof query>) => (isBracket(args[0]) ? Promise.resolve() : query(...args)),
    release: () => undefined,
  };
  const pool = { query, connect: async () => inner } as unknown as Pool;
  return { pool, commit: () => end('COMMIT'), rollback: () => end('ROLLBACK') };
}

const isBracket = (sql: unknown): boolean => sql === 'BEGIN' || sql === 'COMMIT';
