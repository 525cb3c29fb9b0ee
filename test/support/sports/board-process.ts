// A process that reads upcoming matches through its board, from a database that answers late or not at all.
import type { Pool, QueryConfig } from 'pg';
import type { PricedMatch } from '../../../src/domain/sports/match';
import { createMatchBoard } from '../../../src/store/reads/sports/match-board';
import type { MatchesQuery } from '../../../src/store/reads/sports/matches';

export interface LateRead {
  readonly read: Promise<readonly PricedMatch[]>;
  arrive(): void;
}

export function createBoardProcess(pool: Pool) {
  let answer = async <T>(rows: T): Promise<T> => rows;
  const query = async (config: QueryConfig) => {
    const own = answer;
    return own(await pool.query(config));
  };
  const read = createMatchBoard({ query } as unknown as Pool);
  const reading = (of: MatchesQuery, how: typeof answer) => {
    const usual = answer;
    answer = how;
    const started = read(of);
    answer = usual;
    return started;
  };
  return {
    read,
    /** Its connection is lost once the database has read. */
    lose: (of: MatchesQuery) => reading(of, () => Promise.reject(new Error('the connection is lost'))),
    /** Resolves when the database has read; the rows arrive later. */
    async late(of: MatchesQuery): Promise<LateRead> {
      const hasRead = Promise.withResolvers<void>();
      const onTheWay = Promise.withResolvers<void>();
      const started = reading(of, async (rows) => {
        hasRead.resolve();
        await onTheWay.promise;
        return rows;
      });
      await hasRead.promise;
      return { read: started, arrive: onTheWay.resolve };
    },
  };
}
