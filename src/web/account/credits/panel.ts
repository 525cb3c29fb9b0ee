// What the account has used of this month's credits: the balance, the chart, and the same figures as tables.
import type { AccountUse } from '../../../accounts/billing/account-reader';
import { isNearLimit } from '../../../plans/credits';
import { type Html, html } from '../../html';
import { firstCall } from '../entry/new-key';
import { amountText, countText, dayText, monthText } from '../moments';
import type { OwnAccount } from '../own-account';
import { partFigures } from './figures';

export function creditsPanel({ use, days, next, baseUrl }: OwnAccount): Html {
  const { used, usage, period } = use;
  const [limit, remaining] = [use.limit!, use.remaining!];
  const isNear = isNearLimit(used, use.included!);
  return html`<section class="panel" id="credits" aria-labelledby="credits-title"><h2 id="credits-title">Credits in ${monthText(period.startMs)}<span class="h-note">Days and months are in UTC</span></h2>
<div class="body">
<p class="balance"><b>${countText(remaining)}</b> of ${countText(limit)} left${usage.granted > 0 && html`, of which ${countText(usage.granted)} are granted and do not expire`}</p>
<svg class="meter" role="img" aria-label="${`${countText(used)} of ${amountText(limit, 'credit')} used`}" viewBox="0 0 100 1" preserveAspectRatio="none"><rect class="meter-all" width="100" height="1"/><rect class="${isNear ? 'meter-near' : 'meter-used'}" width="${limit === 0 ? 0 : Math.min(100, Math.round((1000 * used) / limit) / 10)}" height="1"/></svg>
<p class="small">${countText(used)} used · back to the full allowance on ${dayText(period.endMs)}</p>
${outlook(use, next?.plan.title ?? null)}
${days.length === 0 ? html`<p>No credits used yet this month. Your calls appear here within seconds.</p>${firstCall(baseUrl, 'YOUR_KEY')}` : partFigures({ month: period, days, by: 'endpoint', nameOf: endpointName })}
<p><a href="/account/credits">Other months, by key, and statements</a></p>
</div></section>`;
}

/** What the present rate leads to, where it leads past the limit. */
function outlook({ burn, limit, period }: AccountUse, next: string | null): Html | null {
  if (!burn.measured || burn.projected <= limit!) return null;
  return html`<p class="notice notice-warn">At the present rate you need about ${amountText(burn.projected, 'credit')} by ${dayText(period.endMs)}, more than you have.${next !== null && html` <a href="#plan">See what ${next} gives</a>.`}</p>`;
}

export const endpointName = (endpoint: string): Html => html`<code>${endpoint}</code>`;
