// GET /v1/data-quality/audit/latest (A 4.13; shapes 3.8). Free.
import { Type } from '@sinclair/typebox';
import { RACING_SPORTS } from '../../../domain/race/sport';
import { endpoint, flat } from '../../endpoint';
import { failedBefore, presentAudit } from '../../present/data-quality/audit';
import { AuditRun, exampleRun } from '../../schemas/data-quality/audit';
import { choice } from '../../schemas/parameters';
import { RacingSportKey } from '../../schemas/vocabulary';

export const latestAudits = endpoint({
  method: 'get',
  path: '/v1/data-quality/audit/latest',
  operationId: 'latest_audits',
  tag: 'Data Quality',
  summary: 'Newest audit of each sport',
  description:
    'An audit reads the bookmakers of up to five races that start within 3 to 60 minutes a second time, and compares their win prices with those ' +
    'that the API serves. A price counts as different only if it differs in three readings, each from the price served before it and from the one ' +
    'served after the bookmaker’s next regular poll: prices that move meanwhile are no difference. A bookmaker is compared on a race while it is ' +
    'polled in the tier `live`; push-fed bookmakers cannot be read. Both readings are interpreted alike, so an audit finds prices that were lost or not ' +
    'refreshed, and not a response that is misread. Every sport is audited every ten minutes, and runs are kept for 30 days.',
  auth: 'key',
  cost: flat(0),
  query: {
    sport_key: Type.Optional(
      choice(RacingSportKey, { 'x-fold': 'lower', description: 'Only this sport. Default: all.' }),
    ),
  },
  ok: {
    description: 'A run for each sport that was audited; runs under way are left out.',
    schema: Type.Array(AuditRun),
    example: [exampleRun],
  },
  async handler({ query: { sport_key }, nowMs, services: { reads, clock } }) {
    const sports = sport_key === undefined ? RACING_SPORTS : [sport_key];
    const audits = await reads.newestAudits(sports, failedBefore(nowMs, clock.speed));
    return { body: audits.map(presentAudit) };
  },
});
