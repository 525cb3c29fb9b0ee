// Invoices the overage of months that are over, and of accounts that were closed, once per account and month. What is
// to be paid is written down first; a crash after that, at any point, is made up for by the next pass, which orders the
// same item again.
import { FILE_CHARGED_MS } from '../../plans/cost';
import { periodAt } from '../../plans/credits';
import { overageCents } from '../../plans/overage';
import { type BillingDeps, instantOf } from './deps';
import { usedOf } from './overage';

/**
 * After a month's end: what is given back late belongs to it, and so does a file that the release before recorded and
 * did not charge yet.
 */
const SETTLE_MS = FILE_CHARGED_MS + 3_600_000;
/** After an account was closed, which charges nothing more: what is given back late. */
const CLOSED_MS = 300_000;

/** Resolves to how many were invoiced, and how many could not be. Never rejects because of one account. */
export async function overagePass(deps: BillingDeps): Promise<{ invoiced: number; failed: number }> {
  const { overageInvoices, log, wallMs } = deps;
  // What is decided stays so: a month must be over by two clocks, of which one may be ahead.
  const nowMs = Math.min(wallMs(), await overageInvoices.nowMs());
  const due = await overageInvoices.due(periodAt(nowMs - SETTLE_MS).id, instantOf(nowMs - CLOSED_MS));
  let failed = 0;
  for (const one of due) {
    await invoice(deps, one).catch((err: unknown) => {
      failed++;
      log.warn({ err, accountId: one.accountId, period: one.period }, 'overage is not invoiced');
    });
  }
  return { invoiced: due.length - failed, failed };
}

type Due = Awaited<ReturnType<BillingDeps['overageInvoices']['due']>>[number];

async function invoice(deps: BillingDeps, { accountId, period, customerId }: Due): Promise<void> {
  const { payments, overage, overageInvoices, wallMs } = deps;
  const used = usedOf((await overage.overage(accountId, period))?.used ?? []);
  const credits = used.reduce((sum, each) => sum + each.credits, 0);
  const at = (): string => instantOf(wallMs());
  const cents = await overageInvoices.decide({ accountId, period, cents: overageCents(used), at: at() });
  if (cents > 0 && customerId === null) throw new Error('the account has no customer at the payment provider');
  const description = `Overage of ${period.slice(0, 7)}: ${credits.toLocaleString('en-AU')} credits beyond the allowance`;
  const itemId =
    cents > 0
      ? await payments.invoiceOverage({ customerId: customerId!, accountId, period, cents, description })
      : null;
  await overageInvoices.invoiced({ accountId, period, itemId, at: at() });
}
