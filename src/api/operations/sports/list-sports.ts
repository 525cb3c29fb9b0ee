// GET /v1/sports (A 4.13; shapes 3.1).

import { Type } from '@sinclair/typebox';
import { onlyWanted } from '../../../domain/sports/match';
import { MARKETS, SPORTS } from '../../../domain/sports/sports';
import { endpoint, flat } from '../../kernel/endpoint/endpoint';
import { Sport } from './odds-schema';
import { USUAL_MAX_AGE_MINUTES } from './parameters-schema';
import { presentSport } from './present-odds';
import type { SportsBoard } from './sports-board';

export const listSports = endpoint<{ sports: SportsBoard }>()({
  method: 'get',
  path: '/v1/sports',
  operationId: 'list_sports',
  tag: 'Sports',
  summary: 'List sports',
  description:
    'Every sport key, and whether matches of it are priced now. Racing is not a sport key: see `GET /v1/racing/events`.',
  auth: 'key',
  cost: flat(1),
  ok: {
    description: 'The sports, always in the same order.',
    schema: Type.Array(Sport),
    example: [
      {
        key: 'nrl',
        title: 'NRL',
        group: 'Rugby League',
        active: true,
        cached: true,
        cache_age_seconds: 12,
        data_quality: { score: 98, status: 'warn', source_count: 46, bookmaker_count: 6 },
      },
    ],
  },
  async handler({ audience, nowMs, services }) {
    const { matches, cacheAgeSeconds } = await services.sports.upcoming(null, nowMs);
    const maxAgeSeconds = USUAL_MAX_AGE_MINUTES * 60;
    const wanted = { bookmakers: audience.compared, markets: MARKETS, maxAgeSeconds, nowMs };
    const priced = matches.flatMap((one) => onlyWanted(one, wanted) ?? []);
    const body = SPORTS.map((sport) => presentSport(sport, priced, nowMs, cacheAgeSeconds));
    return { body, forOneOnly: cacheAgeSeconds === null };
  },
});
