// Every market on one race (A 4.13): what each book quotes and the best of it per runner, and the exotics once the race is resulted.
import { Type } from '@sinclair/typebox';
import { quoteFreshness } from '../freshness';
import { raceFacts, raceIdentity, runnerFacts, scratchings } from '../race';
import { ExoticDividend, ResultStatus } from '../results/result';
import {
  age,
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
} from '../vocabulary';
import { Suspect } from './best-odds';

/** Markets that books quote, and the dividends that follow the result. */
export const QUOTED_MARKETS = ['win', 'place', 'top2', 'top3', 'top4'] as const;
export const MARKETS = [...QUOTED_MARKETS, 'exotics'] as const;
export type QuotedMarket = (typeof QUOTED_MARKETS)[number];
export type Market = (typeof MARKETS)[number];

const MarketName = named('MarketName', oneOf(MARKETS));

/** Of quotes that may be the last ones held of a race. */
const heldFreshness = {
  ...quoteFreshness,
  stale: yes(
    'Older than its tier allows (120 s live, 1800 s card), or the last one held of a race that has left the board.',
  ),
  refresh_tier: nullable(Tier),
};

const MarketQuote = named(
  'MarketQuote',
  Type.Object({
    price: price(),
    bookmaker: BookmakerKey,
    ...heldFreshness,
    source_url: nullable(link('Race page of the book.')),
  }),
);

const RunnerMarket = named(
  'RunnerMarket',
  Type.Object(
    {
      best: nullable(MarketQuote),
      books_quoting: count('Distinct books quoting it, placeholders included.'),
      price_spread_pct: nullable(amount('How much better the best price is than the worst, in percent.')),
      suspects: Type.Array(Suspect, { description: 'Placeholder quotes; never the best, but among the quotes.' }),
      quotes: Type.Array(MarketQuote, { description: 'Highest price first; at one price the fresher one.' }),
    },
    { description: 'One market on one runner; `best` is null and `quotes` empty where no book quotes it.' },
  ),
);

const asked = Type.Optional(RunnerMarket);

const RunnerMarkets = named(
  'RunnerMarkets',
  Type.Object(
    { win: asked, place: asked, top2: asked, top3: asked, top4: asked },
    { description: 'By market; one that was not asked for is absent.' },
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
        { description: 'By market asked for: on how many runners it quotes it.' },
      ),
    ),
    ...heldFreshness,
    source_url: nullable(link('Race page of the book.')),
  }),
);

const MarketsRace = named(
  'MarketsRace',
  Type.Object({
    ...raceIdentity,
    ...raceFacts,
    places_paid: nullable(whole('Places that a place bet pays.')),
    secs_to_jump: whole('Seconds to the advertised start, rounded down; negative after it.'),
    status: oneOf(['upcoming', 'jumped', 'off_board', 'abandoned'], {
      description:
        '`jumped` once the market was seen shut or, where no book tells, from the advertised start; `off_board` once the race has left ' +
        'the live board, ten minutes after the jump.',
    }),
  }),
);

const SettledExotics = named(
  'SettledExotics',
  Type.Object(
    {
      status: nullable(ResultStatus),
      settled: yes('The result is final: only then are these dividends to be settled on.'),
      status_note: nullable(
        text('Abandoned: `abandoned`, `postponed` or `transferred to …`. Interim: the protest that holds it up.'),
      ),
      resulted_at: nullable(instant('When the first placings were written.')),
      settled_at: nullable(instant('When the result became final.')),
      dividends: Type.Array(ExoticDividend, {
        description: 'Declared some minutes after the placings; one that is not declared is not there.',
      }),
    },
    { description: 'Quinella, exacta, trifecta and first four. An `interim` dividend may still change.' },
  ),
);

export const RaceMarkets = named(
  'RaceMarkets',
  Type.Object({
    race: MarketsRace,
    as_of: instant('The instant of this answer: ages count to it.'),
    markets: Type.Array(MarketName, { description: 'Those asked for.' }),
    prices: oneOf(['current', 'last_held'], {
      description:
        '`last_held`: the race takes no more bets; every price is the last one seen, as old as its `last_update` says.',
    }),
    market_percentage: nullable(
      amount('Implied probabilities at the best win prices, summed, in percent; null where `win` is not asked for.'),
    ),
    data_age_seconds: nullable(age('Age of the oldest quote.')),
    freshest_age_seconds: nullable(age('Age of the newest quote.')),
    bookmakers: Type.Array(MarketBook, { description: 'Books that quote any of these markets, by bookmaker key.' }),
    runners: Type.Array(named('MarketRunner', Type.Object({ ...runnerFacts, markets: RunnerMarkets })), {
      description: 'By number; scratched runners only in `scratchings`.',
    }),
    scratchings,
    exotics: Type.Optional(SettledExotics),
    note: nullable(text('What to bear in mind of a race that takes no more bets; null before.')),
  }),
);
