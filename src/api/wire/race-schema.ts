// The race facts that the live endpoints share (A 2.2), and scratchings.
import { type TUnsafe, Type } from '@sinclair/typebox';
import { FACTS, type FactMembers } from '../../domain/race/race-facts';
import { amount, Category, count, instant, named, nullable, oneOf, text, whole, yes } from './vocabulary';

export const Scratching = named(
  'Scratching',
  Type.Object(
    {
      name: text(),
      number: whole('Saddlecloth or box number. Use it to count boxes, not the length of the list.'),
      barrier: nullable(whole()),
      scratched_at: nullable(
        instant(
          'When the runner was scratched (UTC): the reporting book’s timestamp, otherwise the official scratching sheet’s.',
        ),
      ),
      late: nullable(yes('Whether it was a late scratching; null if unknown.')),
      emergency: nullable(yes('Whether the runner was an emergency; null if unknown.')),
    },
    { description: 'A scratched runner, merged over every reporting book.' },
  ),
);

export const scratchings = Type.Array(Scratching, { description: 'Scratched runners; they are never priced.' });

export const raceIdentity = {
  race_id: Type.String({ format: 'uuid', description: 'Stable id of the race, the same on every racing endpoint.' }),
  venue: text('Venue name as the feeds spell it.'),
  venue_id: text('Canonical slug of the venue.'),
  venue_canonical: text('Canonical display name of the venue.'),
  venue_site: text('Slug shared by the tracks of one complex.'),
  race_number: whole('Number of the race in its meeting.'),
  category: Category,
  country: nullable(text('ISO 3166 country code; null while the meeting’s country is not confirmed.')),
  start_time: instant('Advertised start (UTC); it can move.'),
};

const OF_TYPE = { text, whole, count, flag: yes };

const factSchemas = Object.fromEntries(
  FACTS.flatMap(([, { name, type, text, isAdded }]) => {
    if (text === null) return [];
    const schema = nullable(OF_TYPE[type](text));
    return [[name, isAdded ? Type.Optional(schema) : schema]];
  }),
) as unknown as { readonly [K in keyof FactMembers]: TUnsafe<FactMembers[K]> };

export const raceFacts = {
  ...factSchemas,
  track_condition_changed_at: nullable(
    instant('Latest logged change of the meeting’s track condition (UTC); null if there is none.'),
  ),
};

export const marketTimes = {
  market_closed_at: nullable(
    instant('First poll at which the market was seen closed (UTC). Set once. Null never means open.'),
  ),
  inplay_at: nullable(instant('First poll at which the race was seen in play (UTC). Only an exchange reports it.')),
  market_state_source: nullable(text('Book that reports the market state; null if it is withheld.')),
};

/** A 2.2: including a race that is abandoned later. */
export const RACE_STATUS = 'open';

export const RaceStatus = named(
  'RaceStatus',
  oneOf([RACE_STATUS], {
    description:
      'Set when the race is created and never revised: not a signal of the race’s state. See `market_status` and, in `results`, `status`.',
  }),
);

export const MarketStatus = named(
  'MarketStatus',
  oneOf(['OPEN', 'SUSPENDED', 'CLOSED'], { description: 'Last state reported by the book in `market_state_source`.' }),
);

export const RaceEvent = named(
  'RaceEvent',
  Type.Object({
    ...raceIdentity,
    ...raceFacts,
    status: RaceStatus,
    scratchings,
    market_status: nullable(MarketStatus),
    inplay: nullable(yes('Whether the race is in play. Only an exchange reports it.')),
    ...marketTimes,
  }),
);

/** A runner as a card shows it. */
export const runnerFacts = {
  number: whole('Saddlecloth or box number.'),
  name: text(),
  barrier: nullable(whole()),
  jockey: nullable(text()),
  trainer: nullable(text()),
  weight: nullable(amount('Weight in kilograms.')),
  form: nullable(text()),
  runner_ref: nullable(text('Registry id of the entry: `ra:…`, `grv:…` or `grsa:…`.')),
  horse_ref: nullable(
    text('Persistent identity of a thoroughbred: `pe:` followed by its folded name. Null for other codes.'),
  ),
};
