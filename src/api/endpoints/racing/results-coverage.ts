// GET /v1/racing/results/coverage (A 2.12, A 4.12).
import { Type } from '@sinclair/typebox';
import { addDays, aetDay } from '../../../domain/time/aet';
import { endpoint, flat } from '../../endpoint';
import { presentResultsCoverage } from '../../present/results/coverage';
import { exampleCoverage } from '../../schemas/examples';
import { ResultsCoverage } from '../../schemas/results/coverage';

export const resultsCoverage = endpoint({
  method: 'get',
  path: '/v1/racing/results/coverage',
  operationId: 'results_coverage',
  tag: 'Racing',
  summary: 'How complete the results are',
  description:
    'How many results of the last Sydney days hold the full field, by category and day, counted by the function that sets ' +
    '`field_status` of each. `to_day` is today, a part day.',
  auth: 'key',
  cost: flat(1),
  query: {
    days: Type.Integer({ default: 7, minimum: 1, maximum: 30, description: 'Sydney days, ending today.' }),
  },
  ok: { description: 'Counts.', schema: ResultsCoverage, example: exampleCoverage },
  async handler({ query, nowMs, services }) {
    const to = aetDay(nowMs);
    const window = { from: addDays(to, 1 - query.days), to };
    const read = await services.reads.resultsCoverage(window);
    return { body: presentResultsCoverage(read, window, query.days, new Date(nowMs).toISOString()) };
  },
});
