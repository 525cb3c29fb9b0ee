// Runs work in one transaction. Every transaction locks in one order, so that our writers never deadlock: race_control,
// race_books, races, then the tables that refer to them.
import type { ClientBase, Pool } from 'pg';
import { isUnreachable } from './unreachable';

export const inTransaction = <T>(pool: Pool, work: (client: ClientBase) => Promise<T>): Promise<T> =>
  transacted(pool, 'BEGIN', work);

/** All statements of the work read one moment. */
export const inSnapshot = <T>(pool: Pool, work: (client: ClientBase) => Promise<T>): Promise<T> =>
  transacted(pool, 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY', work);

async function transacted<T>(pool: Pool, begin: string, work: (client: ClientBase) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    await client.query(begin);
    const done = await work(client);
    await client.query('COMMIT');
    return done;
  } catch (error) {
    // Closing the connection rolls back too. A further statement would wait for a server that does not answer.
    if (isUnreachable(error)) broken = error as Error;
    else
      await client.query('ROLLBACK').catch((lost: Error) => {
        broken = lost;
      });
    throw error;
  } finally {
    client.release(broken);
  }
}
