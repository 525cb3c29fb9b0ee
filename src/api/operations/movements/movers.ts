// GET /v1/racing/movers (A 2.7, A 4.7, D9).

import { Type } from '@sinclair/typebox';
import type { Reads } from '../../../store/reads/reads';
import { windowOf } from '../../kernel/endpoint/board-window';
import { endpoint, flat } from '../../kernel/endpoint/endpoint';
import { categories, category, choice, country, includeUnresolved } from '../../wire/parameters';
import { Direction } from '../../wire/vocabulary';
import { findMovers } from './found-movers';
import { exampleMover, Mover } from './movers-schema';
import { presentMover } from './present-movers';

/** Capture begins an hour before the jump (A 8): races further ahead have no captured prices. */
const CAPTURE_MINUTES = 60;

export const movers = endpoint<{ reads: Reads }>()({
  method: 'get',
  path: '/v1/racing/movers',
  operationId: 'movers',
  tag: 'Racing',
  summary: 'Runners whose price has moved before the jump',
  description:
    'Every runner still to jump whose average price has moved since capture began, one hour before the jump: largest move first, ' +
    'in either direction. The average is over books with two or more captured prices. `min_books` sets the minimum number of such ' +
    'books; it does not require them to agree, so filter on `books_firming` and `books_drifting` for that. Stale quotes are ' +
    'ignored, and placeholder quotes never count towards a move.',
  auth: 'key',
  cost: flat(3),
  query: {
    direction: Type.Optional(choice(Direction, { description: 'Only moves in this direction. Default: both.' })),
    min_move_pct: Type.Number({
      default: 10,
      minimum: 1,
      maximum: 90,
      description: 'Minimum move of the average price in either direction, in percent.',
    }),
    min_books: Type.Integer({
      default: 3,
      minimum: 1,
      maximum: 20,
      description: 'Minimum number of books with two or more captured prices on the runner.',
    }),
    categories,
    category,
    country,
    include_unresolved: includeUnresolved,
    max_mins_to_jump: Type.Integer({
      default: CAPTURE_MINUTES,
      minimum: 1,
      maximum: CAPTURE_MINUTES,
      description: 'Only races that start in less than this many minutes, by advertised start.',
    }),
    limit: Type.Integer({ default: 50, minimum: 1, maximum: 200, description: 'Maximum number of runners to return.' }),
  },
  ok: {
    description: 'The runners that moved, largest move first.',
    schema: Type.Array(Mover),
    example: [exampleMover],
  },
  async handler({ query, audience, nowMs, services: { reads } }) {
    const { direction, min_move_pct: minMovePct, min_books: minBooks, limit } = query;
    const races = {
      ...windowOf(query.max_mins_to_jump / 60, nowMs),
      categories: query.categories,
      countries: query.country,
      includeUnresolved: query.include_unresolved,
      bookmakers: audience.compared,
    };
    const { found } = await findMovers(reads, races, { direction, minMovePct, minBooks, limit }, nowMs);
    return { body: found.map((mover) => presentMover(mover, nowMs)) };
  },
});
