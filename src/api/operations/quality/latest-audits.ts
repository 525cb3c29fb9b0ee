// GET /v1/data-quality/audit/latest (A 4.13; shapes 3.8). Free.

import { Type } from '@sinclair/typebox';
import { AUDITED_SPORTS } from '../../../domain/quality/audit';
import type { RaceClock } from '../../../domain/time/clock';
import type { Reads } from '../../../store/reads/reads';
import { endpoint, flat } from '../../kernel/endpoint/endpoint';
import { choice } from '../../wire/parameters';
import { AuditedSportKey } from '../../wire/vocabulary';
import { AuditRun, exampleRun } from './audit-schema';
import { failedBefore, presentAudit } from './present-audit';

export const latestAudits = endpoint<{ clock: RaceClock; reads: Reads }>()({
  method: 'get',
  path: '/v1/data-quality/audit/latest',
  operationId: 'latest_audits',
  tag: 'Data Quality',
  summary: 'Newest audit of each sport',
  description:
    'An audit reads the bookmakers of up to five races that start within 3 to 60 minutes a second time, and compares their prices in every market with ' +
    'those that the API serves. The raw responses are read by a second reader, which shares no code with the one that the service polls with, so a response ' +
    'that is misread is found too. A price counts as different only if it differs in three readings, each from the price served before it and from the one ' +
    'served after the bookmaker’s next regular poll: prices that move meanwhile are no difference. Bookmakers that are polled every quarter of an hour on ' +
    'a race, and those of one race further away, are read once: a price differs if the two readers read the same response differently. What a push-fed ' +
    'bookmaker sends, and what any bookmaker pushes of matches (`sports`), is compared with what is served of it as it is pushed, one push in five minutes. ' +
    'Each run also looks at all stored prices of each bookmaker (`cross_checks`). Every sport is audited every ten minutes, and runs are kept for 30 days.',
  auth: 'key',
  cost: flat(0),
  query: {
    sport_key: Type.Optional(
      choice(AuditedSportKey, { 'x-fold': 'lower', description: 'Only this sport. Default: all.' }),
    ),
  },
  ok: {
    description: 'A run for each sport that was audited; runs under way are left out.',
    schema: Type.Array(AuditRun),
    example: [exampleRun],
  },
  async handler({ query: { sport_key }, nowMs, services: { reads, clock } }) {
    const sports = sport_key === undefined ? AUDITED_SPORTS : [sport_key];
    const audits = await reads.newestAudits(sports, failedBefore(nowMs, clock.speed));
    return { body: audits.map(presentAudit) };
  },
});
