// The operation that serves the premiership tables of a role (B 2.8, B 4.9), the same for both roles.

import type { PremiershipRole } from '../../../domain/registry/premiership';
import type { Reads } from '../../../store/reads/reads';
import { endpoint, flat } from '../../kernel/endpoint/endpoint';
import { examplePremiership, Premiership, premiershipQuery } from './premiership-schema';
import { premiershipStandings } from './premierships';

export const premiershipStats = (role: PremiershipRole, example: { readonly name: string; readonly code: string }) =>
  endpoint<{ reads: Reads }>()({
    method: 'get',
    path: `/v1/racing/${role}s/stats`,
    operationId: `${role}_stats`,
    tag: 'Racing',
    summary: `Premiership tables of ${role}s`,
    description:
      `The registry’s premiership of Australian thoroughbred ${role}s: one table, or with \`name\` the rows of one ${role} in every table. ` +
      'Only the top 20 of each table is stored, so empty `rows` means outside of it, not inactive. National tables are read ' +
      'nightly, state tables over several nights, the previous season’s about weekly; `period_to` dates each row. While a table ' +
      'that the query needs has not been read yet, the response is a free 503 with `Retry-After`.',
    auth: 'key',
    cost: flat(2),
    query: premiershipQuery,
    ok: {
      description: 'The rows, by state, scope and rank.',
      schema: Premiership,
      example: examplePremiership(role, example.name, example.code),
    },
    errors: ['store_filling'],
    handler: ({ query, nowMs, services: { reads } }) => premiershipStandings(reads, role, query, nowMs),
  });
