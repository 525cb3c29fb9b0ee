// The sandbox's truncated sample: live data without a key.
import { Type } from '@sinclair/typebox';
import { raceIdentity } from '../../wire/race-schema';
import { aged, BookmakerKey, link, named, nullable, price, text, yes } from '../../wire/vocabulary';

const DemoQuote = named(
  'DemoQuote',
  Type.Object({
    key: BookmakerKey,
    win_price: price(),
    source_url: nullable(link('The book’s page for this race; null if it has no known address.')),
  }),
);

const DemoRunner = named(
  'DemoRunner',
  Type.Object({
    name: text(),
    number: Type.Integer(),
    bookmakers: Type.Array(DemoQuote, { maxItems: 3, description: 'Best price first, without placeholder quotes.' }),
  }),
);

const DemoRace = named(
  'DemoRace',
  Type.Object({
    race_id: raceIdentity.race_id,
    venue: raceIdentity.venue,
    race_number: raceIdentity.race_number,
    category: raceIdentity.category,
    start_time: raceIdentity.start_time,
    country: raceIdentity.country,
    runners: Type.Array(DemoRunner, { maxItems: 5 }),
  }),
);

export const DemoNextToGo = named(
  'DemoNextToGo',
  Type.Object({
    demo: Type.Literal(true),
    note: text(),
    signup_url: link('Where to get a key.'),
    shape: text('Limits of the sample.'),
    truncated: yes('Whether races, runners or books were left out.'),
    cached: aged(yes('Whether this sample was computed for an earlier request.')),
    races: Type.Array(DemoRace, { maxItems: 3 }),
  }),
);
