// GET /v1/racing/results/coverage (A 2.12, A 4.12).
import { Type } from '@sinclair/typebox';
import { addDays, aetDay } from '../../../domain/time/aet';
import { endpoint, flat } from '../../endpoint';
import { presentResultsCoverage } from '../../present/results/coverage';
import { exampleCoverage } from '../../schemas/examples';
import { ResultsCoverage } from '../../schemas/results/coverage';

/** Books report results within minutes. */
const RESULTED_WITHIN_MS = 2 * 3_600_000;

export const resultsCoverage = endpoint({
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
    const to = aetDay(nowMs);
    const resultedBy = new Date(nowMs - RESULTED_WITHIN_MS).toISOString();
    const window = { from: addDays(to, 1 - query.days), to, resultedBy };
    const read = await services.reads.resultsCoverage(window);
    return { body: presentResultsCoverage(read, window, query.days, new Date(nowMs).toISOString()) };
  },
});
