// What the account has used of this month's credits: the balance, the chart, and the same figures as tables.
import { type Html, html } from '../../html';
import { firstCall } from '../entry/new-key';
import { amountText, countText, dayText, monthText, shortDayText } from '../moments';
import type { AccountView, CreditUse } from '../source';
import { byEndpoint, columnsOf, creditChart } from './credit-chart';

export function creditsPanel({ credits, next }: AccountView, baseUrl: string): Html {
  const { startMs, resetMs, used, limit, isNear, remaining, granted, days } = credits;
  return html`<section class="panel" id="credits" aria-labelledby="credits-title"><h2 id="credits-title">Credits in ${monthText(startMs)}<span class="h-note">Days and months are in UTC</span></h2>
<div class="body">
<p class="balance"><b>${countText(remaining)}</b> of ${countText(limit)} left${granted > 0 && html`, of which ${countText(granted)} are granted and do not expire`}</p>
<svg class="meter" role="img" aria-label="${`${countText(used)} of ${amountText(limit, 'credit')} used`}" viewBox="0 0 100 1" preserveAspectRatio="none"><rect class="meter-all" width="100" height="1"/><rect class="${isNear ? 'meter-near' : 'meter-used'}" width="${limit === 0 ? 0 : Math.min(100, Math.round((1000 * used) / limit) / 10)}" height="1"/></svg>
<p class="small">${countText(used)} used · back to the full allowance on ${dayText(resetMs)}</p>
${outlook(credits, next?.title ?? null)}
${days.length === 0 ? html`<p>No credits used yet this month. Your calls appear here within seconds.</p>${firstCall(baseUrl, 'YOUR_KEY')}` : figures(credits)}
</div></section>`;
}

/** What the present rate leads to, where it leads past the limit. */
function outlook({ projected, limit, resetMs }: CreditUse, next: string | null): Html | null {
  if (projected === null || projected <= limit) return null;
  return html`<p class="notice notice-warn">At the present rate you need about ${amountText(projected, 'credit')} by ${dayText(resetMs)}, more than you have.${next !== null && html` <a href="#plan">See what ${next} gives</a>.`}</p>`;
}

const figures = (credits: CreditUse): Html => html`${creditChart(credits)}
<div class="table"><table class="figures"><caption class="vh">Credits by operation</caption><thead><tr><th scope="col">Operation</th><th scope="col">Calls</th><th scope="col">Credits</th><th scope="col">Share</th></tr></thead>
<tbody>${byEndpoint(credits.days).map(({ endpoint, calls, credits: sum, colour }) => html`<tr><th scope="row"><span class="swatch use-${colour}" aria-hidden="true"></span><code>${endpoint}</code></th><td>${countText(calls)}</td><td>${countText(sum)}</td><td>${percentOf(sum, credits.used)}</td></tr>`)}</tbody></table></div>
<details class="more"><summary>Figures by day</summary><div class="table"><table class="figures by-day"><caption class="vh">Credits by day</caption><thead><tr><th scope="col">Day</th><th scope="col">Operations</th><th scope="col">Credits</th></tr></thead>
<tbody>${dayRows(credits)}</tbody></table></div></details>`;

const percentOf = (part: number, whole: number): string =>
  whole === 0 ? '0%' : `${Math.round((100 * part) / whole)}%`;

/** Newest first; days without a call are left out. */
const dayRows = (credits: CreditUse): Html[] =>
  columnsOf(credits)
    .filter((column) => column.credits > 0)
    .reverse()
    .map(({ startMs, credits: sum }) => {
      const day = new Date(startMs).toISOString().slice(0, 10);
      const uses = credits.days.filter((use) => use.day === day);
      const list = uses.map((use, i) => html`${i > 0 && ', '}<code>${use.endpoint}</code> ${countText(use.credits)}`);
      return html`<tr><th scope="row">${shortDayText(startMs)}</th><td>${list}</td><td>${countText(sum)}</td></tr>`;
    });
