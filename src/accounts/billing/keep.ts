// Runs the passes of billing for as long as a process lives: each by itself, never two of one kind at once, so that
// owners who are paying wait for no other account.
import type { BillingDeps } from './deps';
import { overagePass } from './overage-pass';
import { billingPass, checkoutPass } from './pass';
import { unpaidOveragePass } from './unpaid-overage';

const EVERY_MS = 60_000;
const CHECKOUTS_EVERY_MS = 5_000;
/** Overage is due once a month; what cannot be invoiced, and what is wrong with prices, is logged each time. */
const OVERAGE_EVERY = 10;

/** Returns what ends them. A pass that is under way may be cut off: everything it does can be repeated. */
export function keepBilling(
  deps: BillingDeps,
  { everyMs = EVERY_MS, checkoutsEveryMs = CHECKOUTS_EVERY_MS } = {},
): () => void {
  let passes = 0;
  const timers = [
    repeated(deps, checkoutsEveryMs, () => checkoutPass(deps)),
    repeated(deps, everyMs, async () => {
      await billingPass(deps);
      if (passes++ % OVERAGE_EVERY !== 0) return;
      await reportPrices(deps);
      await overagePass(deps);
      await unpaidOveragePass(deps);
    }),
  ];
  return () => timers.forEach(clearInterval);
}

/** Before a first customer meets them. */
async function reportPrices({ payments, log }: BillingDeps): Promise<void> {
  const reasons = await payments.pricesWithTaxOnTop().catch((err: unknown) => {
    log.warn({ err }, 'prices were not read');
    return [];
  });
  for (const reason of reasons) log.warn({ reason }, 'GST comes on top of a price');
}

function repeated({ log }: BillingDeps, everyMs: number, work: () => Promise<unknown>): NodeJS.Timeout {
  let isRunning = false;
  const run = async (): Promise<void> => {
    if (isRunning) return;
    isRunning = true;
    try {
      await work();
    } catch (err) {
      log.warn({ err }, 'a billing pass failed');
    }
    isRunning = false;
  };
  return setInterval(() => void run(), everyMs);
}
