// The credits of a month: by day, operation or key, and the statements of every month.
import { type CreditMonth, periodAt } from '../../../plans/credits';
import type { DayUsage } from '../../../store/credits/daily-usage';
import type { StatementMonth } from '../../../store/credits/statement/days';
import type { AccountKey } from '../../../store/keys/team-keys';
import { type Html, html } from '../../html';
import { amountText, dayText, monthText } from '../moments';
import type { AccountPage } from '../page';
import { keyName } from '../refused/panel';
import { checkText } from './check';
import { dayFigures, partFigures } from './figures';
import { endpointName } from './panel';

export const VIEWS = ['day', 'endpoint', 'key'] as const;
type View = (typeof VIEWS)[number];

const VIEW_TEXTS: Readonly<Record<View, string>> = { day: 'By day', endpoint: 'By operation', key: 'By key' };

interface ShownCredits {
  readonly month: CreditMonth;
  readonly view: View;
  /** Newest first. */
  readonly months: readonly CreditMonth[];
  /** By key in the view of keys, otherwise by endpoint. */
  readonly days: readonly DayUsage[];
  readonly keys: readonly AccountKey[];
  readonly statements: readonly StatementMonth[];
}

export function creditsPage(shown: ShownCredits): AccountPage {
  const { month, days } = shown;
  const used = days.reduce((sum, { credits }) => sum + credits, 0);
  const main = html`<div class="account-head"><h1>Credits</h1><p><a href="/account">Your account</a></p></div>
<div class="panels"><section class="panel" id="use" aria-labelledby="use-title"><h2 id="use-title">${monthText(month.startMs)}<span class="h-note">Days and months are in UTC</span></h2><div class="body">
${chooser(shown)}
<p class="balance"><b>${amountText(used, 'credit')}</b> used</p>
${used === 0 ? html`<p>No credits were used in this month.</p>` : figures(shown)}</div></section>
${statementPanel(shown.statements)}</div>`;
  return { title: 'Credits', main };
}

const chooser = ({ month, view, months }: ShownCredits): Html =>
  html`<form class="choose" method="get" action="/account/credits"><div class="field"><label for="use-month">Month</label><select id="use-month" name="month">${months.map(({ id, startMs }) => html`<option value="${id.slice(0, 7)}"${id === month.id && html` selected`}>${monthText(startMs)}</option>`)}</select></div>
<div class="field"><label for="use-by">Show</label><select id="use-by" name="by">${VIEWS.map((one) => html`<option value="${one}"${one === view && html` selected`}>${VIEW_TEXTS[one]}</option>`)}</select></div>
<button class="button">Show</button></form>`;

function figures({ month, view, days, keys }: ShownCredits): Html {
  if (view === 'day') return dayFigures(month, days);
  const keyNameOf = (part: string) => (part === '' ? 'deleted keys' : keyName(keys, part));
  const nameOf = view === 'key' ? keyNameOf : endpointName;
  return partFigures({ month, days, by: view, nameOf });
}

function statementPanel(months: readonly StatementMonth[]): Html {
  const listed = months.filter(({ isSummed }) => !isSummed);
  return html`<section class="panel" id="statements" aria-labelledby="statements-title"><h2 id="statements-title">Statements</h2><div class="body">
<p>Each charge, return and grant of a month as CSV. The lines of each day are hashed together with the day before, so you can check that none was changed.</p>
${
  listed.length === 0
    ? html`<p>No day is closed yet. A day is closed a few hours after it has ended.</p>`
    : html`<form class="choose" method="post" action="/account/statement"><div class="field"><label for="statement-month">Month</label><select id="statement-month" name="month">${listed.map(statementOption)}</select></div>
<button class="button">Download the statement</button></form>`
}
${months.length > 0 && html`<form method="post" action="/account/statement/heads"><p class="small">Lines are kept for 13 months. The sums and the head of each day stay.</p><button class="button">Download all heads</button></form>`}
${checkText()}</div></section>`;
}

const statementOption = ({ period, through }: StatementMonth): Html => {
  const { startMs, endMs } = periodAt(Date.parse(period));
  const isWhole = Date.parse(through) >= endMs - 86_400_000;
  return html`<option value="${period.slice(0, 7)}">${monthText(startMs)}${!isWhole && html`, up to ${dayText(through)}`}</option>`;
};
