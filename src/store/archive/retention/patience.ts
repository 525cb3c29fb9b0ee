// Statements of retention, which take longer than those of a request, and give up a lock that others need.
import type { Pool, QueryConfig } from 'pg';
import { inTransaction } from '../../pg/transaction';

/** A day has up to a million ticks, which takes longer than a request's statement may. */
const PATIENCE_MS = 300_000;

export function withPatience<R extends object>(pool: Pool, text: string, values: readonly unknown[]): Promise<R[]> {
  return inTransaction(pool, async (client) => {
    await client.query(`SET LOCAL statement_timeout = ${PATIENCE_MS}`);
    const statement = { text, values: [...values], query_timeout: PATIENCE_MS } as QueryConfig;
    return (await client.query<R>(statement)).rows;
  });
}

const LOCK_NOT_AVAILABLE = '55P03';

export async function unlessBusy<T>(work: Promise<T>): Promise<T | 'busy'> {
  try {
    return await work;
  } catch (error) {
    if ((error as { code?: string }).code === LOCK_NOT_AVAILABLE) return 'busy';
    throw error;
  }
}
