// GET /v1/sports/{sport_key}/odds/history (A 2.13, A 4.13; shapes 3.1).

import { Type } from '@sinclair/typebox';
import type { Reads } from '../../../store/reads/reads';
import { HISTORY_MATCHES, PAGE_SNAPSHOTS } from '../../../store/reads/sports/series';
import { endpoint, flat } from '../../kernel/endpoint/endpoint';
import { planGate } from '../../kernel/endpoint/plan-gate';
import { bookmakers, offset } from '../../wire/parameters';
import { comparedBooks } from '../../wire/select-race';
import { eventIds, market } from '../sports/parameters-schema';
import { nextPage, spanOf, spanRules } from '../sports/span';
import { sportInPath } from '../sports/sport-key-schema';
import { requireSport } from '../sports/sports-board';
import { exampleHistory } from './history-examples';
import { MatchHistory, span } from './history-schema';

const bounds = span('change');

export const getOddsHistory = endpoint<{ baseUrl: string; reads: Reads }>()({
  method: 'get',
  path: '/v1/sports/{sport_key}/odds/history',
  operationId: 'get_odds_history',
  tag: 'Sports',
  summary: 'Captured prices of a sport',
  description:
    `Every change of one market at every book, up to the start of each match, the latest start first. A page has ${HISTORY_MATCHES} matches, and ends earlier with the ` +
    `match in which it reaches ${PAGE_SNAPSHOTS} snapshots. The header \`Link\` has the next page; without it add the number of matches of this one to \`offset\`, and send ` +
    'the same `from` and `to`. An unknown sport is a free 404.',
  auth: 'key',
  cost: flat(5),
  gate: planGate('sports_history'),
  params: sportInPath,
  query: {
    ...bounds,
    date_from: { ...bounds.from, description: 'Alias of `from`.', 'x-alias-of': 'from' },
    date_to: { ...bounds.to, description: 'Alias of `to`.', 'x-alias-of': 'to' },
    bookmakers,
    market,
    event_ids: eventIds,
    offset: { ...offset, description: 'Number of matches to skip.' },
  },
  rules: spanRules,
  paged: true,
  errors: ['not_found'],
  ok: {
    description: 'The matches, by start, the latest first, then id.',
    schema: Type.Array(MatchHistory),
    example: [exampleHistory],
  },
  async handler({ params, query, audience, nowMs, services: { reads, baseUrl } }) {
    const { key: sportKey } = requireSport(params.sport_key);
    const books = comparedBooks(query.bookmakers, audience);
    const { market, offset, event_ids: eventIds } = query;
    const span = spanOf(query, nowMs);
    const found = await reads.sportHistory({ sportKey, market, bookmakers: books, ...span, offset, eventIds });
    const snapshots = found.reduce((sum, match) => sum + match.snapshots.length, 0);
    const isLast = found.length < HISTORY_MATCHES && snapshots < PAGE_SNAPSHOTS;
    return {
      next: isLast ? null : nextPage(`${baseUrl}/v1/sports/${sportKey}/odds/history`, query, span, found.length),
      body: found.map((match) => ({ ...match, snapshots: [...match.snapshots] })),
    };
  },
});
