// GET /v1/data-quality/audit/{run_id}/results (A 4.13; shapes 3.8). Free.

import { Type } from '@sinclair/typebox';
import type { RaceClock } from '../../../domain/time/clock';
import { AppError } from '../../../errors';
import type { Reads } from '../../../store/reads/reads';
import { endpoint, flat } from '../../kernel/endpoint/endpoint';
import { UUID } from '../../kernel/input/ajv';
import { choice } from '../../wire/parameters';
import { AuditFinding, exampleFinding, exampleRun, FindingStatusSchema } from './audit-schema';
import { failedBefore, presentFinding } from './present-audit';

export const auditResults = endpoint<{ clock: RaceClock; reads: Reads }>()({
  method: 'get',
  path: '/v1/data-quality/audit/{run_id}/results',
  operationId: 'audit_results',
  tag: 'Data Quality',
  summary: 'What an audit found',
  description:
    'One row for each bookmaker, race and kind of finding, with the selections concerned: what the API served of them, the consensus of the other ' +
    'bookmakers, and what the bookmaker showed. Prices that agree are not listed. Empty if nothing was found, and until the run has ended.',
  auth: 'key',
  cost: flat(0),
  params: {
    run_id: Type.String({
      minLength: 1,
      maxLength: 60,
      description: '`id` of a run.',
      examples: [exampleRun.id],
    }),
  },
  query: {
    status: Type.Optional(
      choice(FindingStatusSchema, { 'x-fold': 'lower', description: 'Only findings of this kind. Default: all.' }),
    ),
  },
  errors: ['not_found'],
  ok: { description: 'The findings, by race.', schema: Type.Array(AuditFinding), example: [exampleFinding] },
  async handler({ params: { run_id }, query: { status = null }, audience, nowMs, services: { reads, clock } }) {
    const run = UUID.test(run_id) ? await reads.audit(run_id, failedBefore(nowMs, clock.speed)) : null;
    if (run === null) throw new AppError('not_found', 'There is no audit with this id. Runs are kept for 30 days.');
    const findings = await reads.findings(run_id, status, audience.bookmakers);
    return { body: findings.map(presentFinding) };
  },
});
