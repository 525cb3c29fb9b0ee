// DELETE /v1/racing/horses/backfill/{job_id} (B 4.13, D26). Free.

import { endpoint, flat } from '../../kernel/endpoint/endpoint';
import type { Backfills } from './backfill';
import { BackfillCancelled, jobId } from './backfill-schema';

export const cancelBackfill = endpoint<{ backfills: Backfills }>()({
  method: 'delete',
  path: '/v1/racing/horses/backfill/{job_id}',
  operationId: 'cancel_backfill',
  tag: 'Racing',
  summary: 'Cancel what a backfill job has not collected',
  description:
    'Cancels the horses that are still queued; they cost nothing. Delivered horses stay readable. May be repeated.',
  auth: 'key',
  cost: flat(0),
  ofAccount: true,
  params: { job_id: jobId },
  errors: ['not_found'],
  ok: {
    description: 'How many horses were cancelled.',
    schema: BackfillCancelled,
    example: { job_id: 'bf_20261121_4k9z0q', cancelled: 28 },
  },
  async handler({ caller, params: { job_id }, nowMs, services: { backfills } }) {
    return { body: { job_id, cancelled: await backfills.cancel(caller!.accountId, job_id, nowMs) } };
  },
});
