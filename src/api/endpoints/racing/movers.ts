// GET /v1/racing/movers (A 2.7, A 4.7, D9).
import { Type } from '@sinclair/typebox';
import { captureBound } from '../../../store/reads/prices/captured-prices';
import { windowOf } from '../../board-window';
import { endpoint, flat } from '../../endpoint';
import { isJumped } from '../../present/jumped';
import { presentMovers } from '../../present/prices/movers';
import { categories, category, country, includeUnresolved } from '../../schemas/parameters';
import { exampleMover, Mover } from '../../schemas/prices/movers';
import { DIRECTIONS, oneOf } from '../../schemas/vocabulary';

/** Capture begins an hour before the jump (A 8), so that nothing further off has moved. */
const CAPTURE_MINUTES = 60;
/** More than the board ever has inside the hour. */
const EVERY_RACE = 2000;

export const movers = endpoint({
  method: 'get',
  path: '/v1/racing/movers',
  operationId: 'movers',
  tag: 'Racing',
  summary: 'Runners whose price has moved before the jump',
  description:
    'Every runner still to jump whose average price has moved since capture began, an hour before the jump: the largest move first, ' +
    'either way. The average is over books with two or more captured prices; raising `min_books` asks for more such books, not for ' +
    'more that agree: gate on the counters. Quotes past their staleness threshold are no quotes here, and placeholder quotes move ' +
    'nothing.',
  auth: 'key',
  cost: flat(3),
  query: {
    direction: Type.Optional(oneOf(DIRECTIONS, { description: 'Only moves this way. Default: both.' })),
    min_move_pct: Type.Number({
      default: 10,
      minimum: 1,
      maximum: 90,
      description: 'Least move of the average, either way, in percent.',
    }),
    min_books: Type.Integer({
      default: 3,
      minimum: 1,
      maximum: 20,
      description: 'Least books with two or more captured prices on the runner.',
    }),
    categories,
    category,
    country,
    include_unresolved: includeUnresolved,
    max_mins_to_jump: Type.Integer({
      default: CAPTURE_MINUTES,
      minimum: 1,
      maximum: CAPTURE_MINUTES,
      description: 'Only races less than this many minutes from their advertised start.',
    }),
    limit: Type.Integer({ default: 50, minimum: 1, maximum: 200, description: 'At most this many runners.' }),
  },
  ok: { description: 'Movers.', schema: Type.Array(Mover), example: [exampleMover] },
  async handler({ query, audience, nowMs, services: { reads } }) {
    const bookmakers = audience.compared;
    const board = await reads.board({
      ...windowOf({ hours_ahead: query.max_mins_to_jump / 60 }, nowMs),
      categories: query.categories,
      countries: query.country,
      includeUnresolved: query.include_unresolved,
      bookmakers,
      limit: EVERY_RACE,
    });
    const races = board.filter((race) => !isJumped(race, audience, nowMs));
    if (races.length === 0) return { body: [] };
    const raceIds = races.map((race) => race.race_id);
    const from = captureBound(races.map((race) => race.startMs));
    const captured = await reads.capturedPrices({ raceIds, bookmakers, from });
    const { direction, min_move_pct: minMovePct, min_books: minBooks, limit } = query;
    return { body: presentMovers(races, captured, { direction, minMovePct, minBooks, limit }, nowMs) };
  },
});
