// The consensus of the books on one race (A 2.5). Every description states what its figure is computed from.
import { Type } from '@sinclair/typebox';
import { NORMALISATIONS } from '../../../domain/market/no-vig';
import { runnerFacts, scratchings } from '../../wire/race-schema';
import {
  age,
  aged,
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
} from '../../wire/vocabulary';
import { ConsensusRace, note } from './consensus-race-schema';

const REASONS = ['stale', 'partial_field', 'unsolvable'] as const;
const REASON =
  '`stale`: the book is past the threshold of its refresh tier. `partial_field`: it prices fewer runners than the complete ' +
  'field; a dropped placeholder does not count as a price. `unsolvable`: its prices cannot be converted to probabilities.';
const reason = named('ExclusionReason', oneOf(REASONS, { description: REASON }));

const probability = (description: string) => Type.Number({ minimum: 0, maximum: 1, description });

/** May be 1, because it is rounded. */
const computedPrice = (description: string) => Type.Number({ minimum: 1, description });

/**
 * The same choice as the parameter `method`, under one name: a client that had to name both would call the parameter's
 * `ConsensusMethod`.
 */
export const Normalisation = named(
  'Normalisation',
  oneOf(NORMALISATIONS, {
    description:
      'How each book’s margin is removed: `power` raises its implied probabilities to the exponent that makes them sum to 1, ' +
      '`multiplicative` divides them by their sum.',
  }),
);

const method = named(
  'ConsensusMethod',
  Type.Object(
    {
      normalisation: Normalisation,
      aggregation: oneOf(['median_probability'], {
        description: 'A runner’s consensus is the median over the included books.',
      }),
      renormalised: yes('Whether the medians are scaled once so that the field sums to 1.'),
      stale_rule: text('When a book counts as stale, as a sentence.'),
      field_rule: text('Which runners make up the complete field, as a sentence.'),
      min_books: count('Minimum number of included books for a runner to have a consensus.'),
      include_stale: yes('Whether stale books are included.'),
    },
    { description: 'How the figures are computed.' },
  ),
);

const ExcludedBook = named('ExcludedBook', Type.Object({ bookmaker: BookmakerKey, reason }));

const ConsensusBook = named(
  'ConsensusBook',
  Type.Object({
    bookmaker: BookmakerKey,
    runners_priced: count('Runners of the field that the book prices, dropped placeholders not counted.'),
    overround_pct: nullable(
      amount(
        'The book’s margin in percent: the sum of its implied probabilities above 100. Null unless it prices the complete field.',
      ),
    ),
    age_seconds: age('Seconds since `last_update`.'),
    last_update: aged(
      instant(
        'When the book last responded to a poll of this race (UTC); for a push-fed book, the time that it gives for its prices.',
      ),
    ),
    refresh_tier: Tier,
    stale: yes('Whether the book is older than the threshold of its tier: 120 s live, 1800 s card.'),
    included: yes('Whether the book is in the consensus. Every included book counts once.'),
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
          'Sum of the implied probabilities of the field at the best prices, in percent; runners without a price are left out. Below ' +
            '100, the best prices together carry no margin.',
        ),
      ),
      median_runner_spread_pct: nullable(amount('Median of the field’s `price_spread_pct`, in percent.')),
      consensus_sum_before_normalisation: nullable(
        Type.Number({
          minimum: 0,
          description: 'Sum of the medians before they are scaled to 1; null without a consensus.',
        }),
      ),
      field_size: count('Number of runners in the complete field: see `method.field_rule`.'),
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
        'The book’s probability for the runner, without its margin. Null if the book is not in the consensus or the runner is not in ' +
          'the field.',
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
    scratched: yes('Always false: scratched runners are listed only in `scratchings`.'),
    books: count('Number of included books that price the runner; 0 for a runner outside the field.'),
    consensus_prob: nullable(
      probability(
        'Probability of winning, 0 to 1; the field sums to 1. Null if fewer than `method.min_books` included books price the runner.',
      ),
    ),
    consensus_price: nullable(computedPrice('1 / `consensus_prob`: the fair price, without margin.')),
    median_price: nullable(computedPrice('Median of `quotes`.')),
    mean_price: nullable(computedPrice('Mean of `quotes`.')),
    best_price: nullable(price('Highest of `quotes`.')),
    best_bookmaker: nullable(BookmakerKey),
    worst_price: nullable(price('Lowest of `quotes`.')),
    price_spread_pct: nullable(
      amount('How much higher the best price is than the worst, in percent of the worst; 0 with one book.'),
    ),
    best_vs_consensus_pct: nullable(
      amount(
        '`best_price` / `consensus_price` - 1, in percent. Usually negative; above 0, the best price beats the consensus.',
      ),
    ),
    freshest_age_seconds: nullable(age('Age of the newest of `quotes`, in seconds.')),
    oldest_age_seconds: nullable(age('Age of the oldest of `quotes`, in seconds.')),
    quotes: Type.Array(ConsensusQuote, {
      description:
        'The quotes behind every price figure of the runner, ordered by bookmaker key: those of books that are fresh, or stale and ' +
        'included, whether or not the book is in the consensus. Placeholders are left out.',
    }),
  }),
);

const ExcludedQuote = named(
  'ExcludedQuote',
  Type.Object({
    bookmaker: BookmakerKey,
    number: whole('Saddlecloth or box number of the runner.'),
    name: text('Name of the runner.'),
    price: price(),
    consensus: price('Median of the other books’ prices.'),
  }),
);

export const Consensus = named(
  'Consensus',
  Type.Object({
    race: ConsensusRace,
    method,
    books_quoting: count(
      'Number of books that quote a win price on a runner that is not scratched; `bookmakers` lists them.',
    ),
    books_in_consensus: count('Number of included books; the others are in `books_excluded`.'),
    books_excluded: Type.Array(ExcludedBook, {
      description: 'Books that quote but are not in the consensus, with the reason.',
    }),
    bookmakers: Type.Array(ConsensusBook, { description: 'Every book that quotes, ordered by key.' }),
    market,
    runners: Type.Array(ConsensusRunner, {
      description: 'Ordered by number. Scratched runners are listed only in `scratchings`.',
    }),
    excluded_quotes: Type.Array(ExcludedQuote, {
      description:
        'Dropped placeholder quotes: 21 or more, and at least 4 times the median of three or more other books.',
    }),
    scratchings,
    note,
  }),
);
