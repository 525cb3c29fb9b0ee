// Races next to jump with every book's quotes (A 2.3).
import { Type } from '@sinclair/typebox';
import { quoteFreshness, raceFreshness } from '../../wire/freshness-schema';
import { marketTimes, raceFacts, raceIdentity, runnerFacts, scratchings } from '../../wire/race-schema';
import { amount, BookmakerKey, link, named, nullable, price, text, whole } from '../../wire/vocabulary';
import { betslip } from '../betslip/betslip-schema';

const BookQuotes = named(
  'BookQuotes',
  Type.Object(
    {
      key: BookmakerKey,
      win_price: nullable(price('Fixed win price in decimal odds; null if the book quotes only other markets.')),
      place_price: Type.Optional(price('Fixed place price in decimal odds; absent if not quoted.')),
      top2_price: Type.Optional(price('Decimal odds; absent if not quoted.')),
      top3_price: Type.Optional(price('Decimal odds; absent if not quoted.')),
      top4_price: Type.Optional(price('Decimal odds; absent if not quoted.')),
      tote_win: Type.Optional(
        Type.Record(Type.String(), amount('Estimated dividend for a $1 bet.'), {
          description: 'Pre-race tote estimates by product code; absent if the book has none.',
        }),
      ),
      source_url: Type.Optional(link('The book’s page for this race; absent if it has no known address.')),
      ...betslip,
      ...quoteFreshness,
    },
    { description: 'What one book quotes on one runner. A price that the book does not quote is absent, never 0.' },
  ),
);

const PricedRunner = named(
  'PricedRunner',
  Type.Object({ ...runnerFacts, bookmakers: Type.Array(BookQuotes, { description: 'Ordered by bookmaker key.' }) }),
);

export const NextRace = named(
  'NextRace',
  Type.Object({
    ...raceIdentity,
    source_id: nullable(text('Opaque id of the race at its source; null if unknown.')),
    ...raceFacts,
    places_paid: nullable(whole('Number of places that a place bet pays; null if unknown.')),
    ...marketTimes,
    scratchings,
    runners: Type.Array(PricedRunner, {
      description: 'Ordered by number. Scratched runners are listed only in `scratchings`.',
    }),
    ...raceFreshness(
      'Age of the oldest quote, in seconds; null without a quote.',
      'Age of the newest quote, in seconds; null without a quote.',
    ),
  }),
);
