// What people do in a rehearsal. Stripe's pages are only opened: what a customer does there is done by requests, with
// the terms of the page and Stripe's test cards.
import { randomBytes, randomUUID } from 'node:crypto';
import { createOpenAccount } from '../../../accounts/keys/open-account';
import { called } from '../../../payments/stripe/client';
import { subscriptionTerms } from '../../../payments/stripe/pages';
import { priceIdOf } from '../../../payments/stripe/prices';
import { periodAt } from '../../../plans/credits';
import { monthlyCredits } from '../../../plans/overage';
import { type Plan, planNamed } from '../../../plans/plans';
import type { Offer } from '../../../plans/prices';
import { hashApiKey, type StoredKey } from '../../../store/keys/keys';
import type { Stage } from './stage';

/** An account with an owner. */
export interface Customer {
  readonly accountId: string;
  readonly key: string;
  /** Invoices that were looked at, with their status. */
  readonly seen: Set<string>;
}

/** Names of Stripe's documentation, and what their payments do. */
export type TestCard = 'pm_card_visa' | 'pm_card_chargeCustomerFail' | 'pm_card_createDispute';

/** Stripe's subscription of a customer, as far as acts need it. */
interface Bought {
  readonly id: string;
  readonly itemId: string;
}

export async function signUp({ stores, clock }: Stage, name: string): Promise<Customer> {
  const open = createOpenAccount(stores.newAccounts, clock.wallMs, randomBytes);
  const opened = await open({ plan: 'free', label: 'Rehearsal', email: `${name}@example.com` });
  return { ...opened, seen: new Set() };
}

export async function payerOf({ stores }: Stage, { accountId }: Customer) {
  const account = await stores.billedAccounts.account(accountId);
  return { accountId, plan: planNamed(account!.plan) as Plan };
}

export async function keyOfCustomer({ stores }: Stage, { key }: Customer): Promise<StoredKey> {
  const [stored] = await stores.keys.find([hashApiKey(key)]);
  if (!stored) throw new Error('the key of the account does not work');
  return stored;
}

/** At Stripe; made when the first page was opened. */
export async function customerIdOf({ stores }: Stage, { accountId }: Customer): Promise<string> {
  const id = (await stores.billedAccounts.account(accountId))?.customerId;
  if (!id) throw new Error('the account has no customer at Stripe');
  return id;
}

/** Requests the link to an upgrade, and opens the page of Stripe that it leads to. */
export async function openStripePage(stage: Stage, customer: Customer, offer: Offer): Promise<void> {
  const { billing, pageWithinMs, say } = stage;
  const wanted = { plan: offer.plan.id, interval: offer.interval };
  const link = await billing.upgradeLink(await payerOf(stage, customer), wanted);
  const { expires, signature, account } = Object.fromEntries(new URL(link.url).searchParams);
  const wish = { ...wanted, account: account!, expires: Number(expires), signature: signature! };
  const { url } = await billing.openUpgrade(wish);
  const { host } = new URL(url);
  const page = await fetch(url, { signal: AbortSignal.timeout(pageWithinMs) }).catch(() => {
    throw new Error(`Stripe’s page on ${host} does not answer`);
  });
  await page.arrayBuffer();
  if (page.status !== 200) throw new Error(`Stripe’s page on ${host} answers with ${page.status}`);
  say(`  done     the page of Stripe on ${host} opened`);
}

async function attach(stage: Stage, customer: Customer, card: TestCard): Promise<string> {
  const owner = await customerIdOf(stage, customer);
  return (await called(stage.stripe.paymentMethods.attach(card, { customer: owner }))).id;
}

/** What a customer does on the page of a new subscription. */
export async function pay(stage: Stage, customer: Customer, offer: Offer, card: TestCard): Promise<void> {
  const { stripe, tax, clock, say } = stage;
  const { accountId } = customer;
  const [owner, price] = [await customerIdOf(stage, customer), await priceIdOf(stripe, offer)];
  await called(
    stripe.subscriptions.create({
      customer: owner,
      items: [{ price }],
      default_payment_method: await attach(stage, customer, card),
      payment_behavior: 'error_if_incomplete',
      ...subscriptionTerms({ accountId, offer, nowMs: clock.wallMs() }, tax),
      ...(tax.kind === 'automatic' && { automatic_tax: { enabled: true } }),
    }),
  );
  say(`  done     ${offer.plan.title} by the ${offer.interval} is bought with ${card}`);
}

/** What a customer confirms on the page of a change. */
export async function confirm(stage: Stage, customer: Customer, offer: Offer): Promise<void> {
  const { stripe, say } = stage;
  const { id, itemId } = await boughtBy(stage, customer);
  await called(
    stripe.subscriptions.update(id, {
      items: [{ id: itemId, price: await priceIdOf(stripe, offer) }],
      proration_behavior: 'always_invoice',
      payment_behavior: 'error_if_incomplete',
    }),
  );
  say(`  done     the change to ${offer.plan.title} is confirmed`);
}

/** In the portal. */
export async function changeCard(stage: Stage, customer: Customer, card: TestCard): Promise<void> {
  const { id } = await boughtBy(stage, customer);
  const attached = await attach(stage, customer, card);
  await called(stage.stripe.subscriptions.update(id, { default_payment_method: attached }));
  stage.say(`  done     the card is ${card} now`);
}

export async function boughtBy(stage: Stage, customer: Customer): Promise<Bought> {
  const list = stage.stripe.subscriptions.list({ customer: await customerIdOf(stage, customer), limit: 1 });
  const [one] = (await called(list)).data;
  if (!one) throw new Error('Stripe has no subscription of the customer');
  return { id: one.id, itemId: one.items.data[0]!.id };
}

/** As one priced call. */
export async function spend(stage: Stage, customer: Customer, cost: number): Promise<void> {
  const { stores, clock, say } = stage;
  const { epoch, plan, overage } = await keyOfCustomer(stage, customer);
  const room = monthlyCredits({ plan: planNamed(plan)!, overage });
  const nowMs = clock.wallMs();
  const at = { period: periodAt(nowMs).id, at: new Date(nowMs).toISOString() };
  const call = { id: randomUUID(), endpoint: '/v1/racing/best-odds', keyHash: hashApiKey(customer.key), epoch, cost };
  const [charged] = await stores.credits.charge([{ ...call, ...at, ...room }]);
  if (charged?.verdict !== 'charged') throw new Error(`${cost} credits were not charged: ${charged?.verdict}`);
  say(`  done     ${cost.toLocaleString('en-AU')} credits are used`);
}

/** `2026-12-01 02:00`, for lines. */
export const minuteOf = (ms: number): string => new Date(ms).toISOString().slice(0, 16).replace('T', ' ');

/** Advances both clocks. */
async function passTo({ clock, say }: Stage, ms: number): Promise<void> {
  await clock.to(ms);
  say(`  done     it is ${minuteOf(ms)} UTC`);
}

const TURNED_MS = 2 * 3_600_000;

/** Two hours into the next UTC month: Stripe issues an invoice an hour after its period began. */
export const passMonth = (stage: Stage): Promise<void> =>
  passTo(stage, periodAt(stage.clock.wallMs()).endMs + TURNED_MS);

/** A day of the present UTC month, at this hour. */
export const passToDay = (stage: Stage, day: number, hour: number): Promise<void> =>
  passTo(stage, periodAt(stage.clock.wallMs()).startMs + ((day - 1) * 24 + hour) * 3_600_000);
