// The state of the service as its own checks measured it: now, the last 30 days by day, and the outages that they
// found.
import { CHECK_KNOWN_FOR_MS } from '../../domain/time/staleness';
import { percentText, UNKNOWN } from '../format';
import { type Fragment, type Html, html } from '../html';
import { type PlainPage, plainPage } from '../plain/plain-pages';
import { age, tag } from '../race-parts';
import type { CheckedDay, Outage, ServiceStatus } from './model';

/** `2026-11-23 04:05 UTC`. */
const utcText = (at: string): Html => html`<time datetime="${at}">${at.slice(0, 16).replace('T', ' ')} UTC</time>`;

const number = (n: number): string => n.toLocaleString('en-AU');

const isKnown = ({ lastCheck }: ServiceStatus, nowMs: number, speed: number): boolean =>
  lastCheck !== null && nowMs - Date.parse(lastCheck) <= CHECK_KNOWN_FOR_MS * speed;

/** Whether it is up, and when that was checked. */
export function serviceState(status: ServiceStatus, nowMs: number, speed: number): Fragment {
  const { lastCheck, lastOk } = status;
  if (lastCheck === null || lastOk === null) return 'The service has not been checked yet.';
  const when = html`checked ${age(Date.parse(lastCheck), nowMs)} ago`;
  if (!isKnown(status, nowMs, speed)) return html`${tag('warn', 'Not known')} Last ${when}.`;
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

/** An outage with missing checks after it has no known end. */
function lastedText({ from, until, isLatest }: Outage, isCurrent: boolean): string {
  if (until === null) return isLatest && isCurrent ? 'not over' : 'not known';
  const minutes = Math.max(1, Math.round((Date.parse(until) - Date.parse(from)) / MINUTE_MS));
  return `${number(minutes)} ${minutes === 1 ? 'minute' : 'minutes'}`;
}

function outageRow(outage: Outage, isCurrent: boolean): Html {
  const { from, until, checks } = outage;
  return html`<tr><th scope="row">${utcText(from)}</th><td>${until === null ? UNKNOWN : utcText(until)}</td><td class="num">${lastedText(outage, isCurrent)}</td><td class="num">${number(checks)}</td></tr>`;
}

const outageTable = (outages: readonly Outage[], isCurrent: boolean): Html =>
  html`<table class="about-table"><thead><tr><th scope="col">First failed check</th><th scope="col">Passed again</th><th scope="col" class="num">Lasted</th><th scope="col" class="num">Failed checks</th></tr></thead><tbody>${outages.map((outage) => outageRow(outage, isCurrent))}</tbody></table>`;

export function statusPage(status: ServiceStatus, nowMs: number, speed: number): PlainPage {
  const { checks, ok, firstCheck, days, outages, medianLatencyMs } = status;
  const none = checks === 0 ? 'Nothing has been measured yet.' : 'No check failed.';
  return plainPage(
    'Status',
    html`<p>${serviceState(status, nowMs, speed)}</p>
<dl><dt>Last 30 days</dt><dd>${shareText(ok, checks)}${checks > 0 && ` of ${number(checks)} checks passed`}</dd>
<dt>Measured since</dt><dd>${firstCheck === null ? UNKNOWN : utcText(firstCheck)}</dd>
<dt>Median response</dt><dd>${medianLatencyMs === null ? UNKNOWN : `${number(Math.round(medianLatencyMs))} ms`}</dd></dl>
<h2>Outages</h2>
${outages.length === 0 ? html`<p>${none}</p>` : outageTable(outages, isKnown(status, nowMs, speed))}
<h2>By day</h2>
${days.length === 0 ? html`<p>Nothing has been measured yet.</p>` : html`<table class="about-table"><caption class="vh">Checks by UTC day, newest first</caption><thead><tr><th scope="col">Day (UTC)</th><th scope="col" class="num">Checks</th><th scope="col" class="num">Failed</th><th scope="col" class="num">Passed</th></tr></thead><tbody>${days.map(dayRow)}</tbody></table>`}
<h2>How it is measured</h2>
<p>A probe calls the API’s own health check, which reads the database, once a minute and notes whether it answered. The probe runs inside the service: it does not see the network between the service and you, and while it is away itself, or cannot be started, there are no checks. Checks made while the database is away appear here once it is back, unless the probe is restarted first. A day has 1,440 checks; what is missing was not measured and counts neither as up nor as down, and an outage with missing checks after it has no known end. Whether bookmakers’ prices arrive is on <a href="/data-quality">Data quality</a>. The figures of the last 30 days are at <code>GET /v1/uptime</code> too.</p>`,
  );
}
