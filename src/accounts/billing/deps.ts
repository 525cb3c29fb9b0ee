// What billing works with: the payment provider, the stores, and the wall clock as an argument.
import type { Payments } from '../../payments/payments';
import type { Plan } from '../../plans/plans';
import type { BillingStore } from '../../store/accounts/billing';
import type { OverageStore } from '../../store/credits/overage';
import type { OverageInvoiceStore } from '../../store/credits/overage-invoices';
import type { Stores } from '../../store/stores';
import { createRewards, type Rewards } from '../referral/rewards';

export interface BillingDeps {
  readonly payments: Payments;
  readonly store: BillingStore;
  readonly overage: OverageStore;
  readonly overageInvoices: OverageInvoiceStore;
  readonly rewards: Rewards;
  /** Public address, without a trailing slash. */
  readonly baseUrl: string;
  readonly log: BillingLog;
  /** Epoch milliseconds (D37). */
  wallMs(): number;
}

interface BillingLog {
  warn(fields: object, message: string): void;
}

/** Where the provider sends its events. */
export const EVENTS_PATH = '/webhooks/stripe';

/** The account of a caller. */
export interface Payer {
  readonly accountId: string;
  readonly plan: Plan;
}

type BillingStores = Pick<Stores, 'billedAccounts' | 'overage' | 'overageInvoices' | 'referralCodes'>;

/** What billing takes of the database. */
export const billingStores = (stores: BillingStores, wallMs: () => number) => ({
  store: stores.billedAccounts,
  overage: stores.overage,
  overageInvoices: stores.overageInvoices,
  rewards: createRewards(stores.referralCodes, wallMs),
});

export const instantOf = (ms: number): string => new Date(ms).toISOString();
