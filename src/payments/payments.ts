// What the service needs of its payment provider, in its own terms. Every method rejects with `PaymentsProblem`, or
// with an `AppError` 503 while the provider is away. No card data ever reaches the service: customers enter it on the
// provider's pages.
import type { Offer } from '../plans/prices';

export interface Subscription {
  readonly id: string;
  /** Of what is billed. */
  readonly itemId: string;
  /** Null: its price is not one of ours, and it sets no plan. */
  readonly offer: Offer | null;
  /** Whether it gives its plan: it is paid, or overdue while the provider still tries (`past_due`). */
  readonly isLive: boolean;
  /** When the first of its invoices that are not paid was issued, epoch seconds; null: it is paid. */
  readonly unpaidSince: number | null;
  /** Set to end with the paid period. */
  readonly isCancelling: boolean;
  /** Of a change that begins with the next period; null: none. */
  readonly plannedChange: string | null;
  /** Its invoices have GST as the operator chose it. */
  readonly isTaxed: boolean;
  /** Why GST comes, or would come, on top of its price; null: it is part of it. */
  readonly taxOnTop: string | null;
  /** Epoch seconds. */
  readonly created: number;
  readonly paidUntil: number;
}

/** A page of the provider, for one customer. */
export interface HostedPage {
  readonly url: string;
  /** Epoch seconds. */
  readonly expiresAt: number;
}

export interface CheckoutOrder {
  readonly customerId: string;
  readonly accountId: string;
  readonly offer: Offer;
  readonly key: string;
  readonly nowMs: number;
}

/** A page on which a new subscriber pays, as the provider has it. */
export interface Checkout {
  readonly accountId: string | null;
  readonly isComplete: boolean;
}

/** Something happened to a customer: its state is to be read again. */
export interface PaymentEvent {
  readonly id: string;
  readonly type: string;
  /** Null: it concerns no customer. */
  readonly customerId: string | null;
}

export interface OverageItem {
  readonly customerId: string;
  readonly accountId: string;
  /** First day of the UTC month. */
  readonly period: string;
  readonly cents: number;
  readonly description: string;
}

export interface Payments {
  /** The same customer for the same account and `replaces`, however often it is called within a day. */
  createCustomer(of: { accountId: string; email: string | null; replaces: string | null }): Promise<string>;
  /** Where its invoices and receipts are mailed to. */
  nameCustomer(customerId: string, email: string): Promise<void>;
  /** False: the provider has deleted it. */
  hasCustomer(customerId: string): Promise<boolean>;
  /** Every subscription of the customer that has not ended. */
  subscriptions(customerId: string): Promise<readonly Subscription[]>;
  /**
   * Where a new subscriber pays `firstPayment` for the time until whole intervals begin. Equal calls of a month get one
   * page, which leads back with its id as `checkout`. `nowMs`: epoch milliseconds.
   */
  checkout(of: CheckoutOrder): Promise<HostedPage>;
  /** Null: the provider has no such page. */
  checkoutBy(id: string): Promise<Checkout | null>;
  /** Where a subscriber confirms a change in place, with what it costs now. */
  confirmChange(of: { customerId: string; subscription: Subscription; offer: Offer }): Promise<HostedPage>;
  /** Where a customer sees invoices, changes its card and its plan. */
  portal(customerId: string): Promise<HostedPage>;
  cancelAtPeriodEnd(subscription: Subscription): Promise<void>;
  /** Ends a second subscription of one customer at once, and credits what is left of it, if it was paid. */
  endDuplicate(subscription: Subscription): Promise<void>;
  /**
   * Ends at once, and without a refund, every subscription of the customer and every page on which one could be bought.
   * What is open of their invoices is not collected any more. Resolves to the subscriptions, with the epoch seconds at
   * which each began.
   */
  endAll(customerId: string): Promise<readonly { readonly id: string; readonly created: number }[]>;
  /** From its next invoice on; not twice. Rejects if it would come on top of the price. */
  addTax(subscription: Subscription): Promise<void>;
  /** Prices of plans on which GST would come on top, also those that were made in the dashboard: a sentence each. */
  pricesWithTaxOnTop(): Promise<readonly string[]>;
  /** False if all of it was refunded, or is disputed. */
  hasPaid(customerId: string): Promise<boolean>;
  /**
   * One item on an invoice of its own, exactly once per account and period, GST included. Resolves to the item's id.
   */
  invoiceOverage(item: OverageItem): Promise<string>;
  /** Whether nothing is owed on the invoice of such an item: it is paid, or was taken back. Rejects without one. */
  isSettled(itemId: string): Promise<boolean>;
  /** Null: the signature is not the provider's, or older than five minutes by `nowMs`. */
  readEvent(body: Buffer, signature: string, nowMs: number): PaymentEvent | null;
  /**
   * Products, prices and pages as the plan table has them. Resolves to what was changed, a sentence each. Rejects while
   * the provider cannot add GST as it was chosen.
   */
  setUp(): Promise<readonly string[]>;
  /** The secret of the endpoint that receives events; null if the provider has one for this address already. */
  setUpEvents(url: string): Promise<string | null>;
}

/**
 * The provider refused a request: a mistake in the set-up, or a defect. Its message may be logged, and is never sent to
 * a customer.
 */
export class PaymentsProblem extends Error {
  override readonly name = 'PaymentsProblem';
}
