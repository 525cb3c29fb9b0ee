// Reads the balances of responses that charge nothing (D6), many accounts in one statement. No response waits long for
// its balance: while the database is away it has none.
import { createBoundedMap } from '../../../cache';
import type { Balance, BalanceQuery, CreditStore } from '../../../store/credits/credits';
import { inBatches } from '../../../store/pg/in-batches';
import { isUnreachable } from '../../../store/pg/unreachable';

export interface Balances {
  /** As committed; null: the database is away. */
  read(query: BalanceQuery): Promise<Balance | null>;
  /** At most a second old: an account's balance is read once a second, however many of its requests are refused. */
  recent(query: BalanceQuery, nowMs: number): Promise<Balance | null>;
}

/** Wall time. */
interface Patience {
  readonly withinMs: number;
  /** After a failure nothing is read for this long. */
  readonly restMs: number;
}

const PATIENCE: Patience = { withinMs: 500, restMs: 1000 };
const BATCHING = { lanes: 2, most: 200 };
const RECENT_MS = 1000;
const MOST_ACCOUNTS = 10_000;

interface Recent {
  readonly atMs: number;
  readonly period: string;
  readonly balance: Promise<Balance | null>;
}

export function createBalances(
  store: Pick<CreditStore, 'balances'>,
  { withinMs, restMs }: Patience = PATIENCE,
): Balances {
  const recents = createBoundedMap<Recent>(MOST_ACCOUNTS);
  let restsUntilMs = -Infinity;
  const rests = (): boolean => performance.now() < restsUntilMs;
  const send = inBatches<BalanceQuery, Balance | null>(
    // A batch that waited for a failed one does not wait again.
    async (queries) => (rests() ? queries.map(() => null) : store.balances(queries)),
    { ...BATCHING, replyWithinMs: withinMs },
  );
  const read: Balances['read'] = async (query) => {
    if (rests()) return null;
    try {
      return await send(query);
    } catch (error) {
      if (!isUnreachable(error)) throw error;
      restsUntilMs = performance.now() + restMs;
      return null;
    }
  };
  return {
    read,
    recent(query, nowMs) {
      const { accountId, period } = query;
      const last = recents.get(accountId);
      // In either direction, because the clock may have been set back.
      if (last && last.period === period && Math.abs(nowMs - last.atMs) < RECENT_MS) return last.balance;
      const balance = read(query);
      recents.set(accountId, { atMs: nowMs, period, balance });
      return balance;
    },
  };
}
