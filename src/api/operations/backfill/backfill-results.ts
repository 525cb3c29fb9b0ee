// GET /v1/racing/horses/backfill/{job_id}/results (B 2.9, B 4.12). Free.

import { endpoint, flat } from '../../kernel/endpoint/endpoint';
import { pageByOffset } from '../../kernel/http/response/next-page';
import { limit, offset } from '../../wire/parameters';
import type { Backfills } from './backfill';
import { BackfillResults, exampleResults, jobId } from './backfill-schema';
import { presentCollected } from './present-backfill';

export const backfillResults = endpoint<{ backfills: Backfills; baseUrl: string }>()({
  method: 'get',
  path: '/v1/racing/horses/backfill/{job_id}/results',
  operationId: 'backfill_results',
  tag: 'Racing',
  summary: 'What a backfill job has collected',
  description:
    'Delivered horses, each with its form as it was when it was delivered. Rows are appended as horses are delivered, so the next `offset` is the number of ' +
    'rows you have. Reading them again costs nothing. A horse that the registry has no page of is a row with `available` false.',
  auth: 'key',
  cost: flat(0),
  ofAccount: true,
  params: { job_id: jobId },
  query: { limit: limit(25, 200), offset },
  paged: true,
  errors: ['not_found'],
  ok: { description: 'A page of rows.', schema: BackfillResults, example: exampleResults },
  async handler({ caller, params, query, services: { backfills, baseUrl } }) {
    const { job_id: jobId } = params;
    const { job, rows } = await backfills.results(caller!.accountId, jobId, query);
    const address = `${baseUrl}/v1/racing/horses/backfill/${jobId}/results`;
    return { next: pageByOffset(address, query, rows, job.done).next, body: presentCollected(job, rows, query) };
  },
});
