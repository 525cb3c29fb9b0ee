// A test clock of Stripe: the time of a rehearsal, at Stripe and here. Everything that is bought belongs to it, and
// goes with it.
import { setTimeout as delay } from 'node:timers/promises';
import { called, type StripeClient } from '../../../payments/stripe/client';

export interface TestClock {
  readonly id: string;
  /** Epoch milliseconds, whole seconds. */
  readonly wallMs: () => number;
  /** Resolves once Stripe has done everything that is due by then. At most two months ahead. */
  to(ms: number): Promise<void>;
}

/** Looks at what Stripe does in its own time: at first soon again, then every second, for five minutes. */
const LOOKS = 300;
const FIRST_REST_MS = 5;
const REST_MS = 1000;

/** Resolves once it is so. Rejects with `what` after the last look. */
export async function patiently(signal: AbortSignal, what: string, isSo: () => Promise<boolean>): Promise<void> {
  for (let looks = 0; !(await isSo()); looks++) {
    if (looks === LOOKS) throw new Error(what);
    await delay(Math.min(REST_MS, FIRST_REST_MS * 2 ** looks));
    signal.throwIfAborted();
  }
}

/** `name`: no other clock has it. */
export async function startTestClock(
  stripe: StripeClient,
  { name, beginMs, signal }: { readonly name: string; readonly beginMs: number; readonly signal: AbortSignal },
): Promise<TestClock> {
  const { testClocks } = stripe.testHelpers;
  const { id } = await called(testClocks.create({ frozen_time: beginMs / 1000, name }));
  let nowMs = beginMs;
  const isReady = async (): Promise<boolean> => {
    const { status } = await called(testClocks.retrieve(id));
    if (status === 'internal_failure') throw new Error('Stripe could not advance its test clock');
    return status === 'ready';
  };
  return {
    id,
    wallMs: () => nowMs,
    async to(ms) {
      await called(testClocks.advance(id, { frozen_time: ms / 1000 }));
      await patiently(signal, 'Stripe’s test clock was not ready in time', isReady);
      nowMs = ms;
    },
  };
}

/**
 * Those of this name, with their customers and subscriptions: also one whose creation was not answered. Stripe removes
 * a clock by itself after 30 days.
 */
export async function removeTestClocks({ testHelpers }: StripeClient, name: string): Promise<void> {
  const { data } = await called(testHelpers.testClocks.list({ limit: 100 }));
  for (const clock of data) if (clock.name === name) await called(testHelpers.testClocks.del(clock.id));
}
