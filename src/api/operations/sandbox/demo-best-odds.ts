// GET /v1/demo/best-odds (A 4.13; shapes 3.8): a truncated sample of live data without a key.

import { Type } from '@sinclair/typebox';
import { endpoint, flat } from '../../kernel/endpoint/endpoint';
import type { SportsDemo } from './sports-demo';
import { slugProblems, sportOfSlug } from './sports-demo';
import { DemoBestOdds, MOST_EVENTS } from './sports-demo-schema';

const NOTE = 'A sample of live data. A free key returns every match, market and book.';

export const demoBestOdds = endpoint<{ baseUrl: string; sportsDemo: SportsDemo }>()({
  method: 'get',
  path: '/v1/demo/best-odds',
  operationId: 'demo_best_odds',
  tag: 'Sandbox',
  summary: 'Sample of best odds without a key',
  description:
    `The best head-to-head price of each selection of at most ${MOST_EVENTS} matches, the next to start. The sample is refreshed at most every 45 ` +
    'seconds. Limit: 30 requests a minute per address.',
  auth: 'none',
  cost: flat(0),
  perMinutePerIp: 30,
  query: {
    sport: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 40,
        'x-must-be': 'the key of a sport, such as tennis-atp',
        description: 'Key of a sport, with `-` or `_`. Default: the one that most books price now.',
        examples: ['nrl'],
      }),
    ),
  },
  rules: (query) => slugProblems(query),
  ok: {
    description: 'The sample.',
    schema: DemoBestOdds,
    example: {
      demo: true,
      note: NOTE,
      signup_url: 'https://api.example.com/signup',
      truncated: true,
      cached: false,
      sport: 'nrl',
      events: [
        {
          home_team: 'Brisbane Broncos',
          away_team: 'Melbourne Storm',
          commence_time: '2026-11-21T09:00:00.000Z',
          selections: [
            {
              name: 'Brisbane Broncos',
              best_price: 1.91,
              best_bookmaker: 'sportsbet',
              last_update: '2026-11-21T02:58:24.000Z',
            },
          ],
          arb_exists: false,
          arb_profit_pct: 0,
        },
      ],
    },
  },
  async handler({ query, nowMs, services: { sportsDemo, baseUrl } }) {
    const sample = await sportsDemo.bestOdds(query.sport ? sportOfSlug(query.sport)! : null, nowMs);
    return { body: { demo: true as const, note: NOTE, signup_url: `${baseUrl}/signup`, ...sample } };
  },
});
