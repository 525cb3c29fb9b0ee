// POST /v1/racing/horses/backfill (B 2.9, B 4.10). Free; 3 credits for each delivered horse.

import { HORSE_CREDITS } from '../../../domain/backfill/job';
import { endpoint } from '../../kernel/endpoint/endpoint';
import { planGate } from '../../kernel/endpoint/plan-gate';
import type { Backfills } from './backfill';
import { BackfillRequest, BackfillSubmission, exampleSubmission, MOST_HORSES } from './backfill-schema';
import { presentSubmission } from './present-backfill';

export const submitBackfill = endpoint<{ backfills: Backfills }>()({
  method: 'post',
  path: '/v1/racing/horses/backfill',
  operationId: 'submit_backfill',
  tag: 'Racing',
  summary: 'Order the form of many horses',
  description:
    `Orders the form of up to ${MOST_HORSES} thoroughbreds. Pages are read from the registry one after another, accounts in turn, and each horse is ` +
    'delivered once. A horse that was never seen is in `not_found`; one with a fresh stored page is delivered at once. With too few credits horses stay ' +
    'queued, and nothing is lost. The same order again within ten minutes is the same job, so it may be repeated if its response was lost. A job goes on ' +
    'after a downgrade.',
  auth: 'key',
  cost: {
    text: `0 credits; ${HORSE_CREDITS} for each horse when it is delivered`,
    constant: 0,
    credits: () => 0,
  },
  gate: planGate('backfill'),
  ofAccount: true,
  body: BackfillRequest,
  bodyBytes: MOST_HORSES * 512,
  ok: { description: 'What was queued.', schema: BackfillSubmission, example: exampleSubmission },
  async handler({ caller, body: { horses, label = null }, nowMs, services: { backfills } }) {
    const submission = await backfills.submit(caller!, { horses, label }, nowMs);
    return { body: presentSubmission(submission, label, submission) };
  },
});
