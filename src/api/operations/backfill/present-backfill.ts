// Presents backfill jobs and what they have collected (B 2.9).
import { jobStatus } from '../../../domain/backfill/job';
import { formOfPage } from '../../../domain/form/served-form';
import type { DoorView, RegistryDoor } from '../../../domain/registry/door';
import type { BackfillJob, CollectedRow } from '../../../store/backfill/job-reads';
import type { Submission } from '../../../store/backfill/submit';
import { presentHorseForm } from '../form/present-horse-form';
import type { BackfillResultsWire, BackfillStatusWire, BackfillSubmissionWire } from './backfill-schema';

/** The position of a job in the queue; nulls if it is unknown. */
export interface Outlook {
  readonly queuePosition: number | null;
  readonly readyAtMs: number | null;
}

const instantOf = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString());

export const presentSubmission = (
  { jobId, queued, alreadyStored, duplicates, notFound }: Submission,
  label: string | null,
  { readyAtMs }: Outlook,
): BackfillSubmissionWire => ({
  job_id: jobId,
  label,
  queued,
  already_stored: alreadyStored,
  duplicates,
  not_found: [...notFound],
  ambiguous: [],
  estimated_ready: instantOf(readyAtMs),
});

/** The registry's door, as stored and in its current state. */
export interface Upstream {
  readonly door: RegistryDoor | null;
  readonly view: DoorView;
}

export function presentBackfillJob(
  job: BackfillJob,
  { queuePosition, readyAtMs }: Outlook,
  upstream: Upstream,
  nowMs: number,
): BackfillStatusWire {
  const { jobId, label, submittedAt, queued, done, failed, cancelled, price, blocked } = job;
  return {
    job_id: jobId,
    label,
    status: jobStatus(job, { blocked, walled: upstream.view.state === 'walled' }),
    submitted_at: submittedAt,
    total: queued + done + failed + cancelled,
    done,
    queued,
    failed,
    credits_charged: price * done,
    credits_blocked: blocked && queued > 0,
    queue_position: queuePosition,
    estimated_ready: instantOf(readyAtMs),
    ready_to_collect: done,
    upstream: presentUpstream(upstream, nowMs),
  };
}

const HOUR_MS = 3_600_000;
const NOTES = {
  ok: null,
  paused: 'The registry requested a pause. Horses stay queued, and reading goes on when it ends.',
  walled:
    'The registry refuses reads. Horses stay queued and are not charged, and reading goes on by itself when it serves pages again.',
} as const;

function presentUpstream({ door, view: { state } }: Upstream, nowMs: number): BackfillStatusWire['upstream'] {
  const since = state === 'walled' ? door!.since : null;
  const hours = since === null ? null : Math.max(0, nowMs - Date.parse(since)) / HOUR_MS;
  return {
    state,
    walled_since: since,
    walled_hours: hours === null ? null : Math.round(hours * 10) / 10,
    note: NOTES[state],
  };
}

export const presentCollected = (
  { jobId, done }: Pick<BackfillJob, 'jobId' | 'done'>,
  rows: readonly CollectedRow[],
  page: { readonly limit: number; readonly offset: number },
): BackfillResultsWire => ({
  job_id: jobId,
  rows_returned: rows.length,
  total_done: done,
  ...page,
  rows: rows.map(presentRow),
});

function presentRow({ input, runnerKey, name, ref, settledAt, fetchedAt, form, trainers }: CollectedRow) {
  const horse = { input, runner_ref: ref, horse_ref: `pe:${runnerKey}` };
  if (form === null || fetchedAt === null)
    return { ...horse, horse_name: name, delivered_at: null, fetched_at: null, available: false, form: null };
  const served = formOfPage({ ref, fetchedAt, form, trainers: trainers ?? {} }, false);
  return {
    ...horse,
    horse_name: form.name,
    delivered_at: settledAt,
    fetched_at: fetchedAt,
    available: true,
    form: presentHorseForm(served),
  };
}
