// Everything that an account can do about what it pays. Without a payment provider each of these is a 503, and nothing
// else of the service changes (D15).
import { AppError, ExpectedRefusal } from '../../errors';
import type { HostedPage } from '../../payments/payments';
import type { Plan } from '../../plans/plans';
import type { Interval } from '../../plans/prices';
import { type BillingDeps, instantOf, type Payer } from './deps';
import { type OverageView, readOverage, switchOverage } from './overage';
import { readLevel, readSubscriptions, type Subscribed } from './reading';
import { cameBack, type Returned, returned } from './returning';
import type { SignedWish } from './signed-link';
import { agreedOf, type Standing, standingOf } from './standing';
import { readUnpaidOverage } from './unpaid-overage';
import { openUpgrade, type UpgradeLink, upgradeLink } from './upgrade';

export interface Cancellation {
  readonly plan: Plan;
  readonly interval: Interval;
  /** The end of the period that was invoiced last. */
  readonly endsAt: string;
  /** It was unpaid for too long to give its plan. */
  readonly hasLapsed: boolean;
  /** The plan that an operator set, which stays; null: the account will be on Free. */
  readonly agreed: Plan | null;
}

export interface Billing {
  /** Whether plans can be bought. */
  readonly sells: boolean;
  /** Without a call to the provider. */
  standing(account: Payer): Promise<Standing>;
  portal(account: Payer): Promise<HostedPage>;
  upgradeLink(account: Payer, wanted: { plan: string; interval: Interval }): Promise<UpgradeLink>;
  openUpgrade(wish: SignedWish): Promise<HostedPage>;
  /** Back from a checkout: reads the account at once, at most every five seconds. */
  returned(account: Payer, checkoutId: string): Promise<Returned>;
  /** The same for the provider's other pages. */
  cameBack(account: Payer): Promise<void>;
  /**
   * At the end of the paid period, of every subscription that is still invoiced. The same again if they are cancelled
   * already.
   */
  cancel(account: Payer): Promise<Cancellation>;
  /** Throws a 403 on a plan without overage. */
  overage(account: Payer): Promise<OverageView>;
  /** Counts for the next call. */
  setOverage(account: Payer, on: boolean): Promise<OverageView>;
  /** An event of the payment provider. Throws unless it is signed. */
  event(body: Buffer, signature: string): Promise<void>;
}

export function createBilling(deps: BillingDeps): Billing {
  const { payments, store, wallMs } = deps;
  return {
    sells: true,
    standing: (account) => standingOf(deps, account),
    async portal({ accountId }) {
      const customerId = (await store.account(accountId))?.customerId;
      if (!customerId) throw nothingBought();
      return payments.portal(customerId);
    },
    upgradeLink: (account, wanted) => upgradeLink(deps, account, wanted),
    openUpgrade: (wish) => openUpgrade(deps, wish),
    returned: (account, checkoutId) => returned(deps, account, checkoutId),
    cameBack: (account) => cameBack(deps, account),
    async cancel({ accountId }) {
      const { current, lapsed } = await readSubscriptions(deps, accountId);
      const invoiced = current ? [current] : lapsed;
      const [first] = invoiced;
      if (!first) throw nothingBought();
      const renewed = invoiced.filter(({ isCancelling }) => !isCancelling);
      for (const one of renewed) await payments.cancelAtPeriodEnd(one);
      if (renewed.length > 0) await readLevel(deps, accountId);
      const agreed = agreedOf(await store.account(accountId));
      return { ...cancellationOf(first), hasLapsed: current === null, agreed };
    },
    overage: (account) => readOverage(deps, account),
    setOverage: (account, on) => switchOverage(deps, account, on),
    event: (body, signature) => takeEvent(deps, payments.readEvent(body, signature, wallMs())),
  };
}

/** Days for which the provider may send an event again, and more. */
const EVENTS_KEPT_MS = 30 * 86_400_000;

/** The state is read before the event counts as done: a crash between them only reads twice. */
async function takeEvent(deps: BillingDeps, event: ReturnType<BillingDeps['payments']['readEvent']>): Promise<void> {
  if (!event) throw new AppError('bad_request', 'The signature of this event is not valid.');
  const { store, wallMs } = deps;
  if (await store.isDone(event.id)) return;
  const accountId = event.customerId && (await store.accountOfCustomer(event.customerId));
  if (accountId) {
    await readLevel(deps, accountId);
    await readUnpaidOverage(deps, accountId);
  }
  const nowMs = wallMs();
  await store.done({ ...event, at: instantOf(nowMs), forgetBefore: instantOf(nowMs - EVENTS_KEPT_MS) });
}

const nothingBought = (): AppError =>
  new AppError('conflict', 'The account has no subscription. It begins with an upgrade.');

const cancellationOf = ({ offer, paidUntil }: Subscribed) => ({ ...offer, endsAt: instantOf(paidUntil * 1000) });

const ASK_AGAIN_SECONDS = 3600;

const switchedOff = async (): Promise<never> => {
  const detail = 'Payments are not set up on this service: its operator changes plans.';
  throw new ExpectedRefusal('unavailable', detail, { retry_after_seconds: ASK_AGAIN_SECONDS });
};

/** The service takes no payments. */
export const NO_BILLING: Billing = {
  sells: false,
  standing: switchedOff,
  portal: switchedOff,
  upgradeLink: switchedOff,
  openUpgrade: switchedOff,
  returned: switchedOff,
  cameBack: switchedOff,
  cancel: switchedOff,
  overage: switchedOff,
  setOverage: switchedOff,
  event: switchedOff,
};
