// GET /v1/racing/markets (A 4.13, D33; reference-shapes 11).

import { Type } from '@sinclair/typebox';
import type { Reads } from '../../../store/reads/reads';
import { endpoint, flat } from '../../kernel/endpoint/endpoint';
import { planGate } from '../../kernel/endpoint/plan-gate';
import { unknownBookmakers } from '../../kernel/endpoint/rules';
import { bookmakers, choice } from '../../wire/parameters';
import { raceSelector } from '../../wire/race-selector';
import { comparedBooks, raceSelectorRules, selectRace } from '../../wire/select-race';
import { exampleMarkets } from './markets-example';
import { MARKETS, MarketName, RaceMarkets } from './markets-schema';
import { presentMarkets } from './present-markets';

export const raceMarkets = endpoint<{ reads: Reads }>()({
  method: 'get',
  path: '/v1/racing/markets',
  operationId: 'race_markets',
  tag: 'Racing',
  summary: 'Every market on one race',
  description:
    'Win, place, Top 2, Top 3 and Top 4: each book’s quote on each runner and the best of them, by the rules of `best-odds`. Once ' +
    'the race has a result, its exotic dividends are included with the status of the result; settle on them only when it is ' +
    '`final`. A race that has left the live board is returned with its last stored prices: each keeps its true age, and none is ' +
    'marked as live. Charged only if the race is found.',
  auth: 'key',
  cost: flat(2),
  gate: planGate('markets'),
  query: {
    ...raceSelector,
    bookmakers,
    markets: Type.Optional(
      Type.Unsafe<MarketName[]>({
        type: 'array',
        items: choice(MarketName, { 'x-fold': 'lower' }),
        minItems: 1,
        description: 'Only these markets, comma-separated. Default: all.',
      }),
    ),
  },
  rules: (query, { audience, given }) => [
    ...raceSelectorRules(given),
    ...unknownBookmakers(query.bookmakers, audience),
  ],
  ok: { description: 'The race and its markets.', schema: RaceMarkets, example: exampleMarkets },
  errors: ['not_found', 'race_ambiguous'],
  async handler({ query, audience, nowMs, services: { reads } }) {
    const race = await selectRace(reads, query, comparedBooks(query.bookmakers, audience));
    const markets = MARKETS.filter((market) => query.markets?.includes(market) ?? true);
    const exotics = markets.includes('exotics') ? await reads.raceExotics(race.race_id) : null;
    const body = presentMarkets(race, exotics, markets, nowMs);
    return { body, dataAgeSeconds: body.data_age_seconds };
  },
});
