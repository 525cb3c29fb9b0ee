// GET /v1/arb/sports (A 4.13; shapes 3.2).

import { Type } from '@sinclair/typebox';
import { endpoint, flat } from '../../kernel/endpoint/endpoint';
import { exampleArb } from '../sports/examples';
import { anySport, maxAgeMinutes, minProfitPct } from '../sports/parameters-schema';
import { oldestOf } from '../sports/present-match';
import type { SportsBoard } from '../sports/sports-board';
import { comparedMatches } from './compared';
import { SportsArb } from './compared-schema';
import { presentSportsArb } from './present-compared';

export const sportsArb = endpoint<{ sports: SportsBoard }>()({
  method: 'get',
  path: '/v1/arb/sports',
  operationId: 'sports_arb',
  tag: 'Arbitrage',
  summary: 'Sports arbitrage scanner',
  description:
    'Matches whose head-to-head prices at different books return more than they cost, whichever outcome wins, with the stakes. An arb ' +
    'needs a price of every outcome there is, the draw of three-way sports included, each confirmed within 1800 s and none `suspect`. ' +
    'Sums are exact. Prices move: check them at the books before you bet.',
  auth: 'key',
  cost: flat(3),
  query: { sport_key: anySport, maxAgeMinutes, min_profit_pct: minProfitPct('matches without an arb too.') },
  ok: {
    description: 'The matches: arbs first, highest return first, then by start and id.',
    schema: Type.Array(SportsArb),
    example: [exampleArb],
  },
  async handler({ query, audience, nowMs, services: { sports } }) {
    const { sport_key: sportKey = null, maxAgeMinutes, min_profit_pct: least } = query;
    const found = await comparedMatches(sports, { sportKey, maxAgeMinutes, audience, nowMs });
    const body = found
      .map(({ match, found: one }) => presentSportsArb(match, one, nowMs))
      .filter(({ is_arb, arb_pct }) => least === 0 || (is_arb && arb_pct >= least))
      .sort((a, b) => b.arb_pct - a.arb_pct);
    return { body, dataAgeSeconds: oldestOf(body) };
  },
});
