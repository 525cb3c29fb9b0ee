// The state of the service as its own checks measured it: now, the last 30 days by day, and every outage among them.
import { percentText, UNKNOWN } from '../format';
import { type Fragment, type Html, html } from '../html';
import { type PlainPage, plainPage } from '../plain/plain-pages';
import { age, tag } from '../race-parts';
import type { CheckedDay, Outage, ServiceStatus } from './model';

/** A check a minute: after this long without one the state is not known. */
const CURRENT_MS = 15 * 60_000;

/** `2026-11-23 04:05 UTC`. */
const utcText = (at: string): Html => html`<time datetime="${at}">${at.slice(0, 16).replace('T', ' ')} UTC</time>`;

const number = (n: number): string => n.toLocaleString('en-AU');

function stateOf({ lastCheck, lastOk }: ServiceStatus, nowMs: number, speed: number): Fragment {
  if (lastCheck === null || lastOk === null) return 'The service has not been checked yet.';
  const checkedMs = Date.parse(lastCheck);
  const when = html`checked ${age(checkedMs, nowMs)} ago`;
  if (nowMs - checkedMs > CURRENT_MS * speed) return html`${tag('warn', 'Not known')} Last ${when}.`;
  return lastOk ? html`${tag('good', 'Up')} ${when}` : html`${tag('bad', 'Down')} ${when}`;
}

const dayRow = ({ day, checks, ok }: CheckedDay): Html =>
  html`<tr><th scope="row">${day}</th><td class="num">${number(checks)}</td><td class="num">${number(checks - ok)}</td><td class="num">${shareText(ok, checks)}</td></tr>`;

/** Never 100% while a check failed. */
function shareText(ok: number, checks: number): string {
  if (checks === 0) return UNKNOWN;
  return percentText(Math.min((100 * ok) / checks, ok < checks ? 99.999 : 100), 3);
}

const MINUTE_MS = 60_000;

function outageRow({ from, until, checks }: Outage): Html {
  const minutes = until === null ? null : Math.max(1, Math.round((Date.parse(until) - Date.parse(from)) / MINUTE_MS));
  const lasted = minutes === null ? 'not over' : `${number(minutes)} ${minutes === 1 ? 'minute' : 'minutes'}`;
  return html`<tr><th scope="row">${utcText(from)}</th><td>${until === null ? UNKNOWN : utcText(until)}</td><td class="num">${lasted}</td><td class="num">${number(checks)}</td></tr>`;
}

const outageTable = (outages: readonly Outage[]): Html =>
  html`<table class="about-table"><thead><tr><th scope="col">First failed check</th><th scope="col">Passed again</th><th scope="col" class="num">Lasted</th><th scope="col" class="num">Failed checks</th></tr></thead><tbody>${outages.map(outageRow)}</tbody></table>`;

export function statusPage(status: ServiceStatus, nowMs: number, speed: number): PlainPage {
  const { checks, ok, firstCheck, days, outages, medianLatencyMs } = status;
  const none = checks === 0 ? 'Nothing has been measured yet.' : 'No check failed.';
  return plainPage(
    'Status',
    html`<p>${stateOf(status, nowMs, speed)}</p>
<dl><dt>Last 30 days</dt><dd>${shareText(ok, checks)}${checks > 0 && ` of ${number(checks)} checks passed`}</dd>
<dt>Measured since</dt><dd>${firstCheck === null ? UNKNOWN : utcText(firstCheck)}</dd>
<dt>Median response</dt><dd>${medianLatencyMs === null ? UNKNOWN : `${number(Math.round(medianLatencyMs))} ms`}</dd></dl>
<h2>Outages</h2>
${outages.length === 0 ? html`<p>${none}</p>` : outageTable(outages)}
<h2>By day</h2>
${days.length === 0 ? html`<p>Nothing has been measured yet.</p>` : html`<table class="about-table"><caption class="vh">Checks by UTC day, newest first</caption><thead><tr><th scope="col">Day (UTC)</th><th scope="col" class="num">Checks</th><th scope="col" class="num">Failed</th><th scope="col" class="num">Passed</th></tr></thead><tbody>${days.map(dayRow)}</tbody></table>`}
<h2>How it is measured</h2>
<p>A probe calls the API’s own health check, which reads the database, once a minute and notes whether it answered. The probe runs inside the service: it does not see the network between the service and you, and while it is away itself there are no checks. A day has 1,440 checks; what is missing was not measured and counts neither as up nor as down. Whether bookmakers’ prices arrive is on <a href="/data-quality">Data quality</a>. The figures of the last 30 days are at <code>GET /v1/uptime</code> too.</p>`,
  );
}
