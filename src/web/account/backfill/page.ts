// The backfill jobs of an account, newest first: how far each is, what it cost, and what did not work.
import { HORSE_CREDITS, type JobStatus } from '../../../domain/backfill/job';
import { type Html, html } from '../../html';
import { amountText, countText, instantText } from '../moments';
import { type AccountPage, notice } from '../page';
import type { ShownJob } from './source';

export interface ShownJobs {
  readonly jobs: readonly ShownJob[];
  /** Job before which the next older ones were submitted; null: there are none. */
  readonly olderThan: string | null;
  /** These are older than those of the first page. */
  readonly isLater: boolean;
  /** What was just done. */
  readonly done: string | null;
  /** Why what was wanted was refused. */
  readonly refusal: string | null;
}

const PATH = '/account/backfill';

export function jobsPage({ jobs, olderThan, isLater, done, refusal }: ShownJobs): AccountPage {
  const main = html`<div class="account-head"><h1>Backfill jobs</h1><p><a href="/account#data">Your account</a></p></div>
${done !== null && notice(done)}${refusal !== null && html`<p class="notice notice-bad" role="alert" tabindex="-1" autofocus>${refusal}</p>`}
<div class="panels"><section class="panel" id="jobs" aria-labelledby="jobs-title"><h2 id="jobs-title">Jobs<span class="h-note">newest first</span></h2><div class="body">
${jobs.length === 0 ? none(isLater) : html`<ul class="deliveries" aria-labelledby="jobs-title">${jobs.map(jobRow)}</ul>`}
<p class="actions">${isLater && html`<a class="button" href="${PATH}">Newest jobs</a>`}${olderThan !== null && html`<a class="button" href="${PATH}?before=${olderThan}">Older jobs</a>`}${jobs.some(({ queued }) => queued > 0) && !isLater && html`<a class="button" href="${PATH}">Refresh</a>`}</p>
<p class="small">A job collects the form of up to 500 thoroughbreds: <a href="/docs/submit-backfill">POST /v1/racing/horses/backfill</a>. Each delivered horse costs ${HORSE_CREDITS} credits; reading results again is free.</p></div></section></div>`;
  return { title: 'Backfill jobs', main };
}

const none = (isLater: boolean): Html => html`<p>${isLater ? 'No older jobs.' : 'No jobs yet.'}</p>`;

const STATES: Readonly<Record<JobStatus, string>> = {
  queued: 'Queued',
  running: 'Running',
  blocked: 'Waiting for credits',
  walled: 'Waiting for the registry',
  complete: 'Complete',
  cancelled: 'Cancelled',
};

const BLOCKED = `The account has fewer than ${HORSE_CREDITS} credits. The job goes on by itself on the 1st, after a top-up or an upgrade, and with overage.`;

function jobRow(job: ShownJob): Html {
  const { jobId: id, label, status, submittedAt, total, done, creditsCharged, readyAt } = job;
  const progress = `progress-${id}`;
  return html`<li><p><b>${label ?? html`Job <code>${id}</code>`}</b> · <b>${STATES[status]}</b></p>
<p><progress aria-labelledby="${progress}" max="${Math.max(1, total)}" value="${done}"></progress></p>
<p id="${progress}">${countText(done)} of ${amountText(total, 'horse')} delivered${leftOf(job)} · ${amountText(creditsCharged, 'credit')} charged</p>
${trouble(job)}
<p class="small">submitted ${instantText(submittedAt)}${readyAt !== null && ` · ready about ${instantText(readyAt)}`}${label !== null && html` · <code>${id}</code>`}</p>
<div class="folds">${done + job.failed > 0 && html`<a class="button" href="${PATH}/${id}/results">Download the results<span class="vh"> of ${label ?? id}</span></a>`}${job.queued > 0 && cancelling(job)}</div></li>`;
}

function leftOf({ total, done, queued, failed }: ShownJob): string {
  const cancelled = total - done - queued - failed;
  const parts = [
    [queued, 'queued'],
    [failed, 'failed'],
    [cancelled, 'cancelled'],
  ] as const;
  return parts.map(([count, state]) => (count > 0 ? `, ${countText(count)} ${state}` : '')).join('');
}

function trouble({ status, obstacle, failed, failedInputs, notFound }: ShownJob): Html {
  return html`${status === 'blocked' && html`<p class="notice notice-warn">${BLOCKED}</p>`}${obstacle !== null && html`<p class="notice notice-warn">${obstacle}</p>`}
${failed > 0 && html`<p class="small">Failed, free of charge, because three reads brought no page: ${listed(failedInputs, failed)}.</p>`}
${notFound.length > 0 && html`<p class="small">Not ordered, because no feed has reported such a horse: ${listed(notFound, notFound.length)}.</p>`}`;
}

const MOST_LISTED = 10;
const MOST_CHARACTERS = 60;

/** Inputs are whatever the order had. */
function listed(inputs: readonly string[], count: number): Html {
  const shown = inputs.slice(0, MOST_LISTED);
  const rest = count - shown.length;
  return html`${shown.map((one, i) => html`${i > 0 && ', '}<q>${cut(one)}</q>`)}${rest > 0 && ` and ${countText(rest)} more`}`;
}

const cut = (text: string): string =>
  text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS).trimEnd()}…` : text;

function cancelling({ jobId, label, queued }: ShownJob): Html {
  return html`<details class="more"><summary>Cancel<span class="vh"> ${label ?? jobId}</span></summary><form method="post" action="${PATH}/${jobId}/cancel"><p>${amountText(queued, 'queued horse')} will not be collected and cost${queued === 1 ? 's' : ''} nothing. Delivered horses stay.</p><button class="button danger">Cancel the job</button></form></details>`;
}
