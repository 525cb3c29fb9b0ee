// The best price per runner across the books compared (A 2.4).
import { Type } from '@sinclair/typebox';
import { quoteFreshness, raceFreshness } from '../../wire/freshness-schema';
import { raceIdentity, runnerFacts, scratchings } from '../../wire/race-schema';
import { amount, BookmakerKey, count, link, named, nullable, price, text } from '../../wire/vocabulary';
import { betslip } from '../betslip/betslip-schema';

const quote = { price: price(), bookmaker: BookmakerKey, ...quoteFreshness };

const betslipUrl = Type.Optional(
  nullable(
    link(
      'Link to the book’s betslip, on Plus and above. Null if the book has no such link; treat absent and null alike.',
    ),
  ),
);

const BestQuote = named(
  'BestQuote',
  Type.Object({
    ...quote,
    source_url: nullable(link('The book’s page for this race; null if it has no known address.')),
    betslip_url: betslipUrl,
  }),
);

const BestLeg = named(
  'BestLeg',
  Type.Object({
    ...quote,
    source_url: nullable(link('The book’s page for this race; null if it has no known address.')),
    betslip_url: betslipUrl,
    books_quoting: count('Distinct books that quote this market on the runner.'),
  }),
);

const BestTote = named(
  'BestTote',
  Type.Object(
    {
      ...quote,
      price: amount('Estimated dividend for a $1 bet.'),
      product: text('Tote product: `PROV`, `SP`, `MIDDIV`, `RD+` or `BT+SP`.'),
    },
    {
      description: 'Highest pre-race tote estimate. Not comparable with `best_win`: settle only on a final dividend.',
    },
  ),
);

export const Suspect = named(
  'SuspectQuote',
  Type.Object(
    { bookmaker: BookmakerKey, price: price(), consensus: price('Median price of the other books.') },
    {
      description:
        'An excluded placeholder quote: 21 or more, and at least 4 times the median of three or more other books.',
    },
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
    books_quoting: count('Same as `books_quoting_win`.'),
    books_quoting_win: count('Distinct books that quote a win price on the runner.'),
    books_quoting_place: count('Distinct books that quote a place price on the runner.'),
    price_spread_pct: nullable(
      amount(
        'How much higher the best win price is than the worst, in percent of the worst; 0 with one book, null without a price.',
      ),
    ),
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
        'Sum of the implied probabilities at the best win prices, in percent. Below 100, the best prices together carry no margin. ' +
          'Null if a runner that is not an emergency has no win price at any book compared.',
      ),
    ),
    books_compared: count('Number of distinct books that contribute a win price.'),
    scratchings,
    runners: Type.Array(BestOddsRunner, {
      description:
        'Ordered by number, without those that no book compared quotes. Scratched runners are listed only in `scratchings`.',
    }),
    ...raceFreshness(
      'Seconds since the oldest `last_update` among the books with a best win or place price; null without such a price.',
      'Seconds since the newest `last_update` among the books with a best win or place price; null without such a price.',
    ),
  }),
);
