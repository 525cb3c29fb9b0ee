// The plan, what the next one gives, and what is paid. All figures come from the plan table.
import { LIMITS } from '../../../plans/limits';
import type { NextPlan } from '../../../plans/next-plan';
import { hasOverage, overagePrice } from '../../../plans/overage';
import type { Plan } from '../../../plans/plans';
import { priceAud } from '../../../plans/prices';
import { type Html, html } from '../../html';
import { countText, dayText } from '../moments';
import type { OwnAccount } from '../own-account';

type Payments = NonNullable<OwnAccount['payments']>;

export function planPanel({ plan, next, payments }: OwnAccount): Html {
  const standing = payments?.standing;
  return html`<section class="panel" id="plan" aria-labelledby="plan-title"><h2 id="plan-title">Plan</h2><div class="body">
<p class="plan-line"><b>${plan.title}</b> ${priceText(plan)}</p>
${standing?.current?.isCancelling && html`<p class="notice notice-warn">${endText(standing.current.paidUntil, standing)}</p>`}
${standing?.hasLapsed && html`<p class="notice notice-warn">Your subscription is not paid, and gives no plan any more. Invoices go on until you cancel it.</p>`}
${standing && unpaidNotices(standing)}
<div class="table"><table class="figures compare"><caption class="vh">Your plan${next && html` and the next one`}</caption><thead><tr><td></td><th scope="col">${plan.title}</th>${next && html`<th scope="col">${next.plan.title}</th>`}</tr></thead>
<tbody>${ROWS.map(([label, text]) => html`<tr><th scope="row">${label}</th><td>${text(plan)}</td>${next && html`<td>${text(next.plan)}</td>`}</tr>`)}</tbody></table></div>
${next && additions(next)}
<p class="small"><a href="/pricing">All plans and what calls cost</a></p>
${payments === null ? askForPlan(next) : paying(plan, payments)}</div></section>`;
}

function unpaidNotices({ unpaid, unpaidOverage, hasLapsed, agreed, current }: Payments['standing']): Html | null {
  if (unpaid === null && unpaidOverage === null) return null;
  // A plan by agreement stays, and one that is cancelled has its own notice.
  const ends = agreed === null && !current?.isCancelling;
  return html`${unpaid && !hasLapsed && html`<p class="notice notice-warn">The payment of ${dayText(unpaid.since)} failed.${ends && ` The plan ends on ${dayText(unpaid.endsAt)} unless it is made.`}</p>`}
${unpaidOverage && html`<p class="notice notice-warn">${overageText(unpaidOverage)}</p>`}
<form method="post" action="/account/billing/portal"><button class="button primary">Pay or change the card</button></form>`;
}

const overageText = ({ month, isInvoiced }: NonNullable<Payments['standing']['unpaidOverage']>): string =>
  isInvoiced
    ? `Overage is off: its invoice of ${month} is not paid. Pay it, then turn overage on again.`
    : `Overage is off: that of ${month} cannot be invoiced. Check address and card, and turn overage on again in ten minutes.`;

const endText = (paidUntil: string, { agreed }: Payments['standing']): string =>
  agreed === null
    ? `The plan ends on ${dayText(paidUntil)}. After that the account is on Free.`
    : `The subscription ends on ${dayText(paidUntil)}. The account stays on ${agreed.title} by agreement.`;

const ROWS: readonly (readonly [string, (plan: Plan) => string])[] = [
  ['A$ a month', ({ monthlyPriceAud }) => (monthlyPriceAud === null ? 'agreed' : countText(monthlyPriceAud))],
  ['Credits a month', (plan) => countText(plan.monthlyCredits)],
  ['Requests a minute', (plan) => countText(plan.requestsPerMinute)],
  ['Hours ahead', (plan) => countText(plan.horizonHours)],
  ['API keys', (plan) => countText(LIMITS[plan.id].keys)],
];

const priceText = ({ monthlyPriceAud }: Plan): string =>
  monthlyPriceAud === null ? 'by agreement' : monthlyPriceAud === 0 ? 'A$0' : `A$${countText(monthlyPriceAud)} a month`;

const additions = ({ plan, adds }: NextPlan): Html | null =>
  adds.length === 0
    ? null
    : html`<p class="small">${plan.title} adds:</p><ul class="adds">${adds.map((one) => html`<li>${one}</li>`)}</ul>`;

const askForPlan = (next: NextPlan | null): Html | null =>
  next &&
  html`<p class="small">Plans cannot be paid for on this service. Its operator changes the plan of an account.</p>`;

function paying(plan: Plan, { standing, isOverageOn }: Payments): Html {
  const { offers, isCustomer, current, hasLapsed, agreed } = standing;
  const canCancel = hasLapsed || (current !== null && !current.isCancelling);
  return html`${
    offers.length > 0 &&
    html`<form method="post" action="/account/billing/upgrade">
<div class="field"><label for="upgrade-offer">Change to</label><select id="upgrade-offer" name="offer">${offers.map((offer) => html`<option value="${offer.plan.id} ${offer.interval}">${offerText(offer)}</option>`)}</select></div>
${offers[0]!.first && html`<p class="small">${FIRST_PAYMENT}</p>`}
<button class="button primary">Continue to payment</button></form>`
  }
${isCustomer && html`<form method="post" action="/account/billing/portal"><button class="button">Invoices and payment details</button></form>`}
${hasOverage(plan) && overageForm(plan, isOverageOn)}
${canCancel && html`<details class="more"><summary>Cancel the plan</summary><form method="post" action="/account/billing/cancel"><p>${hasLapsed ? LAPSED_ENDS : agreed === null ? PAID_ENDS : agreedStays(agreed)}</p><button class="button danger">Cancel the plan</button></form></details>`}`;
}

const offerText = ({ first, ...offer }: Payments['standing']['offers'][number]): string => {
  const text = `${offer.plan.title}, A$${countText(priceAud(offer))} a ${offer.interval}`;
  if (!first) return text;
  const [price, until] = [`A$${(first.cents / 100).toFixed(2)}`, dayText(first.untilMs)];
  return first.dueCents > 0
    ? `${text}: today ${price} until ${until}`
    : `${text}: nothing today, ${price} until ${until} come with the next payment`;
};

const FIRST_PAYMENT =
  'Plans are paid from the first of a month, 00:00 UTC, as credits are counted. The time until then is paid first, in proportion, and has the credits of the whole month.';

const PAID_ENDS =
  'You keep the plan until the end of the time that you have paid for. After that the account is on Free, and keys and data stay.';
const agreedStays = ({ title }: Plan): string =>
  `The subscription ends with the time that you have paid for. The account stays on ${title} by agreement.`;
const LAPSED_ENDS =
  'The subscription ends with the period of its last invoice, and no other invoice follows. Keys and data stay.';

const overageForm = (
  plan: Plan,
  isOn: boolean,
): Html => html`<form method="post" action="/account/billing/overage"><h3>Overage: ${isOn ? 'on' : 'off'}</h3>
<p class="small">${isOn ? 'Calls go' : 'With it, calls go'} on after the month’s credits are used up, to ${100 * plan.overageShare}% past the allowance, at A$${overagePrice(plan)!.toFixed(2)} per 1,000 credits.</p>
<input type="hidden" name="on" value="${isOn ? 'no' : 'yes'}"><button class="button">Turn overage ${isOn ? 'off' : 'on'}</button></form>`;
