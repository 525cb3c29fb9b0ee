// Closes the days of the ledger that have ended, for the statements of accounts. What fails for one account is left for
// the next run, with the account's later months, and so is what a run does not come to.
import type { ActivityDeps } from './deps';

export type CloseDaysDeps = Pick<ActivityDeps, 'log' | 'wallMs'> & {
  readonly stores: { readonly creditDays: Pick<ActivityDeps['stores']['creditDays'], 'open' | 'close'> };
};

export interface CreditDaysClosed {
  readonly days: number;
  /** Of accounts that could not be closed. */
  readonly failed: number;
  /** Whether it came to the end. */
  readonly isWhole: boolean;
}

/** Most lines that are late for their day come before it is closed. */
const GRACE_MS = 2 * 3_600_000;
const DAY_MS = 86_400_000;
const PAGE = 100;
/** Of one run. */
const WITHIN_MS = 15 * 60_000;

interface Bounds {
  readonly page?: number;
  /** By `wallMs`. */
  readonly untilMs?: number;
}

export async function closeCreditDays(
  { stores: { creditDays }, log, wallMs }: CloseDaysDeps,
  alive: () => void = () => undefined,
  { page = PAGE, untilMs = wallMs() + WITHIN_MS }: Bounds = {},
): Promise<CreditDaysClosed> {
  const through = new Date(wallMs() - GRACE_MS - DAY_MS).toISOString().slice(0, 10);
  const isLate = () => wallMs() >= untilMs;
  let [days, failed] = [0, 0];
  // A month begins with the last head of those before it.
  let failedAccount = '';
  let open = await creditDays.open({ through, after: null, most: page });
  while (open.length > 0) {
    for (const month of open) {
      if (month.accountId === failedAccount) continue;
      alive();
      try {
        days += await creditDays.close(month, { through }, alive, isLate);
      } catch (err) {
        failed += 1;
        failedAccount = month.accountId;
        log.error({ err, accountId: month.accountId, month: month.period }, 'a day of credits could not be closed');
      }
      if (isLate()) {
        log.warn({ days }, 'closing the days of credits goes on in the next hour');
        return { days, failed, isWhole: false };
      }
    }
    open = await creditDays.open({ through, after: open.at(-1)!, most: page });
  }
  return { days, failed, isWhole: true };
}
