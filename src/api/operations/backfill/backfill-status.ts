// GET /v1/racing/horses/backfill/{job_id} (B 2.9, B 4.11). Free.

import { endpoint, flat } from '../../kernel/endpoint/endpoint';
import type { Backfills } from './backfill';
import { BackfillStatus, exampleStatus, jobId } from './backfill-schema';
import { presentBackfillJob } from './present-backfill';

export const backfillStatus = endpoint<{ backfills: Backfills }>()({
  method: 'get',
  path: '/v1/racing/horses/backfill/{job_id}',
  operationId: 'backfill_status',
  tag: 'Racing',
  summary: 'Where a backfill job stands',
  description:
    'Counts of the job’s horses, its place in the queue of all accounts, and what stands between this service and the registry. Any key of the account ' +
    'reads its jobs.',
  auth: 'key',
  cost: flat(0),
  ofAccount: true,
  params: { job_id: jobId },
  errors: ['not_found'],
  ok: { description: 'The job.', schema: BackfillStatus, example: exampleStatus },
  async handler({ caller, params, nowMs, services: { backfills } }) {
    const job = await backfills.status(caller!.accountId, params.job_id, nowMs);
    return { body: presentBackfillJob(job, job, job.upstream, nowMs) };
  },
});
