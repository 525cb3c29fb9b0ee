// GET /v1/racing/next-to-go (A 2.3, A 4.2). Cached only while the database is away.

import { Type } from '@sinclair/typebox';
import { NEXT_TO_GO_FLAT_BEFORE, nextToGoCredits } from '../../../plans/cost';
import { outageAgeMs } from '../../../store/reads/outage-cache';
import type { Reads } from '../../../store/reads/reads';
import { horizonWindow } from '../../kernel/endpoint/board-window';
import { endpoint } from '../../kernel/endpoint/endpoint';
import { HORIZON } from '../../kernel/endpoint/horizon';
import { forwardOnly, unknownBookmakers } from '../../kernel/endpoint/rules';
import { agedRace, raceText, serialiseRaces } from '../../wire/aged-race';
import {
  bookmakers,
  categories,
  category,
  country,
  forwardDate,
  hoursAhead,
  includeUnresolved,
  numRaces,
  venue,
} from '../../wire/parameters';
import { cacheAgeSeconds } from '../../wire/present-freshness';
import type { BetslipBoard } from '../betslip/betslip-links';
import { exampleNextRace } from './next-to-go-example';
import { NextRace } from './next-to-go-schema';
import { presentNext } from './present-next-race';

export const nextToGo = endpoint<{ betslip: BetslipBoard; reads: Reads }>()({
  method: 'get',
  path: '/v1/racing/next-to-go',
  operationId: 'next_to_go',
  tag: 'Racing',
  summary: 'Next races to jump, with every book’s prices',
  description:
    'Races that are still to jump and that at least one of the selected books prices, next to jump first, then by `race_id`. All ' +
    'countries by default. Scratched runners are listed only in `scratchings`. Races outside Australia and New Zealand have no track, weather, class ' +
    'or prize, and their runners no barrier, jockey, trainer, weight or form.',
  auth: 'key',
  cost: {
    text: `2 credits for up to 20 races, 3 for 21 to 60, 4 for 61 to 200; keys issued before ${NEXT_TO_GO_FLAT_BEFORE.slice(0, 10)} pay 2`,
    credits: ({ query, caller }) => nextToGoCredits(query.num_races, caller.issuedAt),
  },
  gate: HORIZON,
  query: {
    num_races: numRaces(10, 200),
    hours_ahead: hoursAhead(24),
    date: forwardDate,
    categories,
    category,
    country,
    venue,
    bookmakers,
    include_unresolved: includeUnresolved,
  },
  exclusive: [['hours_ahead', 'date']],
  rules: (query, { audience, nowMs }) => [
    ...unknownBookmakers(query.bookmakers, audience),
    ...forwardOnly(query.date, nowMs),
  ],
  ok: { description: 'The races, with runners and prices.', schema: Type.Array(NextRace), example: [exampleNextRace] },
  async handler({ query, rights, audience, nowMs, services }) {
    const races = await services.reads.board({
      ...horizonWindow(query, nowMs, rights.horizonHours),
      categories: query.categories,
      venues: query.venue,
      countries: query.country,
      includeUnresolved: query.include_unresolved,
      bookmakers: query.bookmakers ?? audience.bookmakers,
      limit: query.num_races,
    });
    const links = rights.betslip ? await services.betslip.linksOf(races) : null;
    const texts = races.map((race) =>
      agedRace(
        race,
        raceText(race, (holes) => presentNext(race, audience, holes, links)),
      ),
    );
    const computed = { fresh: true, computedAtMs: nowMs };
    return serialiseRaces(texts, nowMs, cacheAgeSeconds(computed, outageAgeMs(races), nowMs));
  },
});
