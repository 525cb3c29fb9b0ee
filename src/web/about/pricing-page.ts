// The plans with their prices, and what calls cost: from the plan table and the operations' own declarations.
import { LIMITS } from '../../plans/limits';
import { hasOverage, overagePrice } from '../../plans/overage';
import { PLANS, type Plan, seesBetslip } from '../../plans/plans';
import { PRICED_PLANS, type PricedPlan, priceAud } from '../../plans/prices';
import { RIGHTS, type Right, type RightName } from '../../plans/rights';
import { UNKNOWN } from '../format';
import { type Fragment, type Html, html } from '../html';
import { type PlainPage, plainPage } from '../plain/plain-pages';
import type { AboutSource, CallCost, GatedCalls } from './model';

const number = (n: number): string => n.toLocaleString('en-AU');
const dollars = (aud: number): string => `A$${number(aud)}`;

const pricedOf = ({ id }: Plan): PricedPlan | undefined => PRICED_PLANS.find((plan) => plan.id === id);

function priceOf(plan: Plan, interval: 'month' | 'year'): string {
  const priced = pricedOf(plan);
  if (priced) return dollars(priceAud({ plan: priced, interval }));
  return plan.monthlyPriceAud === null ? 'by agreement' : 'free';
}

/** To a hundredth of a cent, as it is charged to whole cents a month. */
function overageOf(plan: Plan): string {
  const price = hasOverage(plan) ? overagePrice(plan) : null;
  return price === null ? UNKNOWN : `A$${price.toFixed(4)}`;
}

const COLUMNS: readonly (readonly [title: string, of: (plan: Plan) => Fragment])[] = [
  ['A month', (plan) => priceOf(plan, 'month')],
  ['A year', (plan) => priceOf(plan, 'year')],
  ['Credits a month', ({ monthlyCredits }) => number(monthlyCredits)],
  ['Requests a minute', ({ requestsPerMinute }) => number(requestsPerMinute)],
  ['Hours ahead', ({ horizonHours }) => number(horizonHours)],
  ['1,000 credits more', overageOf],
  ['Keys', ({ id }) => number(LIMITS[id].keys)],
  ['Streams', ({ id }) => number(LIMITS[id].streams)],
  ['Webhooks', ({ id }) => number(LIMITS[id].webhooks)],
  ['Widgets', ({ id }) => number(LIMITS[id].widgets)],
];

const tableOf = (columns: typeof COLUMNS): Html =>
  html`<table class="about-table"><thead><tr><th scope="col">Plan</th>${columns.map(([title]) => html`<th scope="col" class="num">${title}</th>`)}</tr></thead>
<tbody>${PLANS.map((plan) => html`<tr><th scope="row">${plan.title}</th>${columns.map(([, of]) => html`<td class="num">${of(plan)}</td>`)}</tr>`)}</tbody></table>`;

const planTable = (): Html =>
  html`<p class="scroll-hint" aria-hidden="true">Swipe the table for more columns →</p>
<div class="about-scroll about-plans" tabindex="0" role="region" aria-label="Plans">${tableOf(COLUMNS)}</div>`;

const IN_BRIEF = ['A month', 'Credits a month', 'Requests a minute'];

/** The plans with what most readers compare. */
export const shortPlanTable = (): Html => tableOf(COLUMNS.filter(([title]) => IN_BRIEF.includes(title)));

const titleOf = (id: Plan['id']): string => PLANS.find((plan) => plan.id === id)!.title;

const callLinks = (calls: GatedCalls['calls']): Html =>
  html`<span class="about-calls">${calls.map(({ summary, page }, i) => html`${i > 0 && ' · '}<a href="${page}">${summary}</a>`)}</span>`;

function rightRow(name: RightName, gates: readonly GatedCalls[]): Html {
  const { title, least, window }: Right = RIGHTS[name];
  const windowed = window && `; its last ${window.days} days from ${titleOf(window.plan)}`;
  const gated = gates.find(({ right }) => right === name);
  return html`<li>${title}: from ${titleOf(least)}${windowed}${gated && callLinks(gated.calls)}</li>`;
}

const ruleRow = ({ rule, calls }: GatedCalls): Html => html`<li>${rule}${callLinks(calls)}</li>`;

const planRows = (gates: readonly GatedCalls[]): Html[] => [
  ...(Object.keys(RIGHTS) as RightName[]).map((name) => rightRow(name, gates)),
  ...gates.filter(({ right }) => right === null).map(ruleRow),
  html`<li>Betslip links: from ${PLANS.find(seesBetslip)!.title}</li>`,
];

const costRow = ({ method, path, summary, cost, page }: CallCost): Html =>
  html`<tr><th scope="row"><a href="${page}">${summary}</a></th><td>${cost}</td><td><code>${method} ${path}</code></td></tr>`;

export const pricingPage = (about: Pick<AboutSource, 'costs' | 'gates'>, canSignUp: boolean): PlainPage =>
  plainPage(
    'Plans and prices',
    html`<p>Every plan reads the same live prices. A plan has credits for each calendar month in UTC and a number of requests a minute. A call that fails is free.${canSignUp && html` <a href="/signup">Get a key</a> on the free plan; no payment details are needed.`}</p>
${planTable()}
<p>Prices are in Australian dollars. A year costs ten months. “1,000 credits more” is the price beyond the allowance; it is off until you switch it on. Unused credits expire with their month.</p>
<h2>What needs a plan</h2>
<ul class="about-list">${planRows(about.gates())}</ul>
<h2>What calls cost</h2>
<p>Operations that are not listed are free. A response that has not changed (304) costs nothing.</p>
<div class="about-scroll" tabindex="0" role="region" aria-label="What calls cost"><table class="about-table"><thead><tr><th scope="col">Call</th><th scope="col">Cost</th><th scope="col">Address</th></tr></thead><tbody>${about.costs().map(costRow)}</tbody></table></div>`,
  );
