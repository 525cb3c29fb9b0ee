// How the market moved on one race (A 2.6). Every description states what its figure is computed from.
import { Type } from '@sinclair/typebox';
import { UNDETERMINED } from '../../../domain/market/intelligence/first-mover';
import { MARK_NAMES } from '../../../domain/market/intelligence/marks';
import { SIGNALS } from '../../../domain/market/intelligence/signal';
import { runnerFacts, scratchings } from '../../wire/race-schema';
import { amount, BookmakerKey, count, instant, named, nullable, oneOf, price, text, yes } from '../../wire/vocabulary';
import { ConsensusRace, note } from '../consensus/consensus-race-schema';

const MarkName = named(
  'MarkName',
  oneOf(MARK_NAMES, { description: 'Minutes before the advertised start: `t60` is 60 minutes before it.' }),
);

export const Signal = named(
  'Signal',
  oneOf(SIGNALS, {
    description:
      'What the market did, by `move_from_t60_pct` and the books behind the move (see `method.signal_rule`). A description, not a ' +
      'prediction.',
  }),
);

/** May be 1, because it is rounded. */
const fairPrice = (description: string) => nullable(Type.Number({ minimum: 1, description }));
const move = (since: string) =>
  nullable(
    amount(
      `Change of the consensus price from ${since} to now, in percent. Negative: the runner shortened. Null without both prices.`,
    ),
  );
const mark = (minutes: number) =>
  fairPrice(
    `Consensus price ${minutes} minutes before the advertised start. Null before that time, or if capture had not begun by then.`,
  );

const Extreme = named(
  'ConsensusExtreme',
  Type.Object({
    price: Type.Number({ minimum: 1, description: 'Consensus price.' }),
    at: instant('When the consensus first reached this price inside the capture window (UTC).'),
  }),
);

const RunnerConsensus = named(
  'RunnerConsensus',
  Type.Object(
    {
      now: fairPrice(
        'Consensus price now, computed as in `GET /v1/racing/consensus` with method `power` and without stale books.',
      ),
      t60: mark(60),
      t30: mark(30),
      t15: mark(15),
      t10: mark(10),
      t5: mark(5),
      t2: mark(2),
      high: nullable(Extreme),
      low: nullable(Extreme),
    },
    {
      description:
        'Fair prices, without margin: 1 / probability. Null if fewer than `min_books` books are in the consensus.',
    },
  ),
);

const BooksAt = named(
  'BooksAt',
  Type.Object(
    {
      now: count('Number of books in the consensus now; 0 for a runner outside the field.'),
      t60: nullable(count('The same 60 minutes before the advertised start; null if capture had not begun by then.')),
      t15: nullable(count('The same 15 minutes before the advertised start; null if capture had not begun by then.')),
    },
    { description: 'How many books the consensus is based on.' },
  ),
);

const BestAgainstConsensus = named(
  'BestAgainstConsensus',
  Type.Object({
    price: price('Best price of the fresh books, without placeholders.'),
    bookmaker: BookmakerKey,
    vs_consensus_pct: nullable(amount('Best price / consensus price - 1, in percent; usually negative.')),
  }),
);

const Breadth = named(
  'Breadth',
  Type.Object(
    {
      quoting: count('Number of fresh books that quote the runner now.'),
      with_history: count(
        'Number of these books with two or more captured prices on the runner; `firming`, `drifting` and `unchanged` add up to it.',
      ),
      firming: count(
        'Books with a shorter price now than at T-60, or than their first captured price if they joined later.',
      ),
      drifting: count('Books with a longer price now than then.'),
      unchanged: count('Books with the same price now as then.'),
    },
    { description: 'How many books moved.' },
  ),
);

const FirstMover = named(
  'FirstMover',
  Type.Object(
    {
      status: oneOf(['attributed', 'undetermined'], { description: 'Whether one book is shown to have moved first.' }),
      bookmaker: nullable(text('The book that moved first; null when undetermined.')),
      at: nullable(instant('When its price had first moved 5 percent from its opening price (UTC).')),
      lead_seconds: nullable(
        amount('Lead over the second book, in seconds; at least `method.attribution_floor_seconds`.'),
      ),
      median_follower_lag_seconds: nullable(amount('Median lag of the followers, in seconds.')),
      followers: Type.Array(BookmakerKey, {
        description: 'The other attributable books that moved in the same way, in order.',
      }),
      reason: nullable(
        oneOf(UNDETERMINED, {
          description:
            'Why no book is attributed; null if one is. `no_move`: there is no consensus at T-60 or now, or the two are equal. ' +
            '`too_few_books`: fewer than two attributable books moved at least 5 percent in that direction. `inside_floor`: the lead is ' +
            'shorter than the floor.',
        }),
      ),
    },
    {
      description:
        'The first attributable book whose price moved at least 5 percent in the direction of `move_from_t60_pct`, from its T-60 ' +
        'price, or from its first captured price if it joined later.',
    },
  ),
);

/** The runner fields of A 2.6. */
export const intelligenceRunner = {
  runner_key: text('Folded name: lowercase letters and digits.'),
  number: runnerFacts.number,
  name: runnerFacts.name,
  runner_ref: runnerFacts.runner_ref,
  horse_ref: runnerFacts.horse_ref,
  books_at: BooksAt,
  consensus: RunnerConsensus,
  move_from_t60_pct: move('T-60'),
  move_from_t15_pct: move('T-15'),
  move_last_5m_pct: move('five minutes ago'),
  move_last_2m_pct: move('two minutes ago'),
  ticks_last_5m: count('Number of prices captured on the runner in the last five minutes, over all books.'),
  best: nullable(BestAgainstConsensus),
  breadth: Breadth,
  first_mover: FirstMover,
  signal: Signal,
};

const IntelligenceRunner = named('IntelligenceRunner', Type.Object(intelligenceRunner));

const CaptureWindow = named(
  'CaptureWindow',
  Type.Object(
    {
      open: yes(
        'Whether the capture window is open. False if the race is more than 60 minutes from its advertised start: then only the ' +
          'current consensus is available.',
      ),
      first_tick_at: nullable(
        instant('When the first price of the field was captured (UTC); null if there is none yet.'),
      ),
      ticks_total: count(
        'Number of prices captured of the field. Only changes are captured, so a steady price counts once.',
      ),
      books_in_ticks: count('Number of books with captured prices.'),
      marks_available: Type.Array(MarkName, { description: 'Marks at which there is a consensus, in order of time.' }),
    },
    { description: 'The prices captured since 60 minutes before the advertised start.' },
  ),
);

/** The facts of the method that the scan shares. */
export const methodFacts = {
  consensus: text('How the consensus is computed, in words.'),
  signal_rule: text('How `signal` is derived from the figures, in words.'),
  attribution_floor_seconds: count(
    'Leads shorter than this are not attributed, because books are polled every 8 to 20 seconds.',
  ),
};

const IntelligenceMethod = named(
  'IntelligenceMethod',
  Type.Object(
    {
      consensus: methodFacts.consensus,
      min_books: count('Minimum number of books in the consensus for a runner to have one.'),
      signal_rule: methodFacts.signal_rule,
      attribution_floor_seconds: methodFacts.attribution_floor_seconds,
      attribution_excluded_books: Type.Array(BookmakerKey, {
        description:
          'Books on this race whose timestamps cannot order a move now: push-fed books, and books polled less often than the floor.',
      }),
    },
    { description: 'How the figures are computed.' },
  ),
);

const MarketPct = named(
  'MarketPct',
  Type.Object(
    { now: nullable(amount('Now.')), t15: nullable(amount('At T-15.')), t60: nullable(amount('At T-60.')) },
    { description: 'Sum of the implied probabilities of the field at its best prices, in percent.' },
  ),
);

const Favourite = named(
  'Favourite',
  Type.Object(
    {
      now: nullable(text('`runner_key` of the runner with the shortest consensus price.')),
      at_t10: nullable(text('The same at T-10; null before T-10.')),
      changed_last_10m: nullable(yes('Whether the two differ; null if either is unknown.')),
    },
    { description: 'The runner that the market considers most likely to win.' },
  ),
);

const IntelligenceMarket = named(
  'IntelligenceMarket',
  Type.Object(
    {
      market_pct: MarketPct,
      favourite: Favourite,
      books_in_consensus_now: count('Number of books in the consensus now, as in `GET /v1/racing/consensus`.'),
      books_at_t60: nullable(count('Number of books in the consensus at T-60; null if capture had not begun by then.')),
    },
    { description: 'The market as a whole.' },
  ),
);

export const Intelligence = named(
  'Intelligence',
  Type.Object({
    race: ConsensusRace,
    window: CaptureWindow,
    method: IntelligenceMethod,
    market: IntelligenceMarket,
    runners: Type.Array(IntelligenceRunner, { description: 'Every runner that is not scratched, ordered by number.' }),
    scratchings,
    note,
  }),
);
