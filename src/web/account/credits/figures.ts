// The figures of a month's credits: the chart, and the same as tables for readers of a screen.
import type { CreditMonth } from '../../../plans/credits';
import type { DayUsage, UsageBy } from '../../../store/credits/daily-usage';
import { type Fragment, type Html, html } from '../../html';
import { countText, shortDayText } from '../moments';
import { byPart, columnsOf, creditChart } from './chart';

export interface MonthUse {
  readonly month: CreditMonth;
  readonly days: readonly DayUsage[];
  readonly by: UsageBy;
  /** Of an operation or a key. */
  readonly nameOf: (part: string) => Fragment;
}

const NOUNS = { endpoint: ['Operation', 'Operations'], key: ['Key', 'Keys'] } as const;

/** Parts, and days with their parts. */
export function partFigures({ month, days, by, nameOf }: MonthUse): Html {
  const [noun, nouns] = NOUNS[by];
  const parts = byPart(days);
  const all = parts.reduce((sum, { credits }) => sum + credits, 0);
  return html`${creditChart(days, month)}
<div class="table"><table class="figures"><caption class="vh">Credits by ${noun.toLowerCase()}</caption><thead><tr><th scope="col">${noun}</th><th scope="col">Calls</th><th scope="col">Credits</th><th scope="col">Share</th></tr></thead>
<tbody>${parts.map(({ part, calls, credits, colour }) => html`<tr><th scope="row"><span class="swatch use-${colour}" aria-hidden="true"></span>${nameOf(part)}</th><td>${countText(calls)}</td><td>${countText(credits)}</td><td>${percentOf(credits, all)}</td></tr>`)}</tbody></table></div>
<details class="more"><summary>Figures by day</summary><div class="table"><table class="figures by-day"><caption class="vh">Credits by day</caption><thead><tr><th scope="col">Day</th><th scope="col">${nouns}</th><th scope="col">Credits</th></tr></thead>
<tbody>${daysNewestFirst(days, month).map(({ startMs, credits, uses }) => html`<tr><th scope="row">${shortDayText(startMs)}</th><td>${uses.map((each, i) => html`${i > 0 && ', '}${nameOf(each.part)} ${countText(each.credits)}`)}</td><td>${countText(credits)}</td></tr>`)}</tbody></table></div></details>`;
}

/** Days alone. */
export function dayFigures(month: CreditMonth, days: readonly DayUsage[]): Html {
  const whole = days.map((each) => ({ ...each, part: '' }));
  return html`${creditChart(whole, month)}
<div class="table"><table class="figures"><caption class="vh">Credits by day</caption><thead><tr><th scope="col">Day</th><th scope="col">Calls</th><th scope="col">Credits</th></tr></thead>
<tbody>${daysNewestFirst(days, month).map(({ startMs, credits, uses }) => html`<tr><th scope="row">${shortDayText(startMs)}</th><td>${countText(uses.reduce((sum, { calls }) => sum + calls, 0))}</td><td>${countText(credits)}</td></tr>`)}</tbody></table></div>`;
}

const percentOf = (part: number, whole: number): string =>
  whole === 0 ? '0%' : `${Math.round((100 * part) / whole)}%`;

/** Without days on which no credits were used. */
const daysNewestFirst = (days: readonly DayUsage[], month: CreditMonth) =>
  columnsOf(days, month)
    .filter(({ credits }) => credits > 0)
    .reverse()
    .map(({ startMs, credits }) => {
      const day = new Date(startMs).toISOString().slice(0, 10);
      return { startMs, credits, uses: days.filter((each) => each.day === day) };
    });
