// GET /v1/arb/best-prices (A 4.13; shapes 3.2).

import { Type } from '@sinclair/typebox';
import { endpoint, flat } from '../../kernel/endpoint/endpoint';
import { choice } from '../../wire/parameters';
import { exampleBestPrices } from '../sports/examples';
import { maxAgeMinutes } from '../sports/parameters-schema';
import { oldestOf } from '../sports/present-match';
import { SportKey } from '../sports/sport-key-schema';
import type { SportsBoard } from '../sports/sports-board';
import { comparedMatches } from './compared';
import { BestPricesMatch } from './compared-schema';
import { presentBestPrices } from './present-compared';

export const bestPrices = endpoint<{ sports: SportsBoard }>()({
  method: 'get',
  path: '/v1/arb/best-prices',
  operationId: 'best_prices',
  tag: 'Arbitrage',
  summary: 'Best and worst price per selection',
  description:
    'The head-to-head prices of a sport compared over all books that offer the same bet: best, worst and mean of each selection, and how far the ' +
    'best is above the mean. Compared are books with the sport’s own outcomes, three in soccer and Test cricket, two elsewhere; only if there is ' +
    'none, those with the others. `suspect` prices do not count in these figures if there are others.',
  auth: 'key',
  cost: flat(2),
  query: {
    sport_key: choice(SportKey, { default: 'nrl', description: 'One sport.' }),
    maxAgeMinutes,
  },
  ok: {
    description: 'The matches, by start, then id.',
    schema: Type.Array(BestPricesMatch),
    example: [exampleBestPrices],
  },
  async handler({ query, audience, nowMs, services: { sports } }) {
    const { sport_key: sportKey, maxAgeMinutes } = query;
    const found = await comparedMatches(sports, { sportKey, maxAgeMinutes, audience, nowMs });
    const body = found.map(({ match, found: one }) => presentBestPrices(match, one, nowMs));
    return { body, dataAgeSeconds: oldestOf(body) };
  },
});
