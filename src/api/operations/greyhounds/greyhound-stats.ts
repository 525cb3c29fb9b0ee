// GET /v1/racing/greyhounds/stats (B 4.8, D33; reference-shapes 3.6).

import { Type } from '@sinclair/typebox';
import { DIMENSIONS, type Dimension } from '../../../domain/form/run-stats';
import type { Reads } from '../../../store/reads/reads';
import { endpoint, flat } from '../../kernel/endpoint/endpoint';
import { choice } from '../../wire/parameters';
import { findRuns } from '../form/animal-runs';
import { dog } from '../form/run-schema';
import { exampleGreyhoundStats, GreyhoundDimension, GreyhoundStats } from './greyhound-stats-schema';
import { presentGreyhoundStats } from './present-greyhound-stats';

export const greyhoundStats = endpoint<{ reads: Reads }>()({
  method: 'get',
  path: '/v1/racing/greyhounds/stats',
  operationId: 'greyhound_stats',
  tag: 'Racing',
  summary: 'A greyhound’s record by track, distance, box and grade',
  description:
    'The starts of a dog in the full fields that this service has collected, grouped by any combination of track, distance, box and ' +
    'grade. Scratchings and reserves are not counted. It is not a career: nothing before `coverage_from` is included. Charged only if ' +
    'a run is found.',
  auth: 'key',
  cost: flat(3),
  query: {
    dog,
    by: Type.Optional(
      Type.Unsafe<Dimension[]>({
        type: 'array',
        items: choice(GreyhoundDimension, { 'x-fold': 'lower' }),
        minItems: 1,
        description:
          'What to group by, comma-separated: `track,distance` is a group per distance of each track. Default: `track`.',
      }),
    ),
  },
  ok: { description: 'The groups, most starts first.', schema: GreyhoundStats, example: exampleGreyhoundStats },
  errors: ['not_found'],
  async handler({ query: { dog: name, by = ['track'] }, services: { reads } }) {
    const { found, span } = await findRuns(reads, 'greyhound', name);
    const dimensions = DIMENSIONS.filter((dimension) => by.includes(dimension));
    return { body: presentGreyhoundStats(found, dimensions, span) };
  },
});
