// Races next to jump with every book's quotes (A 2.3).
import { Type } from '@sinclair/typebox';
import { quoteFreshness, raceFreshness } from '../freshness';
import { marketTimes, raceFacts, raceIdentity, runnerFacts, scratchings } from '../race';
import { amount, BookmakerKey, link, named, nullable, price, text, whole } from '../vocabulary';
import { betslip } from './betslip';

const BookQuotes = named(
  'BookQuotes',
  Type.Object(
    {
      key: BookmakerKey,
      win_price: nullable(price('Fixed win price; null when the book quotes another leg only.')),
      place_price: Type.Optional(price('Fixed place price; absent when not quoted.')),
      top2_price: Type.Optional(price('Absent when not quoted.')),
      top3_price: Type.Optional(price('Absent when not quoted.')),
      top4_price: Type.Optional(price('Absent when not quoted.')),
      tote_win: Type.Optional(
        Type.Record(Type.String(), amount('Estimated dividend.'), {
          description: 'Pre-race tote estimates by product code; absent when the book carries none.',
        }),
      ),
      source_url: Type.Optional(link('Race page of the book; absent without a provable route.')),
      ...betslip,
      ...quoteFreshness,
    },
    { description: 'What one book quotes on one runner. A price the book does not quote is absent, never 0.' },
  ),
);

const PricedRunner = named(
  'PricedRunner',
  Type.Object({ ...runnerFacts, bookmakers: Type.Array(BookQuotes, { description: 'By bookmaker key.' }) }),
);

export const NextRace = named(
  'NextRace',
  Type.Object({
    ...raceIdentity,
    source_id: nullable(text('Opaque id of the race at its source.')),
    ...raceFacts,
    places_paid: nullable(whole()),
    ...marketTimes,
    scratchings,
    runners: Type.Array(PricedRunner, { description: 'By number; scratched runners only in `scratchings`.' }),
    ...raceFreshness('Age of the oldest quote.', 'Age of the newest quote.'),
  }),
);
