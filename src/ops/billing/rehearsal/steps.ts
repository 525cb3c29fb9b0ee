// The steps of a rehearsal, in order: three customers, each with what is expected at Stripe and here.
import { called } from '../../../payments/stripe/client';
import { periodAt } from '../../../plans/credits';
import { firstPayment, type Interval, type Offer, offerOf, priceAud } from '../../../plans/prices';
import {
  boughtBy,
  type Customer,
  changeCard,
  confirm,
  customerIdOf,
  openStripePage,
  passMonth,
  passToDay,
  pay,
  payerOf,
  signUp,
  spend,
  type TestCard,
} from './acts';
import { doPasses, look } from './look';
import type { Stage } from './stage';
import { patiently } from './test-clock';

const offered = (plan: string, interval: Interval): Offer => {
  const offer = offerOf(plan, interval);
  if (!offer) throw new Error(`the plan ${plan} is not sold`);
  return offer;
};
const centsOf = (offer: Offer): number => 100 * priceAud(offer);
const creditsOf = ({ plan }: Offer): number => plan.monthlyCredits;

export async function setUpCatalogue({ deps, say }: Stage): Promise<void> {
  const done = await deps.payments.setUp();
  say(
    `  done     ${done.length === 0 ? 'Stripe has all of it' : `${done.length} parts of it made at Stripe, which stay`}`,
  );
}

async function buy(stage: Stage, name: string, offer: Offer, card: TestCard): Promise<Customer> {
  const customer = await signUp(stage, name);
  await openStripePage(stage, customer, offer);
  await pay(stage, customer, offer, card);
  return customer;
}

const bought = (stage: Stage, offer: Offer) =>
  ({
    status: 'active',
    plan: offer.plan.id,
    included: creditsOf(offer),
    invoice: { cents: firstPayment(offer, stage.clock.wallMs()).cents, status: 'paid' },
    mails: [`Your plan is now ${offer.plan.title}`],
  }) as const;

export async function buyPlus(stage: Stage): Promise<Customer> {
  const offer = offered('plus', 'month');
  const anna = await buy(stage, 'anna', offer, 'pm_card_visa');
  await look(stage, anna, bought(stage, offer));
  return anna;
}

export async function upgradePlan(stage: Stage, anna: Customer): Promise<void> {
  await passToDay(stage, 20, 3);
  const [before, after] = [offered('plus', 'month'), offered('business', 'month')];
  await openStripePage(stage, anna, after);
  await confirm(stage, anna, after);
  const nowMs = stage.clock.wallMs();
  // Both lines are rounded.
  const cents = firstPayment(after, nowMs).cents - firstPayment(before, nowMs).cents;
  await look(stage, anna, {
    status: 'active',
    plan: 'business',
    included: creditsOf(after),
    invoice: { cents, status: 'paid', within: 1 },
    mails: ['Your plan is now Business'],
  });
}

const BEYOND = 100_000;

export async function goBeyond(stage: Stage, anna: Customer): Promise<void> {
  const { billing, stores } = stage;
  const offer = offered('business', 'month');
  const on = { status: 'active', plan: 'business' } as const;
  await billing.setOverage(await payerOf(stage, anna), true);
  await spend(stage, anna, creditsOf(offer));
  await spend(stage, anna, BEYOND);
  const mails = ['The credits of this month are used', 'Overage has begun this month'];
  await look(stage, anna, { ...on, included: 0, invoice: null, mails });
  await passMonth(stage);
  const renewed = { cents: centsOf(offer), status: 'paid' } as const;
  await look(stage, anna, { ...on, included: creditsOf(offer), invoice: renewed, mails: [] });
  await passToDay(stage, 2, 4);
  await doPasses(stage);
  // Stripe collects it in its own time.
  await passToDay(stage, 2, 6);
  const cents = Math.round((BEYOND * centsOf(offer)) / creditsOf(offer));
  await look(stage, anna, { ...on, included: creditsOf(offer), invoice: { cents, status: 'paid' }, mails: [] });
  if ((await stores.overageInvoices.unsettled(anna.accountId)).length > 0)
    throw new Error('the invoice of overage is paid, and the account shows it as open');
}

export async function decline(stage: Stage, anna: Customer): Promise<void> {
  const { stripe, say } = stage;
  const cents = centsOf(offered('business', 'month'));
  await changeCard(stage, anna, 'pm_card_chargeCustomerFail');
  await passMonth(stage);
  const failed = { cents, status: 'open' } as const;
  await look(stage, anna, { status: 'past_due', plan: 'business', invoice: failed, mails: ['A payment failed'] });
  await changeCard(stage, anna, 'pm_card_visa');
  const open = await called(stripe.invoices.list({ customer: await customerIdOf(stage, anna), status: 'open' }));
  for (const { id } of open.data) await called(stripe.invoices.pay(id!));
  say('  done     the open invoice is paid');
  await look(stage, anna, { status: 'active', plan: 'business', invoice: { cents, status: 'paid' }, mails: [] });
}

/** A dispute ends no plan; the operator ends the subscription at Stripe, as after a refund. */
export async function dispute(stage: Stage): Promise<void> {
  const { stripe, deps, say } = stage;
  const offer = offered('plus', 'month');
  const ben = await buy(stage, 'ben', offer, 'pm_card_createDispute');
  const customer = await customerIdOf(stage, ben);
  const charges = async () => (await called(stripe.charges.list({ customer }))).data;
  await patiently(
    stage.signal,
    'Stripe has no dispute of the payment',
    async () => (await charges())[0]?.disputed === true,
  );
  const [charge] = await charges();
  for (const { status, reason } of (await called(stripe.disputes.list({ charge: charge!.id }))).data)
    say(`  Stripe   the payment is disputed: ${reason}, ${status}`);
  await look(stage, ben, bought(stage, offer));
  if (await deps.payments.hasPaid(customer))
    throw new Error('a customer whose only payment is disputed counts as paid');
  await called(stripe.subscriptions.cancel((await boughtBy(stage, ben)).id));
  say('  done     the operator ends the subscription at Stripe');
  await look(stage, ben, { status: 'canceled', plan: 'free', invoice: null, mails: ['Your Plus plan has ended'] });
}

export async function cancelPlan(stage: Stage, anna: Customer): Promise<void> {
  const { billing, clock, say } = stage;
  const { endsAt } = await billing.cancel(await payerOf(stage, anna));
  if (Date.parse(endsAt) !== periodAt(clock.wallMs()).endMs) throw new Error(`the subscription ends at ${endsAt}`);
  say(`  done     the plan is cancelled and stays until ${endsAt.slice(0, 10)}`);
  await look(stage, anna, { status: 'active', plan: 'business', invoice: null, mails: [] });
  await passMonth(stage);
  await look(stage, anna, { status: 'canceled', plan: 'free', invoice: null, mails: ['Your Business plan has ended'] });
}

const SOME = 1_000;

/** A year that is paid at once has the credits of each month, and no invoice until it turns. */
export async function year(stage: Stage): Promise<void> {
  const { clock } = stage;
  const offer = offered('plus', 'year');
  await passToDay(stage, 10, 3);
  const cleo = await buy(stage, 'cleo', offer, 'pm_card_visa');
  await look(stage, cleo, bought(stage, offer));
  const { untilMs } = firstPayment(offer, clock.wallMs());
  const quiet: Stage = { ...stage, say: () => {} };
  while (periodAt(clock.wallMs()).endMs < untilMs) {
    await spend(quiet, cleo, SOME);
    await passMonth(quiet);
    await look(quiet, cleo, { ...bought(stage, offer), invoice: null, mails: [] });
  }
  stage.say(`  done     eleven months turned: no invoice, and the credits of each month were whole`);
  await spend(stage, cleo, SOME);
  await passMonth(stage);
  await look(stage, cleo, { ...bought(stage, offer), invoice: { cents: centsOf(offer), status: 'paid' }, mails: [] });
}
