// The consensus of the books on one race (A 2.5). Every figure says what it is of.
import { Type } from '@sinclair/typebox';
import { NORMALISATIONS } from '../../../domain/market/no-vig';
import { runnerFacts, scratchings } from '../race';
import {
  age,
  amount,
  BookmakerKey,
  count,
  instant,
  named,
  nullable,
  oneOf,
  price,
  Tier,
  text,
  whole,
  yes,
} from '../vocabulary';
import { ConsensusRace, note } from './consensus-race';

const REASONS = ['stale', 'partial_field', 'unsolvable'] as const;
const REASON =
  '`stale`: past its refresh-tier threshold. `partial_field`: it prices fewer runners than the field has, a dropped placeholder being no ' +
  'price. `unsolvable`: its prices have no probabilities.';
const reason = named('ExclusionReason', oneOf(REASONS, { description: REASON }));

const probability = (description: string) => Type.Number({ minimum: 0, maximum: 1, description });

/** Rounded, so that it may be 1. */
const computedPrice = (description: string) => Type.Number({ minimum: 1, description });

const method = named(
  'ConsensusMethod',
  Type.Object(
    {
      normalisation: oneOf(NORMALISATIONS, {
        description:
          'How a book’s margin is removed: `power` raises its implied probabilities to the exponent that makes them sum to 1, `multiplicative` ' +
          'divides them by their sum.',
      }),
      aggregation: oneOf(['median_probability'], {
        description: 'A runner’s consensus is the median over the included books.',
      }),
      renormalised: yes('The medians are scaled once, so that the field sums to 1.'),
      stale_rule: text('When a book is stale, in words.'),
      field_rule: text('What the complete field is, in words.'),
      min_books: count('Included books without which a runner carries no consensus.'),
      include_stale: yes('Whether stale books were counted.'),
    },
    { description: 'How the figures below were made.' },
  ),
);

const ExcludedBook = named('ExcludedBook', Type.Object({ bookmaker: BookmakerKey, reason }));

const ConsensusBook = named(
  'ConsensusBook',
  Type.Object({
    bookmaker: BookmakerKey,
    runners_priced: count('Runners of the field that it prices, a dropped placeholder not counted.'),
    overround_pct: nullable(
      amount('Its margin: what its implied probabilities sum to above 100. Null unless it prices the complete field.'),
    ),
    age_seconds: age('Seconds since `last_update`.'),
    last_update: instant(
      'When the book last answered a poll of this race; of a push-fed book, when its prices stood there.',
    ),
    refresh_tier: Tier,
    stale: yes('Older than its tier allows: 120 s live, 1800 s card.'),
    included: yes('Whether it is in the consensus. Every included book counts once.'),
    reason: nullable(reason),
  }),
);

const market = named(
  'ConsensusMarket',
  Type.Object(
    {
      median_overround_pct: nullable(amount('Median of the included books’ `overround_pct`.')),
      best_price_market_pct: nullable(
        amount(
          'Implied probabilities of the field at the best prices, summed, in percent, without runners that have none; below 100 they beat the field.',
        ),
      ),
      median_runner_spread_pct: nullable(amount('Median of the field’s `price_spread_pct`.')),
      consensus_sum_before_normalisation: nullable(
        Type.Number({
          minimum: 0,
          description: 'What the medians sum to before they are scaled to 1; null without a consensus.',
        }),
      ),
      field_size: count('Runners of the complete field: see `method.field_rule`.'),
    },
    { description: 'The market as a whole.' },
  ),
);

const ConsensusQuote = named(
  'ConsensusQuote',
  Type.Object({
    bookmaker: BookmakerKey,
    price: price(),
    no_vig_prob: nullable(
      probability(
        'The book’s own probability without its margin; null where the book is not in the consensus or the runner not in the field.',
      ),
    ),
    age_seconds: age('Seconds since the book’s `last_update`.'),
  }),
);

const ConsensusRunner = named(
  'ConsensusRunner',
  Type.Object({
    number: runnerFacts.number,
    name: runnerFacts.name,
    runner_ref: runnerFacts.runner_ref,
    horse_ref: runnerFacts.horse_ref,
    scratched: yes('Always false: a scratched runner is in `scratchings` only.'),
    books: count('Included books that price it; 0 outside the field.'),
    consensus_prob: nullable(
      probability('Probability of winning; those of the field sum to 1. Null below `method.min_books`.'),
    ),
    consensus_price: nullable(computedPrice('1 / `consensus_prob`: the price without any margin.')),
    median_price: nullable(computedPrice('Median of `quotes`.')),
    mean_price: nullable(computedPrice('Mean of `quotes`.')),
    best_price: nullable(price('Highest of `quotes`.')),
    best_bookmaker: nullable(BookmakerKey),
    worst_price: nullable(price('Lowest of `quotes`.')),
    price_spread_pct: nullable(
      amount('How much better the best price is than the worst, in percent; 0 with one book.'),
    ),
    best_vs_consensus_pct: nullable(
      amount(
        '`best_price` / `consensus_price` - 1, in percent. Normally negative; above 0 the best price beats the consensus.',
      ),
    ),
    freshest_age_seconds: nullable(age('Age of the newest of `quotes`.')),
    oldest_age_seconds: nullable(age('Age of the oldest of `quotes`.')),
    quotes: Type.Array(ConsensusQuote, {
      description:
        'What every price figure here is of, by bookmaker key: the quotes of books that are fresh enough (or stale and counted), in the ' +
        'consensus or not, without placeholders.',
    }),
  }),
);

const ExcludedQuote = named(
  'ExcludedQuote',
  Type.Object({
    bookmaker: BookmakerKey,
    number: whole('Saddlecloth or box number of the runner.'),
    name: text('Of the runner.'),
    price: price(),
    consensus: price('Median of the other books’ prices.'),
  }),
);

export const Consensus = named(
  'Consensus',
  Type.Object({
    race: ConsensusRace,
    method,
    books_quoting: count('Books that quote a win price on a runner that runs: those of `bookmakers`.'),
    books_in_consensus: count('Those included; `books_excluded` has the others.'),
    books_excluded: Type.Array(ExcludedBook, {
      description: 'Books that quote and are not in the consensus, with the reason.',
    }),
    bookmakers: Type.Array(ConsensusBook, { description: 'Every book that quotes, by key.' }),
    market,
    runners: Type.Array(ConsensusRunner, { description: 'By number; scratched runners only in `scratchings`.' }),
    excluded_quotes: Type.Array(ExcludedQuote, {
      description: 'Placeholder quotes, dropped: 21 or more, and 4 times the median of three or more other books.',
    }),
    scratchings,
    note,
  }),
);
