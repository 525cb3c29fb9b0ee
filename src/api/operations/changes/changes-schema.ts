// What changed since an instant (A 2.8). Flat: one row per runner and book.
import { Type } from '@sinclair/typebox';
import { exampleScratchings } from '../../wire/examples';
import { MarketStatus, marketTimes, RaceStatus, raceFacts, raceIdentity, Scratching } from '../../wire/race-schema';
import { aged, BookmakerKey, instant, named, nullable, price, text, whole, yes } from '../../wire/vocabulary';
import { betslip } from '../betslip/betslip-schema';

const leg = nullable(price('Current decimal odds; null if not quoted.'));

export const ChangedRunner = named(
  'ChangedRunner',
  Type.Object(
    {
      name: text('Name of the runner, as in `next-to-go`.'),
      number: whole('Saddlecloth or box number.'),
      bookmaker_key: BookmakerKey,
      win_price: nullable(
        price(
          'Current fixed win price in decimal odds. Null if the book withdrew it or the runner is no longer on the card.',
        ),
      ),
      place_price: leg,
      top2_price: leg,
      top3_price: leg,
      top4_price: leg,
      updated_at: instant(
        'When the win price last changed (UTC). If the runner came back, changed its number or left the card later than that, the ' +
          'time of that change.',
      ),
      ...betslip,
    },
    {
      description:
        'What one book quotes on one runner now. If a (name, book) pair appears more than once, the last row wins.',
    },
  ),
);

const { race_id, venue, race_number, category, country, start_time } = raceIdentity;
const { track_condition_changed_at, track_condition, weather } = raceFacts;

export const ChangedRace = named(
  'ChangedRace',
  Type.Object({
    race_id,
    venue,
    race_number,
    category,
    country,
    start_time,
    status: RaceStatus,
    market_status: nullable(MarketStatus),
    inplay: nullable(yes('Whether the race is in play. Only an exchange reports it.')),
    ...marketTimes,
    scratchings: Type.Array(Scratching, {
      description:
        'The complete current list. A runner in it is never priced; a runner that leaves it is returned again with its current prices.',
    }),
    track_condition_changed_at,
    track_condition,
    weather,
    changed_runners: Type.Array(ChangedRunner, {
      description:
        'Runners that left the card, then all others by number and book. Empty if only the race itself changed. Unchanged prices are ' +
        'not included.',
    }),
  }),
);

export const RacingChanges = named(
  'RacingChanges',
  Type.Object({
    server_time: aged(
      instant(
        'Send this as the next `since` (UTC). It is set back 30 seconds, or further while a write is in progress.',
      ),
    ),
    races: Type.Array(ChangedRace, { description: 'Ordered by start, then `race_id`.' }),
  }),
);

export const exampleChanges = {
  server_time: '2026-11-21T05:01:42.310Z',
  races: [
    {
      race_id: '0d5a1f9e-6f4c-5b6e-9a53-3d9e4f6a7b10',
      venue: 'Flemington',
      race_number: 7,
      category: 'horse' as const,
      country: 'AU',
      start_time: '2026-11-21T05:20:00.000Z',
      status: 'open' as const,
      market_status: 'OPEN' as const,
      inplay: null,
      market_closed_at: null,
      inplay_at: null,
      market_state_source: 'pointsbetau',
      scratchings: exampleScratchings,
      track_condition_changed_at: null,
      track_condition: 'Good (4)',
      weather: 'Fine',
      changed_runners: [
        {
          name: 'Gold Trip',
          number: 1,
          bookmaker_key: 'tab',
          win_price: 5.5,
          place_price: 2.1,
          top2_price: 3.2,
          top3_price: null,
          top4_price: null,
          updated_at: '2026-11-21T05:02:03.118Z',
        },
      ],
    },
  ],
};
