// What the steps of a rehearsal work with: the service's own billing on a database of its own, Stripe's test mode, and
// one clock for both.
import type { Pool } from 'pg';
import { type AccountReader, createAccountReader } from '../../../accounts/billing/account-reader';
import { type Billing, createBilling } from '../../../accounts/billing/billing';
import { type BillingDeps, billingStores } from '../../../accounts/billing/deps';
import { called, type StripeClient, type StripeSettings } from '../../../payments/stripe/client';
import { createPayments } from '../../../payments/stripe/create-payments';
import type { TaxChoice } from '../../../payments/stripe/tax';
import { createStores } from '../../../store/create-stores';
import type { Stores } from '../../../store/stores';
import { startTestClock, type TestClock } from './test-clock';

export interface Rehearsal {
  /** Of the test mode. */
  readonly stripe: StripeSettings & { readonly tax: TaxChoice };
  /** Without accounts. */
  readonly pool: Pool;
  readonly baseUrl: string;
  /** Of its test clock. */
  readonly name: string;
  /** Epoch milliseconds, whole seconds. */
  readonly beginMs: number;
  /** Ends it before its next step or clock. */
  readonly signal: AbortSignal;
  readonly say: (line: string) => void;
}

export interface Stage {
  readonly stripe: StripeClient;
  readonly tax: TaxChoice;
  readonly clock: TestClock;
  readonly stores: Stores;
  readonly deps: BillingDeps;
  readonly billing: Billing;
  readonly reader: AccountReader;
  /** What the service would have logged: a rehearsal has none. */
  readonly warnings: string[];
  readonly pageWithinMs: number;
  readonly signal: AbortSignal;
  readonly say: (line: string) => void;
}

const PAGE_WITHIN_MS = 20_000;

/** Of a customer, for Stripe Tax; customers enter theirs on Stripe's page. */
const ADDRESS = { line1: '1 Macquarie Street', city: 'Sydney', state: 'NSW', postal_code: '2000', country: 'AU' };

export async function openStage(stripe: StripeClient, rehearsal: Rehearsal): Promise<Stage> {
  const { stripe: settings, pool, baseUrl, signal, say } = rehearsal;
  const { tax, timeoutMs = PAGE_WITHIN_MS } = settings;
  const clock = await startTestClock(stripe, rehearsal);
  const { wallMs } = clock;
  const stores = createStores(pool);
  const payments = createPayments({ ...settings, webhookSecret: null, returnUrl: `${baseUrl}/account` });
  const warnings: string[] = [];
  const ofStores = billingStores(stores, wallMs);
  const deps: BillingDeps = {
    ...ofStores,
    payments: {
      ...payments,
      // On the test clock, which is chosen when a customer is made.
      async createCustomer({ accountId, email }) {
        const about = { metadata: { account_id: accountId }, address: ADDRESS, ...(email !== null && { email }) };
        return (await called(stripe.customers.create({ ...about, test_clock: clock.id }))).id;
      },
    },
    overageInvoices: { ...ofStores.overageInvoices, nowMs: async () => wallMs() },
    baseUrl,
    wallMs,
    log: { warn: (fields, message) => void warnings.push(warningText(fields, message)) },
  };
  const billing = createBilling(deps);
  const reader = createAccountReader(stores.usage, wallMs);
  const ours = { stores, deps, billing, reader, warnings };
  return { ...ours, stripe, tax, clock, signal, say, pageWithinMs: timeoutMs };
}

const warningText = ({ err }: { err?: unknown }, message: string): string =>
  err instanceof Error ? `${message}: ${err.message}` : message;
