// What the market did with one race (A 2.6). Every figure says what it is of.
import { Type } from '@sinclair/typebox';
import { UNDETERMINED } from '../../../domain/market/intelligence/first-mover';
import { MARK_NAMES } from '../../../domain/market/intelligence/marks';
import { SIGNALS } from '../../../domain/market/intelligence/signal';
import { runnerFacts, scratchings } from '../race';
import { amount, BookmakerKey, count, instant, named, nullable, oneOf, price, text, yes } from '../vocabulary';
import { ConsensusRace, note } from './consensus-race';

const MarkName = named(
  'MarkName',
  oneOf(MARK_NAMES, { description: 'Minutes before the advertised start: `t60` is 60 minutes before it.' }),
);

export const Signal = named(
  'Signal',
  oneOf(SIGNALS, {
    description:
      'What the market did, by `move_from_t60_pct` and the books behind it (`method.signal_rule`). It describes; it predicts nothing.',
  }),
);

/** Rounded, so that it may be 1. */
const fairPrice = (description: string) => nullable(Type.Number({ minimum: 1, description }));
const move = (since: string) =>
  nullable(amount(`Consensus price now against ${since}, in percent of the latter; negative: the runner shortened.`));
const mark = (minutes: number) =>
  fairPrice(
    `Consensus price ${minutes} minutes before the advertised start. Null before that instant, and where capture had not begun by then.`,
  );

const Extreme = named(
  'ConsensusExtreme',
  Type.Object({
    price: Type.Number({ minimum: 1, description: 'Consensus price.' }),
    at: instant('When the consensus was first there, inside the capture window.'),
  }),
);

const RunnerConsensus = named(
  'RunnerConsensus',
  Type.Object(
    {
      now: fairPrice('By the arithmetic of the consensus endpoint, method `power`, without stale books.'),
      t60: mark(60),
      t30: mark(30),
      t15: mark(15),
      t10: mark(10),
      t5: mark(5),
      t2: mark(2),
      high: nullable(Extreme),
      low: nullable(Extreme),
    },
    { description: 'Prices without a margin: 1 / probability. Null where fewer than `min_books` books are in it.' },
  ),
);

const BooksAt = named(
  'BooksAt',
  Type.Object(
    {
      now: count('Books in the consensus now; 0 for a runner outside the field.'),
      t60: nullable(count('60 minutes before the advertised start; null where capture had not begun by then.')),
      t15: nullable(count('15 minutes before it; null likewise.')),
    },
    { description: 'How many books the consensus rests on.' },
  ),
);

const BestAgainstConsensus = named(
  'BestAgainstConsensus',
  Type.Object({
    price: price('Best price of the fresh books, placeholders left out.'),
    bookmaker: BookmakerKey,
    vs_consensus_pct: nullable(amount('Best price / consensus price - 1, in percent; normally negative.')),
  }),
);

const Breadth = named(
  'Breadth',
  Type.Object(
    {
      quoting: count('Fresh books that quote the runner now.'),
      with_history: count('Of them, those with two or more captured prices on it: the three below add up to this.'),
      firming: count('Shorter now than at T-60, or than its first captured price if the book joined later.'),
      drifting: count('Longer than then.'),
      unchanged: count('As then.'),
    },
    { description: 'How many books moved.' },
  ),
);

const FirstMover = named(
  'FirstMover',
  Type.Object(
    {
      status: oneOf(['attributed', 'undetermined']),
      bookmaker: nullable(text('The book that moved first; null when undetermined.')),
      at: nullable(instant('When its price was first 5 percent from where it opened.')),
      lead_seconds: nullable(amount('Seconds to the second book; at least the floor.')),
      median_follower_lag_seconds: nullable(amount('Median of the followers’ seconds behind it.')),
      followers: Type.Array(BookmakerKey, { description: 'The other attributable books that moved so, in order.' }),
      reason: nullable(
        oneOf(UNDETERMINED, {
          description:
            'Why it is undetermined; null when it is not. `no_move`: no T-60 consensus, none now, or they are equal. `too_few_books`: fewer than ' +
            'two attributable books moved at least 5 percent that way. `inside_floor`: the lead is inside the floor.',
        }),
      ),
    },
    {
      description:
        'The earliest attributable book to move at least 5 percent in the direction of `move_from_t60_pct`, from its T-60 price or the first one ' +
        'captured if it joined later.',
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
  ticks_last_5m: count('Prices captured on the runner in the last five minutes, all books together.'),
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
      open: yes('False when the race is further than 60 minutes from its advertised start: then only `now` is known.'),
      first_tick_at: nullable(instant('First price captured of the field; null before there is one.')),
      ticks_total: count('Prices captured of the field; change-only, so that a steady price is one.'),
      books_in_ticks: count('Books that they are of.'),
      marks_available: Type.Array(MarkName, { description: 'Marks at which there is a consensus, in time.' }),
    },
    { description: 'What has been captured since 60 minutes before the advertised start.' },
  ),
);

/** What the scan says of its method too. */
export const methodFacts = {
  consensus: text('How a consensus is made, in words.'),
  signal_rule: text('How `signal` follows from the figures, in words.'),
  attribution_floor_seconds: count('A shorter lead names nobody: books are asked every 8 to 20 seconds.'),
};

const IntelligenceMethod = named(
  'IntelligenceMethod',
  Type.Object(
    {
      consensus: methodFacts.consensus,
      min_books: count('Books in the consensus without which no runner carries one.'),
      signal_rule: methodFacts.signal_rule,
      attribution_floor_seconds: methodFacts.attribution_floor_seconds,
      attribution_excluded_books: Type.Array(BookmakerKey, {
        description:
          'Books on this race whose timestamps cannot order a move now: those that push, and those asked more seldom than the floor.',
      }),
    },
    { description: 'How the figures below were made.' },
  ),
);

const MarketPct = named(
  'MarketPct',
  Type.Object(
    { now: nullable(amount('Now.')), t15: nullable(amount('At T-15.')), t60: nullable(amount('At T-60.')) },
    { description: 'Sum of implied probabilities of the field at its best prices, in percent.' },
  ),
);

const Favourite = named(
  'Favourite',
  Type.Object(
    {
      now: nullable(text('`runner_key` of the runner with the shortest consensus.')),
      at_t10: nullable(text('The same at T-10; null before it.')),
      changed_last_10m: nullable(yes('Whether the two differ; null while either is unknown.')),
    },
    { description: 'Whom the market thinks likeliest.' },
  ),
);

const IntelligenceMarket = named(
  'IntelligenceMarket',
  Type.Object(
    {
      market_pct: MarketPct,
      favourite: Favourite,
      books_in_consensus_now: count('As the consensus endpoint counts them.'),
      books_at_t60: nullable(count('Books in the consensus at T-60; null where capture had not begun by then.')),
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
    runners: Type.Array(IntelligenceRunner, { description: 'Every runner that is not out, by number.' }),
    scratchings,
    note,
  }),
);
