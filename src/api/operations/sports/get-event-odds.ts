// GET /v1/sports/{sport_key}/events/{event_id}/odds: an addition to A 4.13.

import { Type } from '@sinclair/typebox';
import { onlyWanted } from '../../../domain/sports/match';
import { isAlternate } from '../../../domain/sports/sports';
import { AppError } from '../../../errors';
import { endpoint } from '../../kernel/endpoint/endpoint';
import { unknownBookmakers } from '../../kernel/endpoint/rules';
import { bookmakers, choice } from '../../wire/parameters';
import { comparedBooks } from '../../wire/select-race';
import { exampleSportEvent } from './examples';
import { EVENT_ID } from './match-schema';
import { OddsFormat, SportEvent } from './odds-schema';
import { markets, maxAgeMinutes } from './parameters-schema';
import { presentEvent } from './present-odds';
import { sportInPath } from './sport-key-schema';
import type { SportsBoard } from './sports-board';
import { requireSport } from './sports-board';

export const getEventOdds = endpoint<{ sports: SportsBoard }>()({
  method: 'get',
  path: '/v1/sports/{sport_key}/events/{event_id}/odds',
  operationId: 'get_event_odds',
  tag: 'Sports',
  summary: 'Odds of one match',
  description:
    'One match that has not started, as `GET /v1/sports/{sport_key}/odds` has it. A match that has started, is of another sport, is not listed or has no price of ' +
    'these markets, bookmakers and age is a free 404.',
  auth: 'key',
  cost: { text: '1 credit for each distinct market', credits: ({ query }) => new Set(query.markets).size },
  params: {
    ...sportInPath,
    event_id: Type.String({ format: 'uuid', description: EVENT_ID, examples: [exampleSportEvent.id] }),
  },
  query: {
    markets,
    bookmakers,
    oddsFormat: choice(OddsFormat, { default: 'decimal', description: 'Format of prices.' }),
    maxAgeMinutes,
  },
  rules: (query, { audience }) => unknownBookmakers(query.bookmakers, audience),
  errors: ['not_found'],
  ok: { description: 'The match.', schema: SportEvent, example: exampleSportEvent },
  async handler({ params, query, audience, nowMs, services: { sports } }) {
    const { key } = requireSport(params.sport_key);
    const { matches, cacheAgeSeconds } = await sports.upcoming(key, nowMs, query.markets.some(isAlternate));
    const found = matches.find(({ eventId }) => eventId === params.event_id.toLowerCase());
    const wanted = {
      bookmakers: comparedBooks(query.bookmakers, audience),
      markets: query.markets,
      maxAgeSeconds: query.maxAgeMinutes * 60,
      nowMs,
    };
    const match = found && onlyWanted(found, wanted);
    if (!match) throw new AppError('not_found', 'No such match of this sport is open with such a price.');
    const body = presentEvent(match, query.oddsFormat, nowMs, cacheAgeSeconds);
    return { body, dataAgeSeconds: body.data_age_seconds, forOneOnly: cacheAgeSeconds === null };
  },
});
