// GET /v1/racing/results/coverage (A 2.12, A 4.12).

import { Type } from '@sinclair/typebox';
import type { Reads } from '../../../store/reads/reads';
import { endpoint, flat } from '../../kernel/endpoint/endpoint';
import { exampleCoverage, ResultsCoverage } from './coverage-schema';
import { resultsCoverageOf } from './find-coverage';

export const resultsCoverage = endpoint<{ reads: Reads }>()({
  method: 'get',
  path: '/v1/racing/results/coverage',
  operationId: 'results_coverage',
  tag: 'Racing',
  summary: 'Completeness of results',
  description:
    'How many results of the last Sydney days have the full field, by category and by day. The counts use the same function that ' +
    'sets `field_status` on each result. `to_day` is today, so its counts are partial. `without_result` counts the races that started ' +
    'more than two hours ago and have no result: they were first listed too late, or no book reports them.',
  auth: 'key',
  cost: flat(1),
  query: {
    days: Type.Integer({
      default: 7,
      minimum: 1,
      maximum: 30,
      description: 'Number of Sydney days to count, ending today.',
    }),
  },
  ok: { description: 'The counts.', schema: ResultsCoverage, example: exampleCoverage },
  async handler({ query, nowMs, services }) {
    return { body: await resultsCoverageOf(services.reads, query.days, nowMs) };
  },
});
