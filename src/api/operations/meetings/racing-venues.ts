// GET /v1/racing/venues (A 2.10, A 4.10).

import type { Static } from '@sinclair/typebox';
import { Type } from '@sinclair/typebox';
import type { Reads } from '../../../store/reads/reads';
import { endpoint, flat } from '../../kernel/endpoint/endpoint';
import { Venue } from './venue-schema';

export const racingVenues = endpoint<{ reads: Reads }>()({
  method: 'get',
  path: '/v1/racing/venues',
  operationId: 'racing_venues',
  tag: 'Racing',
  summary: 'Venue directory',
  description:
    'The directory is measured: a venue is listed if a race there is on the live board, or if a race there has a result in the ' +
    'last 60 days. Ordered by `venue_id`.',
  auth: 'key',
  cost: flat(1),
  ok: {
    description: 'The venues, ordered by `venue_id`.',
    schema: Type.Array(Venue),
    example: [
      {
        venue_id: 'flemington',
        venue_canonical: 'Flemington',
        venue_site: 'flemington',
        country: 'AU',
        categories: ['horse'],
        spellings: ['FLEMINGTON', 'Flemington'],
      },
    ],
  },
  async handler({ nowMs, services }) {
    const rows = await services.reads.venues(new Date(nowMs).toISOString());
    return { body: rows as Static<typeof Venue>[] };
  },
});
