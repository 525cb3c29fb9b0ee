// POST /v1/ingest/{bookmaker_key} (A 1; shapes 3.9). Operators' keys only (D14).
import { Type } from '@sinclair/typebox';
import { endpoint, flat } from '../../endpoint';
import { IngestPayload, IngestReply, MOST_RACES, MOST_RUNNERS } from '../../schemas/ingest';
import { NEWEST_AHEAD_SECONDS, OLDEST_SECONDS } from '../../services/ingest';

const pushed = Type.String({ minLength: 1, maxLength: 60, description: 'A push-fed book.', examples: ['boostbet'] });

export const ingestPrices = endpoint({
  method: 'post',
  path: '/v1/ingest/{bookmaker_key}',
  operationId: 'ingest_prices',
  tag: 'Ingest',
  summary: 'Prices of a push-fed book',
  description:
    'Takes the prices of a book that is pushed to us. A race is placed as a list that we read ourselves would be, and made when nobody ' +
    `lists it yet. At most ${MOST_RACES} races of ${MOST_RUNNERS} runners; \`observed_at\` at most ${OLDEST_SECONDS} s old and ` +
    `${NEWEST_AHEAD_SECONDS} s ahead. Sending the same again changes nothing: prices that are not newer than those held are refused ` +
    'as `replayed`. The age of the prices is counted from `observed_at`.',
  auth: 'internal',
  cost: flat(0),
  params: { bookmaker_key: pushed },
  body: IngestPayload,
  ok: {
    description: 'What was taken, and what was not.',
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
