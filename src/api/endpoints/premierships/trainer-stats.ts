// GET /v1/racing/trainers/stats (B 2.8, B 4.9).
import { endpoint, flat } from '../../endpoint';
import { examplePremiership, Premiership, premiershipQuery } from '../../schemas/premierships/premiership';
import { premiershipStandings } from '../../services/premierships';

export const trainerStats = endpoint({
  method: 'get',
  path: '/v1/racing/trainers/stats',
  operationId: 'trainer_stats',
  tag: 'Racing',
  summary: 'Premiership tables of trainers',
  description:
    'The registry’s premiership of Australian thoroughbred trainers: one table, or with `name` the rows of one trainer in every table. ' +
    'Only the top 20 of each table is stored, so empty `rows` means outside of it, not inactive. National tables are read ' +
    'nightly, state tables over several nights, the previous season’s about weekly; `period_to` dates each row. While a table ' +
    'that the query needs has not been read yet, the response is a free 503 with `Retry-After`.',
  auth: 'key',
  cost: flat(2),
  query: premiershipQuery,
  ok: {
    description: 'The rows, by state, scope and rank.',
    schema: Premiership,
    example: examplePremiership('trainer', 'B Trainer', '20311'),
  },
  errors: ['store_filling'],
  handler: ({ query, nowMs, services: { reads } }) => premiershipStandings(reads, 'trainer', query, nowMs),
});
