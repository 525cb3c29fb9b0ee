// GET /v1/best-odds/{sport_key} (A 4.13; shapes 3.1).

import { Type } from '@sinclair/typebox';
import { endpoint, flat } from '../../kernel/endpoint/endpoint';
import { exampleBestOdds } from '../sports/examples';
import { eventIds, ofMatches, USUAL_MAX_AGE_MINUTES } from '../sports/parameters-schema';
import { oldestOf } from '../sports/present-match';
import { sportInPath } from '../sports/sport-key-schema';
import type { SportsBoard } from '../sports/sports-board';
import { requireSport } from '../sports/sports-board';
import { startProblems, wantedMatches } from '../sports/wanted-matches';
import { comparedMatches } from './compared';
import { BestOddsMatch } from './compared-schema';
import { presentBestOdds } from './present-compared';

export const bestOdds = endpoint<{ sports: SportsBoard }>()({
  method: 'get',
  path: '/v1/best-odds/{sport_key}',
  operationId: 'best_odds',
  tag: 'Sports',
  summary: 'Best price per selection',
  description:
    'The best head-to-head price of each selection over all books that offer the same bet, and whether fresh prices of every outcome are an arb. ' +
    'Compared are books with the sport’s own outcomes, three in soccer and Test cricket, two elsewhere; only if there is none, those with the others. ' +
    'A `suspect` price is best only if there is no other. Prices last ' +
    `confirmed more than ${USUAL_MAX_AGE_MINUTES / 60} hours ago are left out, and stale ones are never part of an arb. An unknown ` +
    'sport is a free 404.',
  auth: 'key',
  cost: flat(3),
  params: sportInPath,
  query: { ...ofMatches, event_ids: eventIds },
  rules: startProblems,
  errors: ['not_found'],
  ok: { description: 'The matches, by start, then id.', schema: Type.Array(BestOddsMatch), example: [exampleBestOdds] },
  async handler({ params, query: wanted, audience, nowMs, services: { sports } }) {
    const { key: sportKey } = requireSport(params.sport_key);
    const query = { sportKey, maxAgeMinutes: USUAL_MAX_AGE_MINUTES, audience, nowMs };
    const found = await comparedMatches(sports, query);
    const kept = new Set(
      wantedMatches(
        found.map(({ match }) => match),
        wanted,
      ),
    );
    const body = found
      .filter(({ match }) => kept.has(match))
      .map(({ match, found: one }) => presentBestOdds(match, one, nowMs));
    return { body, dataAgeSeconds: oldestOf(body) };
  },
});
