// Events of a race, except for its prices.
import { type Static, Type } from '@sinclair/typebox';
import { PLACES_THAT_COUNT } from '../../../domain/results/placings';
import { exampleScratchings } from '../../wire/examples';
import { Scratching } from '../../wire/race-schema';
import { BookmakerKey, instant, named, nullable, oneOf, text, whole } from '../../wire/vocabulary';
import { exampleRaceEvent, raceEventMembers } from './members-schema';

export const OddsOpenEvent = named(
  'OddsOpenEvent',
  Type.Object({
    ...raceEventMembers('race.odds_open'),
    bookmakers: Type.Array(BookmakerKey, { description: 'Books that quote a win price on one of its runners.' }),
  }),
);

export const exampleOddsOpen: Static<typeof OddsOpenEvent> = {
  ...exampleRaceEvent('race.odds_open', 1),
  bookmakers: ['ladbrokes_au'],
};

export const MarketClosedEvent = named(
  'MarketClosedEvent',
  Type.Object({
    ...raceEventMembers('race.market_closed'),
    market_closed_at: instant('First poll at which the market was seen closed (UTC).'),
    market_state_source: text('Book that reports the market state.'),
  }),
);

export const exampleMarketClosed: Static<typeof MarketClosedEvent> = {
  ...exampleRaceEvent('race.market_closed', 41),
  occurred_at: '2026-11-21T05:21:03.000Z',
  market_closed_at: '2026-11-21T05:21:03.000Z',
  market_state_source: 'pointsbetau',
};

export const ScratchingEvent = named(
  'ScratchingEvent',
  Type.Object({ ...raceEventMembers('race.scratching'), scratching: Scratching }),
);

export const exampleScratching: Static<typeof ScratchingEvent> = {
  ...exampleRaceEvent('race.scratching', 2),
  scratching: exampleScratchings[0]!,
};

export const StartMovedEvent = named(
  'StartMovedEvent',
  Type.Object({
    ...raceEventMembers('race.start_moved'),
    previous_start_time: instant('Advertised start before (UTC); `start_time` is the new one.'),
  }),
);

export const exampleStartMoved: Static<typeof StartMovedEvent> = {
  ...exampleRaceEvent('race.start_moved', 3),
  previous_start_time: '2026-11-21T05:10:00.000Z',
};

export const TrackChangedEvent = named(
  'TrackChangedEvent',
  Type.Object({
    ...raceEventMembers('race.track_changed'),
    track_condition: text('As its source states it now.'),
    previous_track_condition: text('As it was stated before.'),
  }),
);

export const exampleTrackChanged: Static<typeof TrackChangedEvent> = {
  ...exampleRaceEvent('race.track_changed', 4),
  track_condition: 'Soft 5',
  previous_track_condition: 'Good 4',
};

const OutcomeStatus = named(
  'OutcomeStatus',
  oneOf(['final', 'abandoned'], { description: '`final`: the placings have stood for 30 minutes.' }),
);

const OutcomePlacing = named(
  'OutcomePlacing',
  Type.Object({
    position: Type.Integer({
      minimum: 1,
      maximum: PLACES_THAT_COUNT,
      description: 'Finishing position; dead heats share one.',
    }),
    number: whole('Saddlecloth or box number.'),
    name: nullable(text('Name of the runner; null if no book has named it.')),
  }),
);

const outcome = {
  status: OutcomeStatus,
  placings: Type.Array(OutcomePlacing, { description: 'Best first; empty for an abandoned race.' }),
};

const PreviousOutcome = named(
  'PreviousOutcome',
  Type.Object(outcome, { description: 'The outcome that this one replaces.' }),
);

export const ResultEvent = named(
  'ResultEvent',
  Type.Object({
    ...raceEventMembers('race.result'),
    ...outcome,
    status_note: nullable(text('Why, in the words of its source.')),
    revision: Type.Integer({ minimum: 1, description: '1 for the first result of the race, then 2 and up.' }),
    previous: nullable(PreviousOutcome),
  }),
);

export const exampleResult: Static<typeof ResultEvent> = {
  ...exampleRaceEvent('race.result', 42),
  occurred_at: '2026-11-21T05:56:40.000Z',
  status: 'final',
  placings: [
    { position: 1, number: 1, name: 'Gold Trip' },
    { position: 2, number: 8, name: 'Plain Sailing' },
    { position: 3, number: 5, name: null },
  ],
  status_note: null,
  revision: 1,
  previous: null,
};
