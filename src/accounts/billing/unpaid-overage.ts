// Overage that is not paid ends overage: a level, compared at every pass and whenever an owner switches it on. The
// plan stays, because it has invoices of its own.
import { AppError } from '../../errors';
import { OVERAGE_UNPAID_DAYS } from '../../plans/overage';
import { type BillingDeps, instantOf } from './deps';

const READ_EVERY_MS = 3_600_000;
const AT_ONCE = 200;

/** Reads what was not read for an hour. Never rejects because of one invoice. */
export async function unpaidOveragePass(deps: BillingDeps): Promise<void> {
  const { overageInvoices, log, wallMs } = deps;
  await readOpen(deps, { readBefore: instantOf(wallMs() - READ_EVERY_MS), most: AT_ONCE });
  for (const accountId of await overageInvoices.endOverage(OVERAGE_UNPAID_DAYS))
    log.warn({ accountId }, 'overage is off: an invoice of it is not paid');
}

/** Reads the open invoices of one account now. Never rejects because of one invoice. */
export const readUnpaidOverage = (deps: BillingDeps, accountId: string): Promise<void> =>
  readOpen(deps, ofAccount(deps, accountId));

const ofAccount = (deps: BillingDeps, accountId: string) => ({
  accountId,
  readBefore: instantOf(deps.wallMs()),
  most: AT_ONCE,
});

/** One that cannot be read is not unpaid for that. */
async function readOpen(deps: BillingDeps, which: Parameters<Invoices['unsettled']>[0]): Promise<void> {
  for (const one of await deps.overageInvoices.unsettled(which))
    await readInvoice(deps, one).catch((err: unknown) => {
      deps.log.warn({ err, accountId: one.accountId, period: one.period }, 'an invoice of overage was not read');
    });
}

type Invoices = BillingDeps['overageInvoices'];
type Unsettled = Awaited<ReturnType<Invoices['unsettled']>>[number];

async function readInvoice(deps: BillingDeps, { accountId, period, itemId }: Unsettled): Promise<void> {
  const isSettled = await deps.payments.isSettled(itemId);
  await deps.overageInvoices.noteStatus({ accountId, period, isSettled, at: instantOf(deps.wallMs()) });
}

/** Throws a 409 while overage stays off, and what keeps an invoice from being read: who has paid it is not refused. */
export async function requirePaidOverage(deps: BillingDeps, accountId: string): Promise<void> {
  for (const one of await deps.overageInvoices.unsettled(ofAccount(deps, accountId))) await readInvoice(deps, one);
  const period = await deps.overageInvoices.overdue(accountId, OVERAGE_UNPAID_DAYS);
  if (period === null) return;
  throw new AppError(
    'conflict',
    `The invoice of overage of ${period.slice(0, 7)} is not paid. Pay it in the billing portal, then switch overage on.`,
  );
}
