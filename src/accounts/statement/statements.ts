// An account's statements: what each line of the credit ledger did to its balance, month by month, with heads by which
// the owner can check that none was changed (docs/accounts.md). A statement has only closed days, which are final.
import { AppError } from '../../errors';
import { publicKeyId } from '../../plans/key-id';
import type { StatementMonth } from '../../store/credits/statement/days';
import type { AddressBudget } from '../../store/redis/address-budget';
import type { Stores } from '../../store/stores';
import { headsCsv, statementPieces } from './statement-rows';

export type StatementStores = Pick<Stores, 'creditDays'>;

/** Of an account, over all its sessions: a month may have millions of lines. */
const MOST_STATEMENTS = 10;
const WITHIN_MS = 3_600_000;

export function createStatements({ creditDays, counts }: StatementStores & { readonly counts: AddressBudget }) {
  async function count(accountId: string): Promise<void> {
    const waitMs = await counts.take(`statements of ${accountId}`, MOST_STATEMENTS, WITHIN_MS);
    if (waitMs === 0) return;
    const detail = `An account can download ${MOST_STATEMENTS} statements an hour.`;
    throw new AppError('rate_limit', detail, { retry_after_seconds: Math.ceil(waitMs / 1000) });
  }

  async function keysOf(accountId: string) {
    const keys = await creditDays.keyNames(accountId);
    return new Map(keys.map(({ keyId, ...names }) => [publicKeyId(keyId), names]));
  }

  return {
    statementMonths: (accountId: string): Promise<readonly StatementMonth[]> => creditDays.months(accountId),
    async statement(accountId: string, period: string): Promise<AsyncGenerator<string>> {
      const month = (await creditDays.months(accountId)).find((one) => one.period === period);
      if (!month) throw new AppError('not_found', 'No day of this month is closed yet.');
      if (month.isSummed) throw new AppError('gone', 'Lines are kept for 13 months. The heads of this month remain.');
      await count(accountId);
      const [days, keys] = [await creditDays.days(accountId, period), await keysOf(accountId)];
      return statementPieces({ month: { ...month, accountId }, days, keys, store: creditDays });
    },
    async statementHeads(accountId: string): Promise<string> {
      await count(accountId);
      return headsCsv(await creditDays.days(accountId, null));
    },
  };
}
