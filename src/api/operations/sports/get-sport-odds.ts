// GET /v1/sports/{sport_key}/odds (A 4.13; shapes 3.1).

import { Type } from '@sinclair/typebox';
import { onlyWanted } from '../../../domain/sports/match';
import { isAlternate } from '../../../domain/sports/sports';
import { endpoint } from '../../kernel/endpoint/endpoint';
import { unknownBookmakers } from '../../kernel/endpoint/rules';
import { bookmakers, choice } from '../../wire/parameters';
import { comparedBooks } from '../../wire/select-race';
import { exampleSportEvent } from './examples';
import { OddsFormat, SportEvent } from './odds-schema';
import { eventIds, markets, maxAgeMinutes, ofMatches } from './parameters-schema';
import { oldestOf } from './present-match';
import { presentEvent } from './present-odds';
import { sportInPath } from './sport-key-schema';
import type { SportsBoard } from './sports-board';
import { isSame, requireSport } from './sports-board';
import { startProblems, wantedMatches } from './wanted-matches';

export const getSportOdds = endpoint<{ sports: SportsBoard }>()({
  method: 'get',
  path: '/v1/sports/{sport_key}/odds',
  operationId: 'get_sport_odds',
  tag: 'Sports',
  summary: 'Odds of a sport',
  description:
    'The matches of a sport that have not started, with the prices of every book: each price with the time at which the book last ' +
    'confirmed it and a verdict on its quality. A match leaves at its `commence_time`. Books report about every 15 minutes; rows are ' +
    'read at most every 30 seconds. An unknown sport is a free 404.',
  auth: 'key',
  cost: { text: '1 credit for each distinct market', credits: ({ query }) => new Set(query.markets).size },
  params: sportInPath,
  query: {
    markets,
    bookmakers,
    competition: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 100,
        'x-must-be': 'the name of a competition',
        description:
          'Only this competition, such as `NRLW`, in upper or lower case. One that was never listed is a free 422.',
      }),
    ),
    include_unknown_competition: Type.Boolean({
      default: true,
      description: 'Whether to include matches whose competition is unknown beside `competition`.',
    }),
    oddsFormat: choice(OddsFormat, { default: 'decimal', description: 'Format of prices.' }),
    maxAgeMinutes,
    ...ofMatches,
    event_ids: eventIds,
  },
  rules: (query, { audience }) => [...unknownBookmakers(query.bookmakers, audience), ...startProblems(query)],
  errors: ['not_found'],
  ok: {
    description: 'The matches, by start, then id.',
    schema: Type.Array(SportEvent),
    example: [exampleSportEvent],
  },
  async handler({ params, query, audience, nowMs, services: { sports } }) {
    const { key } = requireSport(params.sport_key);
    const { competition, include_unknown_competition: unknownToo } = query;
    if (competition !== undefined) await sports.requireCompetition(key, competition, nowMs);
    const { matches, cacheAgeSeconds } = await sports.upcoming(key, nowMs, query.markets.some(isAlternate));
    const wanted = {
      bookmakers: comparedBooks(query.bookmakers, audience),
      markets: query.markets,
      maxAgeSeconds: query.maxAgeMinutes * 60,
      nowMs,
    };
    const body = wantedMatches(matches, query)
      .filter(
        (one) =>
          competition === undefined || (one.competition === null ? unknownToo : isSame(one.competition, competition)),
      )
      .flatMap((one) => onlyWanted(one, wanted) ?? [])
      .map((one) => presentEvent(one, query.oddsFormat, nowMs, cacheAgeSeconds));
    return { body, dataAgeSeconds: oldestOf(body), forOneOnly: cacheAgeSeconds === null };
  },
});
