// POST /v1/ingest/{bookmaker_key} (A 1; shapes 3.9). Operators' keys, and the book's own (D14).

import { Type } from '@sinclair/typebox';
import { endpoint, flat } from '../../kernel/endpoint/endpoint';
import type { Ingest } from './ingest';
import { NEWEST_AHEAD_SECONDS, OLDEST_SECONDS } from './ingest';
import { IngestPayload, IngestReply, MOST_RACES, MOST_RUNNERS } from './ingest-schema';

const pushed = Type.String({
  minLength: 1,
  maxLength: 60,
  description: 'Key of a push-fed bookmaker.',
  examples: ['boostbet'],
});

export const ingestPrices = endpoint<{ ingest: Ingest }>()({
  method: 'post',
  path: '/v1/ingest/{bookmaker_key}',
  operationId: 'ingest_prices',
  tag: 'Ingest',
  summary: 'Push prices for a push-fed bookmaker',
  description:
    'Accepts the prices that a bookmaker pushes to the service. Each race is matched in the same way as the race lists that the ' +
    `service polls, and is created if no other source lists it yet. Limits: ${MOST_RACES} races of ${MOST_RUNNERS} runners each; ` +
    `\`observed_at\` at most ${OLDEST_SECONDS} s in the past and ${NEWEST_AHEAD_SECONDS} s in the future. Repeating a request ` +
    'changes nothing: prices that are not newer than the stored ones are refused as `replayed`. Price ages count from ' +
    '`observed_at`.',
  auth: 'internal',
  pushedBook: 'bookmaker_key',
  cost: flat(0),
  params: { bookmaker_key: pushed },
  body: IngestPayload,
  bodyBytes: 1_048_576,
  ok: {
    description: 'The number of races accepted, and every race that was refused.',
    schema: IngestReply,
    example: {
      ok: true,
      bookmaker_key: 'boostbet',
      races_ingested: 12,
      runners_built: 131,
      observed_at_applied: '2026-11-21T03:00:00.000Z',
      refused: [{ source_id: 'bb-771', reason: 'ambiguous_race' }],
      dropped: { top2_above_win: 1 },
    },
  },
  errors: ['conflict'],
  handler: async ({ params, body, nowMs, services }) => ({
    body: await services.ingest.push(params.bookmaker_key, body, nowMs),
  }),
});
