// Reads what an account buys from the payment provider and stores it, as a level: events and passes only decide when.
// Whatever order they come in, the account ends with what the provider has.
import type { Subscription } from '../../payments/payments';
import { hasOverage } from '../../plans/overage';
import { planNamed, UNPAID_DAYS } from '../../plans/plans';
import type { Offer } from '../../plans/prices';
import { endClosed } from './closed';
import { type BillingDeps, instantOf } from './deps';
import { nextReadingMs } from './reading-times';

/** A subscription that gives a plan. */
export type Subscribed = Subscription & { readonly offer: Offer };

const FREE = 'free';
export const UNPAID_MS = UNPAID_DAYS * 86_400_000;

/** What an account has at the provider. */
interface Level {
  /** What gives the plan; null: nothing does. */
  readonly current: Subscribed | null;
  /**
   * Unpaid for too long to give a plan, and still invoiced, the highest plan first. None beside a current one, which
   * ends them.
   */
  readonly lapsed: readonly Subscribed[];
}

/** A subscription whose invoices do not have GST as the operator chose it. */
export interface Untaxed {
  readonly accountId: string;
  readonly subscription: string;
  readonly reason: string;
}

const NOTHING = { current: null, lapsed: [], untaxed: [] };

/** Resolves to the subscription that gives the plan; null: there is none. */
export const readLevel = async (deps: BillingDeps, accountId: string): Promise<Subscribed | null> =>
  (await readSubscriptions(deps, accountId)).current;

export async function readSubscriptions(
  deps: BillingDeps,
  accountId: string,
): Promise<Level & { readonly untaxed: readonly Untaxed[] }> {
  const { payments, store, rewards, log, wallMs } = deps;
  const account = await store.account(accountId);
  const customerId = account?.customerId ?? null;
  if (customerId === null) return NOTHING;
  if (account?.closedAt != null) {
    await endClosed(deps, { accountId, customerId, closedAt: account.closedAt });
    return NOTHING;
  }
  const number = await store.beginReading(accountId);
  const all = await payments.subscriptions(customerId);
  const nowMs = wallMs();
  const { current, lapsed, duplicates } = chosen(all, nowMs);
  const owing = current ? [current] : lapsed.filter(({ isCancelling }) => !isCancelling);
  const isNewest = await store.write({
    ...{ accountId, number, isClosed: false },
    bought: current && boughtOf(current),
    hasLapsed: current === null && owing.length > 0,
    unpaidSince: unpaidSinceOf(owing),
    noPlan: FREE,
    hasOverage: (plan) => hasOverage(planNamed(plan)!),
    at: instantOf(nowMs),
    dueAt: (openedAt) => instantOf(nextReadingMs(nowMs, openedAt === null ? null : Date.parse(openedAt))),
  });
  const unknown = all.find((one) => one.id === account?.bought?.subscriptionId && one.offer === null);
  if (unknown)
    log.warn({ accountId, subscription: unknown.id }, 'a subscription that gave a plan has a price that gives none');
  for (const one of isNewest ? duplicates : []) {
    log.warn({ accountId, subscription: one.id, kept: current?.id }, 'a second subscription of one account is ended');
    await payments.endDuplicate(one);
  }
  const untaxed = isNewest ? await addTaxes(deps, accountId, [...(current ? [current] : []), ...lapsed]) : [];
  await nameCustomer(deps, accountId, account);
  await rewards.check(accountId, () => payments.hasPaid(customerId));
  return { current, lapsed, untaxed };
}

/** Invoices and receipts go to the account's present address. */
async function nameCustomer(
  { payments, store, log }: BillingDeps,
  accountId: string,
  account: Awaited<ReturnType<BillingDeps['store']['account']>>,
): Promise<void> {
  const { customerId = null, email = null, customerEmail = null } = account ?? {};
  if (customerId === null || email === null || email === customerEmail) return;
  // A customer of before may have another address there by choice.
  if (customerEmail === null) return store.namedCustomer(accountId, email);
  try {
    await payments.nameCustomer(customerId, email);
    await store.namedCustomer(accountId, email);
  } catch (err) {
    log.warn({ err, accountId }, 'the payment provider has not the address of an account');
  }
}

/** Resolves to those that have no GST yet. */
async function addTaxes(
  deps: BillingDeps,
  accountId: string,
  subscriptions: readonly Subscribed[],
): Promise<readonly Untaxed[]> {
  const untaxed: Untaxed[] = [];
  for (const one of subscriptions) {
    const reason = await addTax(deps, accountId, one);
    if (reason !== null) untaxed.push({ accountId, subscription: one.id, reason });
  }
  return untaxed;
}

/** Of a subscription from before the operator chose GST. Resolves to why it has none yet; null: it has it. */
async function addTax({ payments, log }: BillingDeps, accountId: string, one: Subscribed): Promise<string | null> {
  const about = { accountId, subscription: one.id };
  // Stripe keeps what follows in the planned change.
  if (one.plannedChange !== null && !one.isTaxed && one.taxOnTop === null) {
    log.warn(about, 'a subscription gets GST after its planned change');
    return 'it gets GST after its planned change';
  }
  try {
    await payments.addTax(one);
    return null;
  } catch (err) {
    log.warn({ err, ...about }, 'GST of a subscription is not as STRIPE_TAX has it');
    return err instanceof Error ? err.message : String(err);
  }
}

/**
 * The highest plan, of two equal ones the yearly, then the older. The others were bought by mistake, in two windows at
 * once, or in place of one that was not paid for too long.
 */
function chosen(all: readonly Subscription[], nowMs: number): Level & { readonly duplicates: readonly Subscribed[] } {
  const years = ({ offer }: Subscribed) => Number(offer.interval === 'year');
  const live = all
    .filter((one): one is Subscribed => one.isLive && one.offer !== null)
    .toSorted((a, b) => b.offer.plan.rank - a.offer.plan.rank || years(b) - years(a) || a.created - b.created);
  const current = live.find(({ unpaidSince }) => unpaidSince === null || nowMs < 1000 * unpaidSince + UNPAID_MS);
  if (!current) return { current: null, lapsed: live, duplicates: [] };
  return { current, lapsed: [], duplicates: live.filter((one) => one !== current) };
}

function unpaidSinceOf(owing: readonly Subscribed[]): string | null {
  const times = owing.flatMap(({ unpaidSince }) => unpaidSince ?? []);
  return times.length === 0 ? null : instantOf(Math.min(...times) * 1000);
}

const boughtOf = ({ id, offer, isCancelling, paidUntil }: Subscribed) => ({
  subscriptionId: id,
  plan: offer.plan.id,
  interval: offer.interval,
  isCancelling,
  paidUntil: instantOf(paidUntil * 1000),
});
