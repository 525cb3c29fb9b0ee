// Backfill jobs: the forms of up to 500 horses, collected one after another (B 2.9).
import { type Static, Type } from '@sinclair/typebox';
import { JOB_STATUSES } from '../../../domain/backfill/job';
import { amount, count, instant, named, nullable, oneOf, text, words, yes } from '../../wire/vocabulary';
import { exampleHorseForm } from '../form/horse-form-example';
import { HorseCandidate, HorseForm } from '../form/horse-form-schema';

export const MOST_HORSES = 500;

export const BackfillRequest = named(
  'BackfillRequest',
  Type.Object(
    {
      horses: Type.Array(
        words('A whole name in any case and punctuation, a `horse_ref` (`pe:…`), or an `ra:` code of any one meeting.'),
        { minItems: 1, maxItems: MOST_HORSES, description: 'In any mix.' },
      ),
      label: Type.Optional(nullable(words('What the job is for, in your words.', 80))),
    },
    { additionalProperties: false, examples: [{ horses: ['Back Up Barbie', 'ra:2012062480'], label: 'spring' }] },
  ),
);

export const jobId = Type.String({
  minLength: 1,
  maxLength: 64,
  description: '`job_id` of the job.',
  examples: ['bf_20261121_4k9z0q'],
});

const estimatedReady = nullable(
  instant(
    'When the last queued horse is read, at the pace of the last 15 minutes (UTC). Null if nothing is queued, while credits are missing, and while the registry refuses reads.',
  ),
);
const id = text('Names the job.');
const label = nullable(text('As submitted.'));

export const BackfillSubmission = named(
  'BackfillSubmission',
  Type.Object({
    job_id: id,
    label,
    queued: count('Horses whose page is read from the registry first.'),
    already_stored: count('Horses with a fresh page: delivered at once, and charged like the others.'),
    duplicates: count(
      'Horses that the list names twice, or that are still queued in any job of the account. Not queued again.',
    ),
    not_found: Type.Array(text(), {
      description: 'Inputs of horses that no feed has reported with a registry code. Free.',
    }),
    ambiguous: Type.Array(
      named(
        'BackfillAmbiguity',
        Type.Object({
          input: text(),
          candidates: Type.Array(HorseCandidate),
        }),
      ),
      { description: 'Always empty: a name is one horse.' },
    ),
    estimated_ready: estimatedReady,
  }),
);

const BackfillUpstream = named(
  'BackfillUpstream',
  Type.Object(
    {
      state: oneOf(['ok', 'paused', 'walled'], {
        description: '`paused`: the registry requested a pause. `walled`: its bot protection refuses reads.',
      }),
      walled_since: nullable(instant('Null if it is not walled.')),
      walled_hours: nullable(amount('Hours since then.')),
      note: nullable(text('What it means for the job.')),
    },
    { description: 'What stands between this service and the registry.' },
  ),
);

export const BackfillStatus = named(
  'BackfillStatus',
  Type.Object({
    job_id: id,
    label,
    status: named(
      'BackfillJobStatus',
      oneOf(JOB_STATUSES, {
        description:
          '`queued`: nothing is collected yet. `blocked`: too few credits. `walled`: the registry refuses reads. `complete`: nothing is queued. ' +
          '`cancelled`: what was still queued was cancelled; delivered horses stay.',
      }),
    ),
    submitted_at: instant('When the job was submitted (UTC).'),
    total: count('Horses of the job, cancelled ones included.'),
    done: count('Delivered.'),
    queued: count('Not yet collected.'),
    failed: count('Three reads within an hour brought no page. Free.'),
    credits_charged: count('3 for each delivered horse.'),
    credits_blocked: yes(
      'Whether horses wait because the account has less than 3 credits. It goes on by itself on the 1st, after a top-up or an upgrade, and with overage.',
    ),
    queue_position: nullable(
      count(
        'Registry reads before that of the job’s next horse, all accounts included. Null if nothing waits for a read, and while credits are missing.',
      ),
    ),
    estimated_ready: estimatedReady,
    ready_to_collect: count('Delivered horses that the results have: equal to `done`.'),
    upstream: BackfillUpstream,
  }),
);

const BackfillRow = named(
  'BackfillRow',
  Type.Object({
    input: text('As submitted.'),
    runner_ref: text('The registry code that the page was read under.'),
    horse_ref: text('Stable reference of the name, `pe:` and the folded name.'),
    horse_name: text(),
    delivered_at: nullable(instant('When it was delivered and charged (UTC); null if it has failed.')),
    fetched_at: nullable(instant('When the page was read (UTC).')),
    available: yes('False: the registry has no page of the horse. Free, and not counted in `done`.'),
    form: nullable(HorseForm),
  }),
);

export const BackfillResults = named(
  'BackfillResults',
  Type.Object({
    job_id: id,
    rows_returned: count(),
    total_done: count('Delivered horses of the job.'),
    limit: count(),
    offset: count(),
    rows: Type.Array(BackfillRow, { description: 'In the order in which they were delivered or have failed.' }),
  }),
);

export const BackfillCancelled = named(
  'BackfillCancelled',
  Type.Object({ job_id: id, cancelled: count('Horses that were still queued.') }),
);

export type BackfillSubmissionWire = Static<typeof BackfillSubmission>;
export type BackfillStatusWire = Static<typeof BackfillStatus>;
export type BackfillResultsWire = Static<typeof BackfillResults>;

const JOB = { job_id: 'bf_20261121_4k9z0q', label: 'spring' };

export const exampleSubmission: BackfillSubmissionWire = {
  ...JOB,
  queued: 38,
  already_stored: 2,
  duplicates: 0,
  not_found: ['Never Seen'],
  ambiguous: [],
  estimated_ready: '2026-11-21T03:01:10.000Z',
};

export const exampleStatus: BackfillStatusWire = {
  ...JOB,
  status: 'running',
  submitted_at: '2026-11-21T03:00:00.000Z',
  total: 40,
  done: 12,
  queued: 28,
  failed: 0,
  credits_charged: 36,
  credits_blocked: false,
  queue_position: 1,
  estimated_ready: '2026-11-21T03:01:10.000Z',
  ready_to_collect: 12,
  upstream: { state: 'ok', walled_since: null, walled_hours: null, note: null },
};

export const exampleResults: BackfillResultsWire = {
  job_id: JOB.job_id,
  rows_returned: 1,
  total_done: 12,
  limit: 1,
  offset: 0,
  rows: [
    {
      input: 'Back Up Barbie',
      runner_ref: 'ra:2012062480',
      horse_ref: 'pe:backupbarbie',
      horse_name: 'BACK UP BARBIE',
      delivered_at: '2026-11-21T03:00:02.000Z',
      fetched_at: '2026-11-21T02:10:00.000Z',
      available: true,
      form: exampleHorseForm,
    },
  ],
};
