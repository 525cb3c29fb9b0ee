// An upgrade in two steps: a signed link, which changes nothing, and the provider's page that it leads to. Only the
// customer's own click on that page pays (mail scanners open links).
import { AppError } from '../../errors';
import type { HostedPage } from '../../payments/payments';
import { type Plan, planNamed } from '../../plans/plans';
import {
  type FirstPayment,
  firstPayment,
  type Interval,
  isUpgrade,
  type Offer,
  offerOf,
  priceAud,
} from '../../plans/prices';
import { type BillingDeps, instantOf, type Payer } from './deps';
import { readLevel, type Subscribed } from './reading';
import { nextReadingMs } from './reading-times';
import { isSigned, type SignedWish, upgradeUrl } from './signed-link';

export interface UpgradeLink {
  readonly url: string;
  /** Epoch seconds. */
  readonly expiresAt: number;
  readonly offer: Offer;
  readonly priceAud: number;
  /** Of a new subscription, if it is paid now; null: one that exists is changed, and what is left of it counts. */
  readonly first: FirstPayment | null;
}

const LINK_LASTS_SECONDS = 3600;

export async function upgradeLink(
  deps: BillingDeps,
  { accountId }: Payer,
  wanted: { plan: string; interval: Interval },
): Promise<UpgradeLink> {
  const offer = offerOf(wanted.plan, wanted.interval);
  if (!offer) throw new AppError('conflict', `The plan ${wanted.plan} cannot be bought.`);
  const { current } = await required(deps, accountId, offer);
  const nowMs = deps.wallMs();
  const expires = Math.floor(nowMs / 1000) + LINK_LASTS_SECONDS;
  const wish = { account: accountId, plan: offer.plan.id, interval: offer.interval, expires };
  return {
    url: upgradeUrl(deps.baseUrl, wish, await deps.store.linkSecret()),
    expiresAt: expires,
    offer,
    priceAud: priceAud(offer),
    first: current === null ? firstPayment(offer, nowMs) : null,
  };
}

/** The page of the payment provider that a signed link leads to. */
export async function openUpgrade(deps: BillingDeps, wish: SignedWish): Promise<HostedPage> {
  const { payments, store, wallMs } = deps;
  const offer = offerOf(wish.plan, wish.interval);
  if (!offer || !isSigned(wish, await store.linkSecret()))
    throw new AppError('not_found', 'This link is not from this service, or was cut off. Ask for another one.');
  if (wish.expires * 1000 <= wallMs()) throw new AppError('gone', 'This link has expired. Ask for another one.');
  const accountId = wish.account;
  const { current, account } = await required(deps, accountId, offer);
  const customerId = await customerOf(deps, accountId, account);
  const nowMs = wallMs();
  const page = current
    ? await payments.confirmChange({ customerId, subscription: current, offer })
    : await payments.checkout({ customerId, accountId, offer, key: wish.signature, nowMs });
  const opened = { accountId, at: instantOf(nowMs), dueAt: instantOf(nextReadingMs(nowMs, nowMs)) };
  if (await store.openedCheckout(opened)) return page;
  // Closed meanwhile: the page leads nowhere.
  await payments.endAll(customerId);
  throw noAccount();
}

/**
 * The subscription that is changed, null: a new one begins; and the account as that reading left it. Throws for what is
 * no upgrade.
 */
async function required(deps: BillingDeps, accountId: string, offer: Offer) {
  const current = await readLevel(deps, accountId);
  const account = await deps.store.account(accountId);
  if (!account || account.closedAt !== null) throw noAccount();
  requireUpgrade(current, planNamed(account.plan)!, offer);
  return { current, account };
}

const noAccount = (): AppError => new AppError('not_found', 'This account no longer exists.');

/** The account's customer at the provider, made if there is none, or none any more. */
async function customerOf(
  { payments, store, wallMs }: BillingDeps,
  accountId: string,
  { email, customerId: known }: { email: string | null; customerId: string | null },
): Promise<string> {
  if (known !== null && (await payments.hasCustomer(known))) return known;
  const customerId = await payments.createCustomer({ accountId, email, replaces: known });
  return store.addCustomer({ accountId, customerId, email, replaces: known, at: instantOf(wallMs()) });
}

const PORTAL = 'The billing portal offers it, from the next paid period on.';

function requireUpgrade(current: Subscribed | null, now: Plan, offer: Offer): void {
  const wanted = `${offer.plan.title}, paid by the ${offer.interval}`;
  // More than is bought: an operator's agreement, which a purchase would end.
  if (now.rank > (current?.offer.plan.rank ?? 0) && now.rank >= offer.plan.rank)
    throw new AppError('conflict', `The account has the ${now.title} plan by agreement: ask us to change it.`);
  if (current === null) return;
  const { plan, interval } = current.offer;
  if (plan.id === offer.plan.id && interval === offer.interval)
    throw new AppError('conflict', `The account has the ${wanted} already.`);
  if (!isUpgrade(current.offer, offer))
    throw new AppError(
      'conflict',
      `The account has ${plan.title}, paid by the ${interval}: ${wanted} is no upgrade. ${PORTAL}`,
    );
  if (current.isCancelling)
    throw new AppError(
      'conflict',
      'The subscription is cancelled. Renew it in the billing portal first, then upgrade.',
    );
  if (current.plannedChange !== null)
    throw new AppError(
      'conflict',
      'A change of plan is planned for the next paid period. Take it back in the billing portal first, then upgrade.',
    );
}
