// POST /v1/ingest/sports/{bookmaker_key} (A 1; shapes 3.9). Operators' keys, and the book's own (D14).

import { MOST_OF_PAIR } from '../../../domain/sports/identity/place-events';
import { endpoint, flat } from '../../kernel/endpoint/endpoint';
import { words } from '../../wire/vocabulary';
import { NEWEST_AHEAD_SECONDS, OLDEST_SECONDS } from './ingest';
import { MOST_EVENTS, SportIngestPayload, SportIngestReply } from './sport-ingest-schema';
import type { SportsIngest } from './sports-ingest';

/** A book with its whole offer: more often than every ten seconds is useless. */
const PUSHES_PER_MINUTE = 6;

export const ingestSportPrices = endpoint<{ sportsIngest: SportsIngest }>()({
  method: 'post',
  path: '/v1/ingest/sports/{bookmaker_key}',
  operationId: 'ingest_sport_prices',
  tag: 'Ingest',
  summary: 'Push a bookmaker’s sports prices',
  description:
    'Replaces everything that the bookmaker offers on sports: what this push does not list is taken back, with its time. Each match ' +
    'is matched with those of other bookmakers by its teams and its start, and is created if it is new. Prices of a match are ' +
    `accepted until it starts. Limits: ${PUSHES_PER_MINUTE} pushes a minute of each bookmaker; ${MOST_EVENTS} matches; \`observed_at\` at most ${OLDEST_SECONDS} s in the ` +
    `past and ${NEWEST_AHEAD_SECONDS} s in the future; a market’s \`last_update\` at most ${NEWEST_AHEAD_SECONDS} s in the future. A push that is not newer than the stored one changes nothing and is ` +
    '`replayed`, as are all of its matches. Without `observed_at` a push is as new as its arrival. One push of a bookmaker waits while ' +
    'another is written, the newest by `observed_at`. One that is not newer than it, or that waits when a newer one comes, is refused with a 409: do not ' +
    'send it again. If too many pushes of all bookmakers wait, a push is refused with a 503 and Retry-After; sent again, it keeps its `observed_at`. ' +
    'Either costs nothing, and nothing of it is written. ' +
    `Of one pair of teams ${MOST_OF_PAIR} rows are placed, those of matches that the bookmaker lists first; any more are \`ambiguous_event\`.`,
  auth: 'internal',
  pushedBook: 'bookmaker_key',
  pushesPerMinute: PUSHES_PER_MINUTE,
  cost: flat(0),
  params: { bookmaker_key: { ...words('Key of a bookmaker.', 60), examples: ['sportsbet'] } },
  body: SportIngestPayload,
  bodyBytes: 4_194_304,
  errors: ['conflict'],
  ok: {
    description: 'The number of matches accepted, and every match that was refused.',
    schema: SportIngestReply,
    example: {
      ok: true,
      bookmaker_key: 'sportsbet',
      replayed: false,
      events_ingested: 48,
      markets_changed: 17,
      markets_taken_back: 3,
      observed_at_applied: '2026-11-21T03:00:00.000Z',
      refused: [{ index: 12, source_id: '8841199', reason: 'started' }],
      dropped: { spreads_points_differ: 1 },
    },
  },
  handler: async ({ params, body, nowMs, gone, services }) => ({
    body: await services.sportsIngest.push(params.bookmaker_key, body, nowMs, gone!),
  }),
});
