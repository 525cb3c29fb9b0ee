// A process that is killed at one of its statements: before the server has the statement, or before the process has the
// server's answer. Nothing of it runs after that, and its connection closes.
import type { Pool, PoolClient } from 'pg';

export interface Death {
  /** How many statements come before. */
  readonly at: number;
  /** The server has carried the statement out, a COMMIT too. */
  readonly isAfter: boolean;
}

const KILLED = 'killed';

export const isKilled = (error: unknown): boolean => (error as Error).message === KILLED;

/** `death` null: it lives on. */
export function dyingPool(pool: Pool, death: Death | null): Pool {
  let left = death?.at ?? Number.POSITIVE_INFINITY;
  let isDead = false;
  const mortal =
    (query: (...args: never[]) => Promise<unknown>) =>
    async (...args: never[]): Promise<unknown> => {
      if (isDead) throw new Error(KILLED);
      if (left-- > 0) return query(...args);
      isDead = true;
      if (death?.isAfter) await query(...args);
      throw new Error(KILLED);
    };
  const mortalClient = (client: PoolClient) => ({
    query: mortal(client.query.bind(client) as never),
    release: (error?: Error) => client.release(isDead ? new Error(KILLED) : error),
  });
  return {
    query: mortal(pool.query.bind(pool) as never),
    connect: async () => mortalClient(await pool.connect()),
  } as unknown as Pool;
}
