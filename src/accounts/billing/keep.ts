// Runs the passes of billing for as long as a process lives: every minute, never two at once.
import type { BillingDeps } from './deps';
import { overagePass } from './overage-pass';
import { billingPass } from './pass';

const EVERY_MS = 60_000;

/** Returns what ends it. A pass that is under way may be cut off: everything it does can be repeated. */
export function keepBilling(deps: BillingDeps, everyMs = EVERY_MS): () => void {
  let isRunning = false;
  const run = async (): Promise<void> => {
    if (isRunning) return;
    isRunning = true;
    try {
      await billingPass(deps);
      await overagePass(deps);
    } catch (err) {
      deps.log.warn({ err }, 'the billing pass failed');
    }
    isRunning = false;
  };
  const timer = setInterval(() => void run(), everyMs);
  return () => clearInterval(timer);
}
