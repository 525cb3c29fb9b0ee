// A final with its full field, on the last leg of a quaddie: the example of GET /v1/racing/results.
import type { Static } from '@sinclair/typebox';
import type { RaceResult } from './result-schema';

type Wire = Static<typeof RaceResult>;
type Runner = NonNullable<Wire['runners']>[number];

const goldTrip = { number: 1, name: 'Gold Trip', horse_ref: 'pe:goldtrip' };
const plainSailing = { number: 2, name: 'Plain Sailing', horse_ref: 'pe:plainsailing' };
const ran = { status: 'ran', dead_heat: false, sp_note: null, abnormal: null, origin: 'racing_australia' } as const;

const runners: Runner[] = [
  {
    ...goldTrip,
    ...ran,
    box: 3,
    position: 1,
    jockey: 'A Rider',
    trainer: 'C Trainer',
    sp: 5,
    margin: null,
    time_s: 198.07,
    runner_ref: 'ra:20261121001',
  },
  {
    ...plainSailing,
    ...ran,
    box: 1,
    position: 2,
    jockey: 'B Rider',
    trainer: 'D Trainer',
    sp: 2.4,
    sp_note: 'F',
    margin: '2.75L',
    time_s: null,
    runner_ref: 'ra:20261121002',
  },
  {
    number: 3,
    name: 'Late Mail',
    horse_ref: 'pe:latemail',
    ...ran,
    status: 'scratched',
    abnormal: 'SB',
    box: 2,
    position: null,
    jockey: null,
    trainer: 'D Trainer',
    sp: null,
    margin: null,
    time_s: null,
    runner_ref: 'ra:20261121003',
  },
];

const pool = { product: 'VIC' } as const;

export const exampleResult: Wire = {
  race_id: '6f0cf0a4-9a2f-5d56-9a0b-0c6f5f6c2d11',
  coverage_from: '2026-08-15T05:53:00.000Z',
  venue: 'Flemington',
  venue_id: 'flemington',
  venue_canonical: 'Flemington',
  venue_site: 'flemington',
  race_number: 7,
  category: 'horse',
  country: 'AU',
  start_time: '2026-11-21T05:20:00.000Z',
  race_name: 'Spring Cup',
  distance_m: 3200,
  track_condition: 'Good (4)',
  going: 'Good',
  going_rating: 4,
  weather: 'Fine',
  status: 'final',
  status_note: null,
  placings: [
    { position: 1, ...goldTrip, win_price: 5.5, place_price: 2.1, sp: 5, sp_note: null },
    { position: 2, ...plainSailing, win_price: 2.4, place_price: 1.3, sp: 2.4, sp_note: 'F' },
  ],
  places_paid: 2,
  runners,
  field_status: 'complete',
  field_source: 'racing_australia',
  field_note: null,
  deductions: [{ name: 'Late Mail', number: 3, win: 0.08, place: 0.05, scratched_at: '2026-11-21T05:18:10.000Z' }],
  dividends: {
    straight: [
      { name: 'Gold Trip', number: 1, position: 1, market: 'WIN', ...pool, amount: 5.3 },
      { name: 'Gold Trip', number: 1, position: 1, market: 'PLC', ...pool, amount: 2 },
      { name: 'Plain Sailing', number: 2, position: 2, market: 'PLC', ...pool, amount: 1.3 },
    ],
    exotics: [{ code: 'QN', type: 'Quinella', ...pool, selection: '1,2', amount: 8.4 }],
    multi_race: [
      {
        code: 'QD',
        type: 'Quaddie',
        legs: [
          { race_number: 4, race_id: '2d1c9b64-4a55-5c2b-8f57-1c5d3f4f9a01' },
          { race_number: 5, race_id: '7be0a1c2-0d4c-5a8e-9b13-6e0f8a7d2b02' },
          { race_number: 6, race_id: '9a4f7d38-61e2-5f0d-a6c4-3b2e1d0c4f03' },
          { race_number: 7, race_id: '6f0cf0a4-9a2f-5d56-9a0b-0c6f5f6c2d11' },
        ],
        selection: '3,1,8,1',
        ...pool,
        amount: 412.6,
      },
    ],
    straight_types: ['VIC'],
  },
  resulted_at: '2026-11-21T05:26:40.000Z',
  market_closed_at: '2026-11-21T05:20:31.000Z',
  inplay_at: null,
  market_state_source: 'pointsbetau',
};
