// Example of a day's track conditions, for the OpenAPI document. A test validates it against its schema.
import type { Static } from '@sinclair/typebox';
import type { TrackConditions } from './track-conditions-schema';

const goodFour = { track_condition: 'Good 4', going: 'Good', going_rating: 4 };
const allFrom = (value: string | null) => ({ track_condition: value, going: value, going_rating: value, rail: value });

export const exampleTrackConditions: Static<typeof TrackConditions> = {
  date: '2026-11-21',
  coverage_from: '2026-09-07',
  official_block_from: '2026-09-26',
  meetings: [
    {
      category: 'horse',
      venue: 'Flemington',
      venue_id: 'flemington',
      venue_norm: 'flemington',
      venue_site: 'flemington',
      official_venue_norm: 'flemington',
      merged_from: ['FLEMINGTON', 'Flemington'],
      current: {
        ...goodFour,
        penetrometer: null,
        rail: 'True Entire Circuit',
        track_type: null,
        weather: 'Fine',
        source: 'mixed',
        sources: { ...allFrom('racing_australia'), penetrometer: null, track_type: null, weather: 'tab' },
        field_as_of: {
          ...allFrom('2026-11-21T02:00:00.000Z'),
          penetrometer: null,
          track_type: null,
          weather: '2026-11-21T01:12:08.000Z',
        },
        as_of: '2026-11-21T01:12:08.000Z',
      },
      changes: [
        {
          observed_at: '2026-11-20T20:00:00.000Z',
          source: 'racing_australia',
          category: 'horse',
          track_condition: 'Soft 5',
          going: 'Soft',
          going_rating: 5,
          rail: 'True Entire Circuit',
          weather: null,
          prev_track_condition: null,
          prev_going: null,
          prev_going_rating: null,
          race_id: null,
        },
        {
          observed_at: '2026-11-21T01:12:08.000Z',
          source: 'tab',
          category: 'horse',
          ...goodFour,
          track_condition: 'GOOD4',
          rail: null,
          weather: 'Fine',
          prev_track_condition: 'SOFT5',
          prev_going: 'Soft',
          prev_going_rating: 5,
          race_id: '3f6c0a5e-6f0e-5c2b-9d64-2f7f6a1f2b10',
        },
      ],
    },
  ],
  note: 'Official ratings exist for Australian thoroughbred meetings only and are read every two hours.',
};
