// GET /v1/data-quality/summary (A 4.13; shapes 3.8).

import type { RaceClock } from '../../../domain/time/clock';
import type { Reads } from '../../../store/reads/reads';
import { endpoint, flat } from '../../kernel/endpoint/endpoint';
import { readQuality } from './summary';
import { exampleSummary, QualitySummary } from './summary-schema';

export const dataQualitySummary = endpoint<{ clock: RaceClock; reads: Reads }>()({
  method: 'get',
  path: '/v1/data-quality/summary',
  operationId: 'data_quality_summary',
  tag: 'Data Quality',
  summary: 'State of the data in one view',
  description:
    'How many races and bookmakers are matched, how fresh the markets are, the last poll of every connector and the newest audit. ' +
    '`GET /v1/health/connectors` has the details of a connector, `GET /v1/data-quality/audit/latest` those of the audits.',
  auth: 'key',
  cost: flat(1),
  ok: { description: 'The summary.', schema: QualitySummary, example: exampleSummary },
  handler: async ({ audience, nowMs, services: { reads, clock } }) => ({
    body: (await readQuality(reads, audience, nowMs, clock.speed)).summary,
  }),
});
