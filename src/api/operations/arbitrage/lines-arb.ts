// GET /v1/arb/lines (A 4.13; shapes 3.2).

import { Type } from '@sinclair/typebox';
import { MOST_PAIRS } from '../../../domain/sports/lines/lines';
import { LINE_MARKETS, lineMarketOf, OFFERED_MARKETS } from '../../../domain/sports/sports';
import { endpoint, flat } from '../../kernel/endpoint/endpoint';
import { exampleLines } from '../sports/examples';
import { anySport, maxAgeMinutes, minProfitPct } from '../sports/parameters-schema';
import { oldestOf } from '../sports/present-match';
import type { SportsBoard } from '../sports/sports-board';
import { pricedMatches } from './compared';
import { LinesArb } from './compared-schema';
import { presentLines } from './present-compared';

const ALL_LINES = OFFERED_MARKETS.filter((market) => lineMarketOf(market) !== null);

export const linesArb = endpoint<{ sports: SportsBoard }>()({
  method: 'get',
  path: '/v1/arb/lines',
  operationId: 'lines_arb',
  tag: 'Arbitrage',
  summary: 'Line arbitrage and middles',
  description:
    'Pairs of handicap or total prices at different books that together cover every result: arbs, which return more than they cost, and ' +
    'middles, where some result wins both. Main lines and alternates count. Both need prices that were confirmed within 1800 s and are not `suspect`, ' +
    'of books that do not contradict each other; a pair that fails only there is neither, and is listed last with its `suspect_reason`. ' +
    `At most ${MOST_PAIRS} pairs of each match and market; a match without any has its best pair, of any age up to ` +
    '`maxAgeMinutes`.',
  auth: 'key',
  cost: flat(3),
  query: {
    sport_key: anySport,
    maxAgeMinutes,
    min_profit_pct: minProfitPct('middles and the best comparison of every other match too.'),
  },
  ok: {
    description: 'A row for each match and market, by start, then id; in it arbs first, then by what a pair returns.',
    schema: Type.Array(LinesArb),
    example: [exampleLines],
  },
  async handler({ query, audience, nowMs, services: { sports } }) {
    const { sport_key: sportKey = null, maxAgeMinutes, min_profit_pct: least } = query;
    const matches = await pricedMatches(sports, ALL_LINES, { sportKey, maxAgeMinutes, audience, nowMs });
    const rows = matches.flatMap((one) =>
      LINE_MARKETS.flatMap((market) => presentLines(one, market, least, nowMs) ?? []),
    );
    return { body: rows, dataAgeSeconds: oldestOf(rows) };
  },
});
