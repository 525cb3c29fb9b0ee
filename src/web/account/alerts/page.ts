// Price alerts: a form for a race, those that wait for their price, and what became of the others.
import { bookmaker } from '../../../domain/bookmakers';
import { ALERT_MARKETS } from '../../../domain/prices/alert-price';
import { MAILED_ALERTS_PER_DAY, OPEN_ALERTS } from '../../../plans/limits';
import type { EndReason, PriceAlert } from '../../../store/accounts/alerts/price-alerts';
import { priceText, zoneText } from '../../format';
import { type Fragment, type Html, html } from '../../html';
import { clockAt, countryTag, racePath, startTime } from '../../race-parts';
import { formProblem, hidden, textField } from '../forms/fields';
import { EMPTY, type Filled } from '../forms/filled';
import { momentText } from '../moments';
import { type AccountPage, notice, taskPage } from '../page';
import type { AlertOffer } from './source';

export const ALERT_LABELS = { runner: 'Runner', market: 'Market', price: 'At least' };

export const ALERTS_PATH = '/account/alerts';

interface Shown {
  readonly alerts: readonly PriceAlert[];
  /** By which a browser knows the account. */
  readonly account: string;
  /** Whether alerts are mailed. */
  readonly mailed: boolean;
  /** Race time. */
  readonly nowMs: number;
  /** The race of the form; null: there is no form. */
  readonly offer: AlertOffer | null;
  /** What the form has at first. */
  readonly wish: { readonly number: string; readonly market: string };
  /** The form again, with why it was refused. */
  readonly filled?: Filled;
  readonly done?: string | null;
}

const isOpen = ({ reached, ended }: PriceAlert): boolean => reached === null && ended === null;

export function alertsPage({
  alerts,
  account,
  mailed,
  nowMs,
  offer,
  wish,
  filled = EMPTY,
  done = null,
}: Shown): AccountPage {
  const open = alerts.filter(isOpen);
  const past = alerts.filter((alert) => !isOpen(alert));
  const main = html`<div class="account-head"><h1>Price alerts</h1><p><a href="/account">Back to your account</a></p></div>
${done !== null && notice(done)}${offer === null && formProblem(filled)}
<div class="account panels">${offer && orderPanel(offer, wish, filled)}
<section class="panel" id="open" aria-labelledby="open-title"><h2 id="open-title">Waiting for their price<span class="h-note">${open.length} of ${OPEN_ALERTS}</span></h2><div class="body">
${open.length > 0 ? html`<ul class="team">${open.map((alert) => alertItem(alert, nowMs))}</ul>${stopAll}` : html`<p>None. The page of each race before its jump has a link to make one.</p>`}
<p class="small">An alert is done as soon as a bookmaker pays at least your price: one that the page of the race shows at that moment, not stale and no placeholder. It ends with the race, and waits again if the race is ahead of its jump again and no more than ${OPEN_ALERTS} wait. Alerts are free.</p></div></section>
${waysPanel(account, mailed)}
${past.length > 0 && html`<section class="panel" id="past" aria-labelledby="past-title"><h2 id="past-title">Done<span class="h-note">the last seven days</span></h2><div class="body"><ul class="team">${past.map((alert) => alertItem(alert, nowMs))}</ul></div></section>`}</div>`;
  return { title: 'Price alerts', main };
}

/** How an owner learns of a price. A script enables the button, and says how it stands. */
const waysPanel = (account: string, mailed: boolean): Html =>
  html`<section class="panel" id="ways" aria-labelledby="ways-title"><h2 id="ways-title">How you learn of a price</h2><div class="body">
<form method="post" action="${ALERTS_PATH}/mails">${mailed ? html`<p><b>By mail</b>, once for each alert, at most ${MAILED_ALERTS_PER_DAY} in a day (Sydney).</p><button class="button">Stop the mails</button>` : html`<p><b>Not by mail</b>: you stopped the mails of price alerts.</p>${hidden('on', 'yes')}<button class="button">Mail price alerts again</button>`}</form>
<p><b>By a notification</b> of this browser, once for each alert, while a page of this service is open in it.</p>
<p class="small" id="alert-notice-state" role="status">It needs a script, which is not running.</p>
<p><button type="button" class="button" id="alert-notice" data-account="${account}" aria-pressed="false" aria-describedby="alert-notice-state" disabled>Notify me in this browser</button></p></div></section>`;

const stopAll = html`<details class="more"><summary>Stop all</summary><form method="post" action="${ALERTS_PATH}/stop"><button class="button danger">Stop all alerts that wait</button></form></details>`;

const raceText = ({ venue, raceNumber, startMs, country }: AlertOffer['race'], nowMs: number): Html =>
  html`${venue} R${raceNumber} ${countryTag(country)} · ${startTime(startMs, nowMs)}`;

function orderPanel({ race, runners, nowMs }: AlertOffer, wish: Shown['wish'], filled: Filled): Html {
  const runner = filled.values.runner ?? wish.number;
  const market = filled.values.market ?? wish.market;
  return html`<section class="panel" id="new" aria-labelledby="new-title"><h2 id="new-title">A new alert</h2><div class="body">
<p><a href="${racePath(race.raceId)}">${raceText(race, nowMs)}</a></p>
<form method="post" action="${ALERTS_PATH}">${formProblem(filled)}${hidden('race', race.raceId)}
<div class="field"><label for="alert-runner">${ALERT_LABELS.runner}</label><select id="alert-runner" name="runner"${problemOf('runner', filled)}>${runners.map((one) => html`<option value="${one.number}"${String(one.number) === runner && html` selected`}>${one.number} ${one.name} (win ${priceText(one.win)}, place ${priceText(one.place)})</option>`)}</select>${wrong('runner', filled)}</div>
<div class="field"><label for="alert-market">${ALERT_LABELS.market}</label><select id="alert-market" name="market"${problemOf('market', filled)}>${ALERT_MARKETS.map((one) => html`<option value="${one}"${one === market && html` selected`}>${one === 'win' ? 'Win' : 'Place'}</option>`)}</select>${wrong('market', filled)}</div>
${textField({ form: 'alert', name: 'price', label: ALERT_LABELS.price, isRequired: true, maxLength: 7, hint: 'Decimal odds, for example 4.50. The prices above are the best now; an alert whose price is there already is done at once.' }, filled)}
<button class="button primary">Make the alert</button></form></div></section>`;
}

const problemOf = (name: string, { problems }: Filled): Fragment =>
  problems[name] !== undefined && html` aria-invalid="true" aria-describedby="alert-${name}-problem"`;

const wrong = (name: string, { problems }: Filled): Fragment =>
  problems[name] !== undefined && html`<p class="wrong" id="alert-${name}-problem">${problems[name]}</p>`;

function alertItem(alert: PriceAlert, nowMs: number): Html {
  const { alertId, race_id, number, name, market, atLeast, createdAt } = alert;
  const what = `${number} ${name}, ${market}, at least ${priceText(atLeast)}`;
  const race = {
    ...{ raceId: race_id, category: alert.category, country: alert.country, venue: alert.venue },
    ...{ raceNumber: alert.race_number, startMs: Date.parse(alert.start_time) },
  };
  return html`<li><p class="team-line"><b>${what}</b></p>
<p class="small"><a href="${racePath(race_id)}">${raceText(race, nowMs)}</a> · made ${momentText(createdAt)}</p>
<p class="small">${stateText(alert)}</p>
<form method="post" action="${ALERTS_PATH}/${alertId}/delete"><button class="button">Delete<span class="vh"> ${what}</span></button></form></li>`;
}

const ENDED: Readonly<Record<EndReason, string>> = {
  jumped: 'The race jumped before this price was seen.',
  abandoned: 'The race was abandoned.',
  scratched: 'The runner was scratched.',
  gone: 'The runner left the card.',
  stopped: 'You stopped it.',
};

/** Of one that waits: whether it still can be reached. */
const WAITING: Readonly<Record<PriceAlert['state'], string>> = {
  ahead: 'Waiting for its price.',
  jumped: 'The race has jumped: its price is not compared any more.',
  abandoned: 'The race is abandoned: its price is not compared while that stands.',
  over: 'The race is over: its price is not compared any more.',
};

/** It waits again within seconds, or once there is room. */
const AHEAD_AGAIN = `Its race is ahead of its jump again: it waits again once fewer than ${OPEN_ALERTS} do.`;

function stateText({ reached, ended, state }: PriceAlert): Fragment {
  if (ended !== null) return ended.comesBack ? AHEAD_AGAIN : ENDED[ended.reason];
  if (reached === null) return WAITING[state];
  const { price, bookmaker: key, polledAt, at } = reached;
  const seen = html`<b>${priceText(price)}</b> at ${bookmaker(key)?.title ?? key}, read at ${clockAt(Date.parse(polledAt))}<span class="vh"> ${zoneText(Date.parse(polledAt))}</span>`;
  return html`${seen}. ${mailText(reached.mail, momentText(at))}`;
}

function mailText(mail: NonNullable<PriceAlert['reached']>['mail'], at: string): string {
  if (mail === null) return `Not mailed: over the day’s ${MAILED_ALERTS_PER_DAY} mails.`;
  if (mail === 'off') return `Not mailed: you had stopped the mails. Reached, ${at}.`;
  if (mail === 'sent') return `Mailed, ${at}.`;
  if (mail === 'waiting') return `Being mailed since ${at}.`;
  if (mail === 'given_up') return 'Not mailed: the message could not be delivered in time.';
  return `Reached, ${at}.`;
}

/** For a visitor who is not signed in. */
export const signUpForAlerts = (): AccountPage =>
  taskPage(
    'Price alerts',
    html`<p>We mail you, or your browser notifies you, when a runner pays at least the price that you choose. Alerts are free, and need an account with an email address.</p>
<p class="actions"><a class="button primary" href="/signup">Sign up</a><a class="button" href="/login">Sign in</a></p>`,
  );
