// Every market on one race (A 4.13): each book's quotes, the best per runner, and the exotic dividends once the race
// has a result.
import { Type } from '@sinclair/typebox';
import { quoteFreshness } from '../../wire/freshness-schema';
import { raceFacts, raceIdentity, runnerFacts, scratchings } from '../../wire/race-schema';
import {
  age,
  aged,
  amount,
  BookmakerKey,
  count,
  instant,
  link,
  named,
  nullable,
  oneOf,
  price,
  Tier,
  text,
  whole,
  yes,
} from '../../wire/vocabulary';
import { ExoticDividend, ResultStatus } from '../results/result-schema';
import { Suspect } from './best-odds-schema';

/** Markets that books quote, and the dividends that follow the result. */
export const QUOTED_MARKETS = ['win', 'place', 'top2', 'top3', 'top4'] as const;
export const MARKETS = [...QUOTED_MARKETS, 'exotics'] as const;
export type QuotedMarket = (typeof QUOTED_MARKETS)[number];
export type MarketName = (typeof MARKETS)[number];

export const MarketName = named('MarketName', oneOf(MARKETS));

/** Freshness of quotes that may be the last ones stored for a race. */
const lastQuoteFreshness = {
  ...quoteFreshness,
  stale: yes(
    'Whether the quote is older than the threshold of its tier (120 s live, 1800 s card), or is the last stored quote of a race ' +
      'that has left the board.',
  ),
  refresh_tier: nullable(Tier),
};

const MarketQuote = named(
  'MarketQuote',
  Type.Object({
    price: price(),
    bookmaker: BookmakerKey,
    ...lastQuoteFreshness,
    source_url: nullable(link('The book’s page for this race; null if it has no known address.')),
  }),
);

const RunnerMarket = named(
  'RunnerMarket',
  Type.Object(
    {
      best: nullable(MarketQuote),
      books_quoting: count('Number of distinct books that quote it, placeholders included.'),
      price_spread_pct: nullable(
        amount(
          'How much higher the best price is than the worst, in percent of the worst; 0 with one book, null without a price.',
        ),
      ),
      suspects: Type.Array(Suspect, {
        description: 'Placeholder quotes. They are never the best, but are included in `quotes`.',
      }),
      quotes: Type.Array(MarketQuote, { description: 'Highest price first; equal prices by freshness.' }),
    },
    { description: 'One market on one runner. `best` is null and `quotes` is empty if no book quotes it.' },
  ),
);

const runnerMarket = Type.Optional(RunnerMarket);

const RunnerMarkets = named(
  'RunnerMarkets',
  Type.Object(
    { win: runnerMarket, place: runnerMarket, top2: runnerMarket, top3: runnerMarket, top4: runnerMarket },
    { description: 'By market; one that `markets` does not list is absent.' },
  ),
);

const pricedCount = Type.Optional(count());

const MarketBook = named(
  'MarketBook',
  Type.Object({
    bookmaker: BookmakerKey,
    runners_priced: named(
      'RunnersPriced',
      Type.Object(
        { win: pricedCount, place: pricedCount, top2: pricedCount, top3: pricedCount, top4: pricedCount },
        { description: 'By listed market: the number of runners on which the book quotes it.' },
      ),
    ),
    ...lastQuoteFreshness,
    source_url: nullable(link('The book’s page for this race; null if it has no known address.')),
  }),
);

const MarketsRace = named(
  'MarketsRace',
  Type.Object({
    ...raceIdentity,
    ...raceFacts,
    places_paid: nullable(whole('Number of places that a place bet pays; null if unknown.')),
    secs_to_jump: aged(whole('Seconds to the advertised start, rounded down; negative after it.')),
    status: oneOf(['upcoming', 'jumped', 'off_board', 'abandoned'], {
      description:
        '`jumped` once the market is seen closed; if no book reports that, from the advertised start. `off_board` once the race has ' +
        'left the live board, ten minutes after the jump.',
    }),
  }),
);

const SettledExotics = named(
  'SettledExotics',
  Type.Object(
    {
      status: nullable(ResultStatus),
      settled: yes('Whether the result is final. Settle on these dividends only then.'),
      status_note: nullable(
        text(
          'For an abandoned race: `abandoned`, `postponed` or `transferred to …`. For an interim result: the protest that delays it. ' +
            'Otherwise null.',
        ),
      ),
      resulted_at: nullable(instant('When the first placings were written (UTC); null before.')),
      settled_at: nullable(instant('When the result became final (UTC); null before.')),
      dividends: Type.Array(ExoticDividend, {
        description: 'Declared some minutes after the placings; a dividend that is not declared is absent.',
      }),
    },
    { description: 'Quinella, exacta, trifecta and first four. An `interim` dividend may still change.' },
  ),
);

export const RaceMarkets = named(
  'RaceMarkets',
  Type.Object({
    race: MarketsRace,
    as_of: aged(instant('Time of this response (UTC); ages count to it.')),
    markets: Type.Array(MarketName, { description: 'The requested markets; in Hong Kong, `win` and `place` of them.' }),
    prices: oneOf(['current', 'last_held'], {
      description:
        '`current`: the race takes bets. `last_held`: it takes no more bets; every price is the last one seen, as old as its ' +
        '`last_update`.',
    }),
    market_percentage: nullable(
      amount(
        'Sum of the implied probabilities at the best win prices, in percent; null if `win` was not requested or a runner that is ' +
          'not an emergency has no win price.',
      ),
    ),
    data_age_seconds: nullable(age('Age of the oldest quote, in seconds; null without a quote.')),
    freshest_age_seconds: nullable(age('Age of the newest quote, in seconds; null without a quote.')),
    bookmakers: Type.Array(MarketBook, {
      description: 'Books that quote any of these markets, ordered by bookmaker key.',
    }),
    runners: Type.Array(named('MarketRunner', Type.Object({ ...runnerFacts, markets: RunnerMarkets })), {
      description: 'Ordered by number. Scratched runners are listed only in `scratchings`.',
    }),
    scratchings,
    exotics: Type.Optional(SettledExotics),
    note: nullable(text('How to read the prices of a race that takes no more bets; null before.')),
  }),
);
