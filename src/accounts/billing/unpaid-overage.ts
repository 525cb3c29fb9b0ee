// Overage that is not paid, or cannot be invoiced, ends overage: a level, compared at every pass and whenever an owner
// switches it on. The plan stays, because it has invoices of its own.
import { AppError } from '../../errors';
import { OVERAGE_UNPAID_DAYS } from '../../plans/overage';
import type { OverdueOverage } from '../../store/credits/overage-invoices';
import { type BillingDeps, instantOf } from './deps';
import { unreadRestMs } from './reading-times';

const READ_EVERY_MS = 3_600_000;
const AT_ONCE = 200;
/** Of one invoice. */
const CLAIMED_MS = 600_000;

/**
 * Reads what is due: each open invoice hourly, one that cannot be read after growing rests. Each is claimed before its
 * own reading. Never rejects because of one invoice. `random`: in [0, 1).
 */
export async function unpaidOveragePass(
  deps: BillingDeps,
  { most = AT_ONCE, random = Math.random }: { most?: number; random?: () => number } = {},
): Promise<void> {
  const { overageInvoices, log, wallMs } = deps;
  for (let i = 0; i < most; i++) {
    const nowMs = wallMs();
    const one = await overageInvoices.claimUnsettled({ at: instantOf(nowMs), nextAt: instantOf(nowMs + CLAIMED_MS) });
    if (!one) break;
    await readInvoice(deps, one).catch(async (err: unknown) => {
      log.warn({ err, accountId: one.accountId, period: one.period }, UNREAD);
      await overageInvoices.noteUnread({ ...one, nextAt: instantOf(wallMs() + unreadRestMs(one.attempts, random())) });
    });
  }
  for (const { accountId, period, isInvoiced } of await overageInvoices.endOverage(await patience(deps)))
    log.warn(
      { accountId, period },
      `overage is off: ${isInvoiced ? 'an invoice of it is not paid' : 'it cannot be invoiced'}`,
    );
}

/** Days that are over by two clocks, of which one may be ahead. */
const patience = async ({ overageInvoices, wallMs }: Clocks) => ({
  days: OVERAGE_UNPAID_DAYS,
  at: instantOf(Math.min(wallMs(), await overageInvoices.nowMs())),
});

type Clocks = Pick<BillingDeps, 'wallMs'> & {
  readonly overageInvoices: Pick<BillingDeps['overageInvoices'], 'nowMs' | 'overdue'>;
};

/** The month for which an account's overage stays off; null: there is none. */
export const overdueOverage = async (deps: Clocks, accountId: string): Promise<OverdueOverage | null> =>
  deps.overageInvoices.overdue(accountId, await patience(deps));

const UNREAD = 'an invoice of overage was not read';

/** Reads the open invoices of one account now. Never rejects because of one invoice: it is not unpaid for that. */
export async function readUnpaidOverage(deps: BillingDeps, accountId: string): Promise<void> {
  for (const one of await deps.overageInvoices.unsettled(accountId))
    await readInvoice(deps, one).catch((err: unknown) => {
      deps.log.warn({ err, accountId, period: one.period }, UNREAD);
    });
}

type Unsettled = Awaited<ReturnType<BillingDeps['overageInvoices']['unsettled']>>[number];

async function readInvoice(deps: BillingDeps, { accountId, period, itemId }: Unsettled): Promise<void> {
  const isSettled = await deps.payments.isSettled(itemId);
  const nowMs = deps.wallMs();
  const [at, nextAt] = [instantOf(nowMs), instantOf(nowMs + READ_EVERY_MS)];
  await deps.overageInvoices.noteStatus({ accountId, period, isSettled, at, nextAt });
}

/** Throws a 409 while overage stays off, and what keeps an invoice from being read: who has paid it is not refused. */
export async function requirePaidOverage(deps: BillingDeps, accountId: string): Promise<void> {
  for (const one of await deps.overageInvoices.unsettled(accountId)) await readInvoice(deps, one);
  const overdue = await overdueOverage(deps, accountId);
  if (overdue === null) return;
  const month = overdue.period.slice(0, 7);
  throw new AppError(
    'conflict',
    overdue.isInvoiced
      ? `The invoice of overage of ${month} is not paid. Pay it in the billing portal, then switch overage on.`
      : `Overage of ${month} cannot be invoiced. Check address and card in the billing portal: it is invoiced within ten minutes. Then switch overage on.`,
  );
}
