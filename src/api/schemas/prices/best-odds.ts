// The best price per runner across the books compared (A 2.4).
import { Type } from '@sinclair/typebox';
import { quoteFreshness, raceFreshness } from '../freshness';
import { raceIdentity, runnerFacts, scratchings } from '../race';
import { amount, BookmakerKey, count, link, named, nullable, price, text } from '../vocabulary';
import { betslip } from './betslip';

const quote = { price: price(), bookmaker: BookmakerKey, ...quoteFreshness };

const betslipUrl = Type.Optional(
  nullable(link('Plus and above; null where the book has no route. Treat absent and null alike as no link.')),
);

const BestQuote = named(
  'BestQuote',
  Type.Object({ ...quote, source_url: nullable(link('Race page of the book.')), betslip_url: betslipUrl }),
);

const BestLeg = named(
  'BestLeg',
  Type.Object({
    ...quote,
    source_url: nullable(link('Race page of the book.')),
    betslip_url: betslipUrl,
    books_quoting: count(),
  }),
);

const BestTote = named(
  'BestTote',
  Type.Object(
    { ...quote, price: amount('Estimated dividend.'), product: text('`PROV`, `SP`, `MIDDIV`, `RD+` or `BT+SP`.') },
    {
      description:
        'Highest pre-race tote estimate. Not comparable to `best_win`: settle only against a final dividend.',
    },
  ),
);

export const Suspect = named(
  'SuspectQuote',
  Type.Object(
    { bookmaker: BookmakerKey, price: price(), consensus: price('Median of the other books.') },
    { description: 'A placeholder quote: 21 or more, and 4 times the median of three or more other books. Excluded.' },
  ),
);

const BestOddsRunner = named(
  'BestOddsRunner',
  Type.Object({
    ...runnerFacts,
    best_win: nullable(BestQuote),
    best_place: nullable(BestQuote),
    best_tote: nullable(BestTote),
    best_top2: Type.Optional(BestLeg),
    best_top3: Type.Optional(BestLeg),
    best_top4: Type.Optional(BestLeg),
    books_quoting: count('Equals `books_quoting_win`.'),
    books_quoting_win: count(),
    books_quoting_place: count(),
    price_spread_pct: nullable(amount('How much better the best win price is than the worst, in percent.')),
    suspect_win: nullable(Suspect),
    suspect_place: nullable(Suspect),
    ...betslip,
  }),
);

export const BestOddsRace = named(
  'BestOddsRace',
  Type.Object({
    race_id: raceIdentity.race_id,
    venue: raceIdentity.venue,
    race_number: raceIdentity.race_number,
    category: raceIdentity.category,
    country: raceIdentity.country,
    start_time: raceIdentity.start_time,
    race_name: nullable(text()),
    track_condition: nullable(text()),
    market_percentage: nullable(
      amount(
        'Implied probabilities at the best win prices, summed, in percent; below 100 the best prices beat the field.',
      ),
    ),
    books_compared: count('Distinct books that contribute a win price.'),
    scratchings,
    runners: Type.Array(BestOddsRunner, { description: 'By number; scratched runners only in `scratchings`.' }),
    ...raceFreshness('Age of the oldest winning quote.', 'Age of the newest winning quote.'),
  }),
);
