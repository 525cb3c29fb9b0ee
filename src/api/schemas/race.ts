// A race as the live endpoints head it (A 2.2), and what they say of a scratching.
import { Type } from '@sinclair/typebox';
import { amount, Category, count, instant, named, nullable, oneOf, text, whole, yes } from './vocabulary';

export const Scratching = named(
  'Scratching',
  Type.Object(
    {
      name: text(),
      number: whole('Saddlecloth or box number: count boxes by it, not by the length of the list.'),
      barrier: nullable(whole()),
      scratched_at: nullable(instant('The reporting book’s own stamp, otherwise the official scratching sheet’s.')),
      late: nullable(yes()),
      emergency: nullable(yes()),
    },
    { description: 'A runner that is out, merged across every reporting book.' },
  ),
);

export const scratchings = Type.Array(Scratching, { description: 'Runners that are out; they are never priced.' });

export const raceIdentity = {
  race_id: Type.String({ format: 'uuid', description: 'Stable identifier, the same on every racing endpoint.' }),
  venue: text('As the feeds spell it.'),
  venue_id: text('Canonical venue slug.'),
  venue_canonical: text('Canonical display name.'),
  venue_site: text('Shared by the tracks of one complex.'),
  race_number: whole('Number of the race in its meeting.'),
  category: Category,
  country: nullable(text('ISO code; null while the meeting is not confirmed.')),
  start_time: instant('Advertised start; it can move.'),
};

export const raceFacts = {
  race_name: nullable(text()),
  distance_m: nullable(whole('Metres.')),
  track_condition: nullable(text('As published, e.g. `Good (4)`.')),
  weather: nullable(text()),
  race_class: nullable(text()),
  conditions: nullable(text()),
  prize_total: nullable(count('Whole Australian dollars.')),
  rail: nullable(text()),
  track_name: nullable(text('The registry’s course name.')),
  track_condition_changed_at: nullable(instant('Latest logged change of the meeting’s track condition.')),
};

export const marketTimes = {
  market_closed_at: nullable(instant('First poll at which the market was seen shut. Set once. Null never means open.')),
  inplay_at: nullable(instant('First poll at which the race was seen in play; only an exchange reports it.')),
  market_state_source: nullable(text('The book behind the market state; null when it is withheld.')),
};

export const RaceStatus = named(
  'RaceStatus',
  oneOf(['open', 'abandoned'], { description: 'Written when the race is created; not a state signal.' }),
);

export const MarketStatus = named(
  'MarketStatus',
  oneOf(['OPEN', 'SUSPENDED', 'CLOSED'], { description: 'What the book behind `market_state_source` said last.' }),
);

export const RaceEvent = named(
  'RaceEvent',
  Type.Object({
    ...raceIdentity,
    ...raceFacts,
    status: RaceStatus,
    scratchings,
    market_status: nullable(MarketStatus),
    inplay: nullable(yes('Only an exchange reports it.')),
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
  weight: nullable(amount('Kilograms.')),
  form: nullable(text()),
  runner_ref: nullable(text('Registry id of the entry: `ra:…`, `grv:…` or `grsa:…`.')),
  horse_ref: nullable(text('Persistent identity of a thoroughbred: `pe:` and its folded name.')),
};
