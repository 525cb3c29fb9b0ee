// The posts to a webhook, their responses, and replays (B 2.10, D57).
import { type Static, Type } from '@sinclair/typebox';
import { count, instant, named, nullable, oneOf, readableInstant, text, whole, yes } from '../../wire/vocabulary';
import { EventType } from './webhook-schema';

export const DELIVERY_STATUSES = ['pending', 'retrying', 'delivered', 'failed', 'cancelled'] as const;
const ENDED = ['delivered', 'failed', 'cancelled'] as const;

const statusCode = nullable(whole('HTTP status of the last response. Null: there was none.'));

const WebhookAttempt = named(
  'WebhookAttempt',
  Type.Object({
    attempt: whole('1 is the first.'),
    started_at: instant('When it was made (UTC).'),
    duration_ms: nullable(whole('Milliseconds to its end. Null: it is under way, or it was cut off.')),
    status_code: nullable(whole('HTTP status of the response. Null: there was none.')),
    error: nullable(text('Why it failed.')),
  }),
);

export const DeliveryStatus = named(
  'WebhookDeliveryStatus',
  oneOf(DELIVERY_STATUSES, {
    description:
      '`pending`: the first attempt is still to be made. `retrying`: it failed, and another follows. `delivered`: a response with 2xx. `failed`: the ' +
      'last of ten attempts failed. `cancelled`: it is not posted any more; `error` has the reason.',
  }),
);

export const WebhookDelivery = named(
  'WebhookDelivery',
  Type.Object({
    id: text('Names the delivery.'),
    webhook_id: text(),
    event_id: text('The `webhook-id` of every attempt, the same for all webhooks and replays.'),
    event_type: EventType,
    payload: nullable(
      Type.Unsafe<Readonly<Record<string, unknown>>>({
        type: 'object',
        additionalProperties: true,
        description: 'What is posted. Null: it is no longer stored.',
      }),
    ),
    status: DeliveryStatus,
    attempt_count: count('Attempts so far, the one under way included.'),
    status_code: statusCode,
    error: nullable(text('Why the last attempt failed, or why it was cancelled.')),
    created_at: instant('When its event was written (UTC); of a replay or a test, when it was queued.'),
    delivered_at: nullable(instant('When the receiver accepted it (UTC).')),
    attempts: Type.Array(WebhookAttempt, { description: 'The first one first.' }),
    replay_of: nullable(text('The delivery that this one repeats.')),
    test: yes('Whether it is of a test call.'),
  }),
);

export const WebhookDeliveries = Type.Array(WebhookDelivery, { description: 'The newest first.' });

export const WebhookTest = named(
  'WebhookTest',
  Type.Object({
    delivered: yes('Whether the receiver responded with 2xx.'),
    status_code: statusCode,
    error: nullable(text('Why it was not delivered.')),
    delivery_id: text('The delivery of the test in the list of deliveries.'),
    webhook_active: yes('`is_active` of the webhook: a test is posted all the same.'),
  }),
);

export const WebhookReplayRequest = named(
  'WebhookReplayRequest',
  Type.Object(
    {
      from: readableInstant('Deliveries that were queued from then on.'),
      to: readableInstant('Before then, at most 24 hours later.'),
      events: Type.Optional(Type.Array(EventType, { maxItems: 20, description: 'Only these kinds; empty: all.' })),
      statuses: Type.Optional(
        Type.Array(oneOf(ENDED), {
          minItems: 1,
          maxItems: 3,
          description: 'Only deliveries that ended so. Default: all that have ended.',
        }),
      ),
    },
    {
      additionalProperties: false,
      examples: [{ from: '2026-11-21T01:00:00Z', to: '2026-11-21T03:00:00Z', statuses: ['failed', 'cancelled'] }],
    },
  ),
);

export const WebhookReplay = named(
  'WebhookReplay',
  Type.Object({ webhook_id: text(), replayed: count('Deliveries that are made again.') }),
);

export const deliveryId = Type.String({
  minLength: 1,
  maxLength: 64,
  description: '`id` of the delivery.',
  examples: ['dl_0b8f4f0f2d0c4c3f9b1a6b0f6f1c2d3e'],
});

export type WebhookDeliveryWire = Static<typeof WebhookDelivery>;

export const exampleDelivery: WebhookDeliveryWire = {
  id: 'dl_0b8f4f0f2d0c4c3f9b1a6b0f6f1c2d3e',
  webhook_id: 'wh_3f9a1c07b2d4',
  event_id: 'evt_6f0c2f7f8f0e4d5c9a1b2c3d4e5f6071',
  event_type: 'race.odds_open',
  payload: {
    category: 'horse',
    country: 'AU',
    event: 'race.odds_open',
    id: 'evt_6f0c2f7f8f0e4d5c9a1b2c3d4e5f6071',
    occurred_at: '2026-11-21T02:59:57.900Z',
    race_id: '0b6f8c1e-5f2a-5d3b-9c4d-1e2f3a4b5c6d',
    race_number: 4,
    sequence: 1,
    start_time: '2026-11-21T05:10:00.000Z',
    venue: 'Flemington',
  },
  status: 'delivered',
  attempt_count: 1,
  status_code: 200,
  error: null,
  created_at: '2026-11-21T02:59:58.104Z',
  delivered_at: '2026-11-21T02:59:58.412Z',
  attempts: [{ attempt: 1, started_at: '2026-11-21T02:59:58.120Z', duration_ms: 292, status_code: 200, error: null }],
  replay_of: null,
  test: false,
};
