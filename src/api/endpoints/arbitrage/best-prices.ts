// GET /v1/arb/best-prices (A 4.13; shapes 3.2).
import { Type } from '@sinclair/typebox';
import { endpoint, flat } from '../../endpoint';
import { presentBestPrices } from '../../present/sports/compared';
import { choice } from '../../schemas/parameters';
import { BestPricesMatch } from '../../schemas/sports/compared';
import { exampleBestPrices } from '../../schemas/sports/examples';
import { maxAgeMinutes } from '../../schemas/sports/parameters';
import { SportKey } from '../../schemas/sports/sport-key';
import { comparedMatches } from '../../services/sports/compared';

export const bestPrices = endpoint({
  method: 'get',
  path: '/v1/arb/best-prices',
  operationId: 'best_prices',
  tag: 'Arbitrage',
  summary: 'Best and worst price per selection',
  description:
    'The head-to-head prices of a sport compared over all books: best, worst and mean of each selection, and how far the best is above ' +
    'the mean.',
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
    return { body: found.map(({ match, found: one }) => presentBestPrices(match, one, nowMs)) };
  },
});
