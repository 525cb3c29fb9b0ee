// What changed since an instant (A 2.8). Flat: one row per runner and book.
import { Type } from '@sinclair/typebox';
import { exampleScratchings } from '../examples';
import { MarketStatus, marketTimes, RaceStatus, raceFacts, raceIdentity, Scratching } from '../race';
import { BookmakerKey, instant, named, nullable, price, text, whole, yes } from '../vocabulary';
import { betslip } from './betslip';

const leg = nullable(price('As it stands now; null when not quoted.'));

const ChangedRunner = named(
  'ChangedRunner',
  Type.Object(
    {
      name: text('As `next-to-go` names the runner.'),
      number: whole('Saddlecloth or box number.'),
      bookmaker_key: BookmakerKey,
      win_price: nullable(
        price('Fixed win price; null when the book has taken it away, or the runner is not on the card any more.'),
      ),
      place_price: leg,
      top2_price: leg,
      top3_price: leg,
      top4_price: leg,
      updated_at: instant(
        'When the win price last changed; for a runner that came back, took another number or went, when it did, if that is later.',
      ),
      ...betslip,
    },
    { description: 'What one book quotes on one runner now. The last row told of a name and a book stands.' },
  ),
);

const { race_id, venue, race_number, category, country, start_time } = raceIdentity;
const { track_condition_changed_at, track_condition, weather } = raceFacts;

const ChangedRace = named(
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
    inplay: nullable(yes('Only an exchange reports it.')),
    ...marketTimes,
    scratchings: Type.Array(Scratching, {
      description:
        'Always the complete list as it stands. A runner in it is never priced; one that leaves it is told anew.',
    }),
    track_condition_changed_at,
    track_condition,
    weather,
    changed_runners: Type.Array(ChangedRunner, {
      description:
        'Runners that left the card, then by number and book; empty where only the race itself changed. A steady price is not in it.',
    }),
  }),
);

export const RacingChanges = named(
  'RacingChanges',
  Type.Object({
    server_time: instant('The next `since`. Set back 30 seconds, and further while a write is still under way.'),
    races: Type.Array(ChangedRace, { description: 'By start, then `race_id`.' }),
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
