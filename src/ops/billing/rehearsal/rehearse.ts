// Rehearses everything that is paid for, from the first payment to the turn of a year, against Stripe's test mode or a
// server that behaves like it. Removes what it made at Stripe, whatever happened.
import { createStripe, type StripeClient } from '../../../payments/stripe/client';
import { plainError } from '../plain-error';
import { openStage, type Rehearsal, type Stage } from './stage';
import { buyPlus, cancelPlan, decline, dispute, goBeyond, setUpCatalogue, upgradePlan, year } from './steps';
import { removeTestClocks } from './test-clock';

/** Resolves to whether every step was as expected, and nothing is left on a test clock. */
export async function rehearse(rehearsal: Rehearsal): Promise<boolean> {
  const stripe = createStripe(rehearsal.stripe);
  const isAsExpected = await played(stripe, rehearsal);
  return (await removed(stripe, rehearsal)) && isAsExpected;
}

async function played(stripe: StripeClient, rehearsal: Rehearsal): Promise<boolean> {
  try {
    await play(await openStage(stripe, rehearsal));
    return true;
  } catch (error) {
    rehearsal.say(`  ✗ ${reasonOf(error)}`);
    return false;
  }
}

async function play(stage: Stage): Promise<void> {
  const step = async <T>(title: string, work: () => Promise<T>): Promise<T> => {
    stage.signal.throwIfAborted();
    stage.say(title);
    const result = await work();
    const faults = await stage.stores.credits.audit();
    if (faults.length > 0) throw new Error(`the credit audit finds ${faults.length} differences: ${faults[0]}`);
    stage.say('  ✓ as expected, and the credit audit is clean');
    return result;
  };
  await step('set-up: the catalogue of the plan table', () => setUpCatalogue(stage));
  const anna = await step('buy: Plus by the month', () => buyPlus(stage));
  await step('upgrade: from Plus to Business within the month', () => upgradePlan(stage, anna));
  await step('overage: credits beyond the allowance, and the turn of a month', () => goBeyond(stage, anna));
  await step('decline: the card fails at the next turn, then another one pays', () => decline(stage, anna));
  await step('dispute: the first payment of another customer is disputed', () => dispute(stage));
  await step('cancel: at the end of the paid month', () => cancelPlan(stage, anna));
  await step('year: Plus by the year, until it turns', () => year(stage));
}

const TRIES = 3;

async function removed(stripe: StripeClient, { name, say }: Rehearsal): Promise<boolean> {
  for (let tries = 1; ; tries++) {
    try {
      await removeTestClocks(stripe, name);
      say('the test clock is deleted, with its customers');
      return true;
    } catch (error) {
      if (tries < TRIES) continue;
      say(`✗ delete the test clock “${name}” in Stripe’s dashboard, it is still there: ${reasonOf(error)}`);
      return false;
    }
  }
}

function reasonOf(error: unknown): string {
  const plain = plainError(error);
  return plain instanceof Error ? plain.message : String(plain);
}
