// Work of many stores in one transaction: others see all of it or nothing, even if the process ends in the middle. The
// stores get a pool whose every statement runs on the transaction's one connection, one after another; their own
// transactions are savepoints of it.
import { EventEmitter } from 'node:events';
import type { ClientBase, Pool, PoolClient } from 'pg';
import { inTransaction } from './transaction';

/**
 * `work` gets its own stores on the given pool: what they remember of rows must not outlive a transaction that is
 * rolled back.
 */
export const asOneTransaction = <T>(pool: Pool, work: (own: Pool) => Promise<T>): Promise<T> =>
  inTransaction(pool, (client) => work(new OneConnection(client) as unknown as Pool));

/** The part of a pool that stores use. */
class OneConnection extends EventEmitter implements Pick<Pool, 'query'> {
  private last: Promise<unknown> = Promise.resolve();
  readonly query = ((first: string, ...more: []) =>
    this.inTurn<unknown>(() => this.client.query(first, ...more))) as unknown as Pool['query'];

  constructor(private readonly client: ClientBase) {
    super();
  }

  /** Nothing else runs until it is released: a savepoint contains no statement of others. */
  async connect(): Promise<PoolClient> {
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    await new Promise<void>((resolve) => {
      void this.inTurn(() => {
        resolve();
        return released;
      });
    });
    const query = (first: unknown, ...more: unknown[]) =>
      this.client.query(
        (typeof first === 'string' ? (ownStatement(first) ?? first) : first) as string,
        ...(more as []),
      );
    return { query, release } as unknown as PoolClient;
  }

  private inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.last.then(work);
    this.last = turn.catch(() => undefined);
    return turn;
  }
}

const STATEMENTS: readonly (readonly [of: RegExp, own: string])[] = [
  [/^BEGIN\b/, 'SAVEPOINT part'],
  [/^COMMIT$/, 'RELEASE SAVEPOINT part'],
  [/^ROLLBACK$/, 'ROLLBACK TO SAVEPOINT part; RELEASE SAVEPOINT part'],
];

const ownStatement = (text: string): string | undefined => STATEMENTS.find(([of]) => of.test(text))?.[1];
