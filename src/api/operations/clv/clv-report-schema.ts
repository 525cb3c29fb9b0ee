// The score of each bet and the summary (reference-shapes 11).
import { Type } from '@sinclair/typebox';
import { REFERENCES } from '../../../domain/clv/measure';
import { RaceCandidate } from '../../wire/problem-schema';
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
} from '../../wire/vocabulary';
import { ResultStatus } from '../results/result-schema';
import { ClvMarket, Reference } from './clv-schema';

const UNSCORED = [
  'race_not_found',
  'race_ambiguous',
  'no_card',
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
  'no_card',
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
  'places_unknown',
] as const;
const REFUNDED = ['race_abandoned', 'runner_scratched', 'reserve_did_not_run', 'no_place_betting'] as const;
export type ResultReason = (typeof UNSETTLED)[number] | (typeof REFUNDED)[number];

/** The race and the runner of the bet: as stored, or as sent if they were not found. */
const subject = {
  index: count('Position in the request, from 0.'),
  ref: nullable(text('As sent.')),
  race_id: nullable(Type.String({ format: 'uuid' })),
  venue: nullable(text()),
  meeting_date: nullable(day('Meeting day (Australia/Sydney).')),
  race_number: nullable(whole()),
  category: nullable(Category),
  country: nullable(text('ISO 3166 country code.')),
  start_time: nullable(instant('Advertised start (UTC).')),
  jump_at: nullable(
    instant(
      'The jump that the close is measured to (UTC): the market’s close, otherwise the advertised start. Null if the race has not ' +
        'jumped.',
    ),
  ),
  runner_number: nullable(whole()),
  runner_name: nullable(text()),
  runner_ref: nullable(text()),
  horse_ref: nullable(text('`pe:` followed by the folded name; null for other codes.')),
  market: ClvMarket,
  price: price('Price taken, in decimal odds.'),
  stake: amount(),
  bookmaker: nullable(BookmakerKey),
  placed_at: nullable(instant()),
};

const closing = {
  measured_against: oneOf(['bookmaker', ...REFERENCES], {
    description: '`bookmaker` if the bet names one, otherwise `reference`.',
  }),
  close_price: nullable(
    price('Price that the bet is measured against. If `reason` is set, the price is shown but not measured against.'),
  ),
  close_bookmaker: nullable(text('Book whose close it is; null for a median.')),
  close_secs_to_jump: nullable(
    count(
      'How many seconds before the jump the price was last seen; 0 if it stood at the jump. For a median, that of its oldest price.',
    ),
  ),
  is_closing_line: nullable(yes('Whether the price was last seen within 300 s of the jump.')),
  best_close_price: nullable(price('Highest closing line across books, without placeholders.')),
  best_close_bookmaker: nullable(text()),
  median_close_price: nullable(price('Median closing line across books, without placeholders.')),
  books_in_close: nullable(
    count('Number of books whose closing lines these two prices use; null if no close was looked up.'),
  ),
  clv_pct: nullable(
    amount('`100 * (price / close_price - 1)`, computed before a median is rounded. Positive: better than the close.'),
  ),
  beat_close: nullable(yes('Whether `clv_pct` is above 0.')),
  reason: nullable(oneOf(UNSCORED, { description: 'Why `clv_pct` is null.' })),
};

const outcome = {
  result: nullable(
    oneOf(['won', 'lost', 'refunded'], {
      description: 'Outcome of the bet; null unless the result is final or the race is abandoned.',
    }),
  ),
  result_status: nullable(ResultStatus),
  dead_heat: nullable(yes('Whether runners shared its position; null unless the bet won.')),
  deduction: nullable(amount('Deduction for scratchings per dollar of payout, 0 to 1; null unless the bet won.')),
  deduction_assumed: nullable(
    yes(
      'Whether the deduction rests on an assumption: a deduction is published and `placed_at` was not sent (the bet counts as struck 60 ' +
        'minutes before the start) or the time of the scratching is unknown (the deduction counts), or a runner was scratched after the ' +
        'bet, no deduction is published for it and none was applied. Null unless the bet won.',
    ),
  ),
  pnl: nullable(
    amount(
      'Profit at the price taken, in the unit of the stake, rounded to two decimals, after deductions and dead heats.',
    ),
  ),
  result_reason: nullable(
    oneOf([...new Set([...UNSETTLED, ...REFUNDED])], {
      description:
        'Why `result` is null, or why the stake was refunded. `no_place_betting`: too few runners for a place bet. `places_unknown`: how ' +
        'many places were paid is not known, and it matters.',
    }),
  ),
};

const ClvScore = named(
  'ClvScore',
  Type.Object({
    ...subject,
    ...closing,
    ...outcome,
    note: nullable(text('The reasons and uncertainties as sentences; null if there are none.')),
    candidates: nullable(
      Type.Array(RaceCandidate, { description: 'For `race_ambiguous`: the races that matched, ordered by start.' }),
    ),
  }),
);

const ClvSummary = named(
  'ClvSummary',
  Type.Object(
    {
      bets: count(),
      scored: count('Number of bets with a `clv_pct`.'),
      settled: count('Number of bets with a `result`.'),
      average_clv_pct: nullable(amount()),
      median_clv_pct: nullable(amount()),
      beat_close: count(),
      beat_close_pct: nullable(amount('Bets that beat the close, in percent of scored bets.')),
      won: count(),
      lost: count(),
      refunded: count(),
      win_pct: nullable(amount('Won bets, in percent of won and lost bets.')),
      staked: nullable(amount('Total stake of the won and lost bets.')),
      pnl: nullable(amount()),
      roi_pct: nullable(amount('`pnl` in percent of `staked`.')),
      flat_roi_pct: nullable(amount('`roi_pct` as if all won and lost bets had the same stake.')),
    },
    { description: 'Averages cover the bets that have the figure, as displayed; null if no bet has it.' },
  ),
);

export const ClvReport = named(
  'ClvReport',
  Type.Object({
    reference: Reference,
    closing_line_seconds: count('A price last seen within this many seconds of the jump is a closing line.'),
    summary: ClvSummary,
    bets: Type.Array(ClvScore, { description: 'The scored bets, in the order sent.' }),
  }),
);
