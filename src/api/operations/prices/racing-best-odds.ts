// GET /v1/racing/best-odds (A 2.4, A 4.3).

import { Type } from '@sinclair/typebox';
import { horizonWindow } from '../../kernel/endpoint/board-window';
import { endpoint, flat } from '../../kernel/endpoint/endpoint';
import { HORIZON } from '../../kernel/endpoint/horizon';
import { forwardOnly, unknownBookmakers } from '../../kernel/endpoint/rules';
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
import { comparedBooks } from '../../wire/select-race';
import type { BestOddsBoard } from './best-odds-board';
import { exampleBestOdds } from './best-odds-example';
import { BestOddsRace } from './best-odds-schema';

export const racingBestOdds = endpoint<{ bestOdds: BestOddsBoard }>()({
  method: 'get',
  path: '/v1/racing/best-odds',
  operationId: 'racing_best_odds',
  tag: 'Racing',
  summary: 'Best price per runner across books',
  description:
    'The best win, place and Same Race Multi price of every runner across the books compared, without placeholder quotes: next to ' +
    'jump first, then by `race_id`. Prices are compared at most every 20 seconds; ages are computed when the response is served. In Hong Kong ' +
    'only win and place are compared. ' +
    '`limit` is an alias of `num_races`. If both are sent, `limit` wins.',
  auth: 'key',
  cost: flat(3),
  gate: HORIZON,
  query: {
    hours_ahead: hoursAhead(6),
    date: forwardDate,
    num_races: numRaces(10, 150),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 150,
        description: 'Alias of `num_races`. If both are sent, `limit` wins.',
        'x-alias-of': 'num_races',
        'x-alias-wins': true,
      }),
    ),
    categories,
    category,
    venue,
    bookmakers,
    country,
    include_unresolved: includeUnresolved,
  },
  exclusive: [['hours_ahead', 'date']],
  rules: (query, { audience, nowMs }) => [
    ...unknownBookmakers(query.bookmakers, audience),
    ...forwardOnly(query.date, nowMs),
  ],
  ok: {
    description: 'The races, with the best price of each runner.',
    schema: Type.Array(BestOddsRace),
    example: [exampleBestOdds],
  },
  handler({ query, rights, audience, nowMs, services }) {
    const board = {
      categories: query.categories,
      venues: query.venue,
      countries: query.country,
      includeUnresolved: query.include_unresolved,
      bookmakers: comparedBooks(query.bookmakers, audience),
      limit: query.num_races,
    };
    const { betslip, horizonHours } = rights;
    const { date, hours_ahead } = query;
    const key = JSON.stringify([date === undefined ? hours_ahead : [date, horizonHours], board]);
    const window = horizonWindow(query, nowMs, horizonHours);
    return services.bestOdds.racesFor({ key, betslip, board: { ...window, ...board } }, nowMs);
  },
});
