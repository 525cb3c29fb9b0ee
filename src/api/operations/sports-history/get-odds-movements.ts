// GET /v1/sports/{sport_key}/odds/movements (A 2.13, A 4.13; shapes 3.1).

import { Type } from '@sinclair/typebox';
import type { Reads } from '../../../store/reads/reads';
import { MOST_MOVEMENTS } from '../../../store/reads/sports/movements';
import { endpoint, flat } from '../../kernel/endpoint/endpoint';
import { planGate } from '../../kernel/endpoint/plan-gate';
import { unknownBookmakers } from '../../kernel/endpoint/rules';
import { bookmakers } from '../../wire/parameters';
import { comparedBooks } from '../../wire/select-race';
import { readableInstant } from '../../wire/vocabulary';
import { market } from '../sports/parameters-schema';
import { sportInPath } from '../sports/sport-key-schema';
import { requireSport } from '../sports/sports-board';
import { exampleMovement } from './history-examples';
import { Movement } from './history-schema';
import { presentMovement } from './present-history';

const DAY_MS = 86_400_000;
const MOST_DAYS = 7;

export const getOddsMovements = endpoint<{ reads: Reads }>()({
  method: 'get',
  path: '/v1/sports/{sport_key}/odds/movements',
  operationId: 'get_odds_movements',
  tag: 'Sports',
  summary: 'Price movements of a sport',
  description:
    `What changed in one market at every book, the newest change first, ${MOST_MOVEMENTS} at most: for earlier ones name fewer \`bookmakers\` or raise ` +
    '`min_delta`. A market that a book took back and offers again starts anew. An unknown sport is a free 404.',
  auth: 'key',
  cost: flat(5),
  gate: planGate('sports_history'),
  params: sportInPath,
  query: {
    since: Type.Optional(
      readableInstant(`Changes from this instant on, at most ${MOST_DAYS} days ago. Default: 24 hours ago.`),
    ),
    bookmakers,
    market,
    min_delta: Type.Number({
      default: 0.01,
      minimum: 0,
      maximum: 1000,
      description: 'Leaves out changes in which every price and point moved by less.',
    }),
  },
  rules: ({ since, bookmakers: named }, { audience, nowMs }) => [
    ...unknownBookmakers(named, audience),
    ...sinceProblems(since, nowMs),
  ],
  errors: ['not_found'],
  ok: { description: 'The changes, newest first.', schema: Type.Array(Movement), example: [exampleMovement] },
  async handler({ params, query, audience, nowMs, services: { reads } }) {
    const { key: sportKey } = requireSport(params.sport_key);
    const found = await reads.sportMovements({
      sportKey,
      market: query.market,
      bookmakers: comparedBooks(query.bookmakers, audience),
      from: query.since ?? new Date(nowMs - DAY_MS).toISOString(),
      until: new Date(nowMs + 1).toISOString(),
      minDelta: query.min_delta,
    });
    return { body: found.map(presentMovement) };
  },
});

function sinceProblems(since: string | undefined, nowMs: number) {
  if (since === undefined) return [];
  const agoMs = nowMs - Date.parse(since);
  const now = new Date(nowMs).toISOString();
  if (agoMs < 0) return [{ parameter: 'since', detail: `since is in the future; the current time is ${now}.` }];
  if (agoMs <= MOST_DAYS * DAY_MS) return [];
  const detail = `since is more than ${MOST_DAYS} days ago; the current time is ${now}. odds/history goes further back.`;
  return [{ parameter: 'since', detail }];
}
