// Runs the passes of billing for as long as a process lives: every minute, never two at once.
import type { BillingDeps } from './deps';
import { overagePass } from './overage-pass';
import { billingPass } from './pass';

const EVERY_MS = 60_000;
/** Overage is due once a month; what cannot be invoiced is logged each time. */
const OVERAGE_EVERY = 10;

/** Returns what ends it. A pass that is under way may be cut off: everything it does can be repeated. */
export function keepBilling(deps: BillingDeps, everyMs = EVERY_MS): () => void {
  let isRunning = false;
  let passes = 0;
  const run = async (): Promise<void> => {
    if (isRunning) return;
    isRunning = true;
    try {
      await billingPass(deps);
      if (passes++ % OVERAGE_EVERY === 0) await overagePass(deps);
    } catch (err) {
      deps.log.warn({ err }, 'the billing pass failed');
    }
    isRunning = false;
  };
  const timer = setInterval(() => void run(), everyMs);
  return () => clearInterval(timer);
}
