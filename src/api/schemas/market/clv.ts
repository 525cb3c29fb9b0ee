// Bets scored against the closing line (reference-shapes 11): what is sent, and what each bet and all of them come to.
import { Type } from '@sinclair/typebox';
import { REFERENCES } from '../../../domain/clv/measure';
import { exampleIdentity } from '../examples';
import { RaceCandidate } from '../problem';
import { ResultStatus } from '../results/result';
import {
  amount,
  BookmakerKey,
  Category,
  count,
  day,
  instant,
  named,
  nullable,
  oneOf,
  price,
  text,
  whole,
  yes,
} from '../vocabulary';

export const MOST_BETS = 200;

const STRICT = { additionalProperties: false } as const;
const words = (description: string, maxLength = 100) => Type.String({ minLength: 1, maxLength, description });

const Reference = named(
  'ClvReference',
  oneOf(REFERENCES, {
    description:
      'What a bet that names no book is measured against: the highest close across books, or their median. `best` if not sent.',
  }),
);

const ClvBet = named(
  'ClvBet',
  Type.Object(
    {
      race_id: Type.Optional(
        Type.String({ format: 'uuid', description: 'The race, exactly. Instead of the three below.' }),
      ),
      venue: Type.Optional(
        words('With `meeting_date` and `race_number`: the venue as the feeds spell it, in any case.'),
      ),
      meeting_date: Type.Optional(day('With `venue` and `race_number`: the meeting day (Australia/Sydney).')),
      race_number: Type.Optional(Type.Integer({ minimum: 1, maximum: 99, description: 'Its number in the meeting.' })),
      runner_ref: Type.Optional(words('The runner, exactly. It fits all that is sent of these three.')),
      runner_number: Type.Optional(
        Type.Integer({ minimum: 1, maximum: 99, description: 'Saddlecloth or box number.' }),
      ),
      runner_name: Type.Optional(words('Compared without case, spaces, marks and country.')),
      price: Type.Number({ exclusiveMinimum: 1, maximum: 10_000, description: 'Win price taken, decimal odds.' }),
      stake: Type.Optional(
        Type.Number({
          minimum: 0.01,
          maximum: 1_000_000,
          default: 1,
          description: 'In any unit of money; profit is told to a hundredth of it.',
        }),
      ),
      bookmaker: Type.Optional(
        words(
          'Measures the bet against this book’s own close, not against `reference`. A bookmaker key, in any case.',
          40,
        ),
      ),
      placed_at: Type.Optional(
        instant(
          'When the bet was struck. Decides only which deductions count: those of runners scratched later. Without it every ' +
            'published deduction counts.',
        ),
      ),
      ref: Type.Optional(words('Yours; given back as it is.')),
    },
    { ...STRICT, description: 'A win bet at a fixed price.' },
  ),
);

const exampleBets = [
  {
    race_id: exampleIdentity.race_id,
    runner_number: 1,
    price: 5.5,
    stake: 20,
    bookmaker: 'ladbrokes_au',
    ref: 'mon-14',
  },
  {
    venue: exampleIdentity.venue,
    meeting_date: '2026-11-21',
    race_number: 8,
    runner_name: 'Plain Sailing',
    price: 3.2,
  },
];

export const ClvRequest = named(
  'ClvRequest',
  Type.Object(
    {
      bets: Type.Array(ClvBet, { minItems: 1, maxItems: MOST_BETS }),
      reference: Type.Optional(Reference),
    },
    { ...STRICT, examples: [{ bets: exampleBets, reference: 'best' }] },
  ),
);

const UNSCORED = [
  'race_not_found',
  'race_ambiguous',
  'runner_not_found',
  'runner_ambiguous',
  'race_abandoned',
  'runner_scratched',
  'not_jumped',
  'no_close',
  'last_seen_only',
  'placeholder_close',
] as const;
export type UnscoredReason = (typeof UNSCORED)[number];

const UNSETTLED = [
  'race_not_found',
  'race_ambiguous',
  'runner_not_found',
  'runner_ambiguous',
  'not_resulted',
  'not_covered',
  'result_not_final',
  'runner_unknown',
  'start_not_proven',
  'placings_incomplete',
  'result_contradictory',
  'deduction_unknown',
] as const;
const REFUNDED = ['race_abandoned', 'runner_scratched', 'reserve_did_not_run'] as const;
export type ResultReason = (typeof UNSETTLED)[number] | (typeof REFUNDED)[number];

/** What the bet is about, as it was found, or as it was sent where it was not. */
const subject = {
  index: count('Place in the list that was sent, from 0.'),
  ref: nullable(text('As sent.')),
  race_id: nullable(Type.String({ format: 'uuid' })),
  venue: nullable(text()),
  meeting_date: nullable(day('Australia/Sydney.')),
  race_number: nullable(whole()),
  category: nullable(Category),
  country: nullable(text('ISO code.')),
  start_time: nullable(instant('Advertised start.')),
  jump_at: nullable(
    instant('The jump that the close is counted to: the market’s close, else the advertised start. Null: not yet.'),
  ),
  runner_number: nullable(whole()),
  runner_name: nullable(text()),
  runner_ref: nullable(text()),
  horse_ref: nullable(text('Thoroughbreds: `pe:` and the folded name.')),
  price: price('Price taken.'),
  stake: amount(),
  bookmaker: nullable(BookmakerKey),
  placed_at: nullable(instant()),
};

const closing = {
  measured_against: oneOf(['bookmaker', ...REFERENCES], { description: 'Its own book where the bet names one.' }),
  close_price: nullable(price('What the bet is measured against. With `reason` it is told and not measured against.')),
  close_bookmaker: nullable(text('Whose close that is; null of a median.')),
  close_secs_to_jump: nullable(
    count('Seconds before the jump at which it was last seen, 0: it stood at the jump. Of a median, its oldest.'),
  ),
  is_closing_line: nullable(yes('Last seen within 300 s of the jump.')),
  best_close_price: nullable(price('Highest closing line across books, placeholders left out.')),
  best_close_bookmaker: nullable(text()),
  median_close_price: nullable(price('Median closing line across books, placeholders left out.')),
  books_in_close: nullable(count('Books whose closing lines those two rest on; null where no close was looked for.')),
  clv_pct: nullable(
    amount('`100 * (price / close_price - 1)`, before a median is rounded. Positive: better than the close.'),
  ),
  beat_close: nullable(yes('`clv_pct` above 0.')),
  reason: nullable(oneOf(UNSCORED, { description: 'Why there is no `clv_pct`.' })),
};

const outcome = {
  result: nullable(oneOf(['won', 'lost', 'refunded'], { description: 'Of a final result or an abandoned race only.' })),
  result_status: nullable(ResultStatus),
  dead_heat: nullable(yes('It shared the win; null unless it won.')),
  deduction: nullable(
    amount('Fraction of the dollar taken from the payout for scratchings, 0 to 1; null unless it won.'),
  ),
  deduction_assumed: nullable(
    yes(
      'The deduction is not certain: `placed_at` or a scratching’s instant is not known, and one was taken that may not have counted; or a ' +
        'runner came out after the bet of which none is published, and none was taken.',
    ),
  ),
  pnl: nullable(
    amount('Profit at the price taken, in the stake’s unit, to the cent: deductions and dead heats applied.'),
  ),
  result_reason: nullable(
    oneOf([...new Set([...UNSETTLED, ...REFUNDED])], {
      description: 'Why there is no `result`, or why the stake came back.',
    }),
  ),
};

const ClvScore = named(
  'ClvScore',
  Type.Object({
    ...subject,
    ...closing,
    ...outcome,
    note: nullable(text('The reasons in a sentence each.')),
    candidates: nullable(
      Type.Array(RaceCandidate, { description: 'Of `race_ambiguous`: the races that matched, by start.' }),
    ),
  }),
);

const ClvSummary = named(
  'ClvSummary',
  Type.Object(
    {
      bets: count(),
      scored: count('Have a `clv_pct`.'),
      settled: count('Have a `result`.'),
      average_clv_pct: nullable(amount()),
      median_clv_pct: nullable(amount()),
      beat_close: count(),
      beat_close_pct: nullable(amount('Of those scored.')),
      won: count(),
      lost: count(),
      refunded: count(),
      win_pct: nullable(amount('Of won and lost.')),
      staked: nullable(amount('Stakes of won and lost bets.')),
      pnl: nullable(amount()),
      roi_pct: nullable(amount('`pnl` in percent of `staked`.')),
      flat_roi_pct: nullable(amount('As if every one of those bets had had the same stake.')),
    },
    { description: 'Averages are over the bets that have the figure, as shown; null when none has.' },
  ),
);

export const ClvReport = named(
  'ClvReport',
  Type.Object({
    reference: Reference,
    closing_line_seconds: count('A price last seen within this of the jump is a closing line.'),
    summary: ClvSummary,
    bets: Type.Array(ClvScore, { description: 'In the order sent.' }),
  }),
);
