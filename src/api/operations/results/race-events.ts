// GET /v1/racing/events (A 2.2, A 4.1).

import { Type } from '@sinclair/typebox';
import type { Reads } from '../../../store/reads/reads';
import { horizonWindow } from '../../kernel/endpoint/board-window';
import { endpoint, flat } from '../../kernel/endpoint/endpoint';
import { HORIZON } from '../../kernel/endpoint/horizon';
import { forwardOnly } from '../../kernel/endpoint/rules';
import { exampleEvent } from '../../wire/examples';
import { categories, category, country, forwardDate, hoursAhead, includeUnresolved } from '../../wire/parameters';
import { presentEvent } from '../../wire/present-race';
import { RaceEvent } from '../../wire/race-schema';

export const raceEvents = endpoint<{ reads: Reads }>()({
  method: 'get',
  path: '/v1/racing/events',
  operationId: 'race_events',
  tag: 'Racing',
  summary: 'Upcoming races on the live board',
  description:
    'Every race in the requested window that is on the live board, including races that no book has priced yet: next to jump ' +
    'first, then by `race_id`. For prices, use `next-to-go` or `best-odds`. A race stays on the board until ten minutes after its ' +
    'jump. Races outside Australia and New Zealand have no track, weather, class or prize.',
  auth: 'key',
  cost: flat(1),
  gate: HORIZON,
  query: {
    hours_ahead: hoursAhead(4),
    date: forwardDate,
    categories,
    category,
    country,
    include_unresolved: includeUnresolved,
  },
  exclusive: [['hours_ahead', 'date']],
  rules: ({ date }, { nowMs }) => forwardOnly(date, nowMs),
  ok: { description: 'The races, without runners and prices.', schema: Type.Array(RaceEvent), example: [exampleEvent] },
  async handler({ query, rights, audience, nowMs, services }) {
    const races = await services.reads.events({
      ...horizonWindow(query, nowMs, rights.horizonHours),
      categories: query.categories,
      countries: query.country,
      includeUnresolved: query.include_unresolved,
    });
    return { body: races.map((race) => presentEvent(race, audience)) };
  },
});
