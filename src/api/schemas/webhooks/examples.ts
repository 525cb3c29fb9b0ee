// A webhook and a delivery as the document shows them.
import type { WebhookDeliveryWire } from './delivery';
import type { WebhookWire } from './webhook';

export const exampleWebhook: WebhookWire = {
  id: 'wh_3f9a1c07b2d4',
  url: 'https://hooks.example.com/odds',
  events: ['race.odds_open', 'race.result'],
  sports: [],
  country: ['AU'],
  venue: [],
  min_edge_pct: null,
  is_active: true,
  paused: false,
  created_at: '2026-11-21T01:00:00.000Z',
  last_delivery_at: '2026-11-21T02:59:58.412Z',
  failure_count: 0,
  secret: null,
  previous_secret_until: null,
  delivery_entitled: true,
  delivery_paused_reason: null,
  bookmakers: [],
  min_move_pct: null,
};

export const EXAMPLE_SECRET = 'whsec_EXAMPLEEXAMPLEEXAMPLEEXAMPLEEXAMPLEEXAMPLE0=';

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
