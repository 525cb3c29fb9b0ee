// Prices of a match compared over its books, and what they return together (shapes 3.1, 3.2).
import { Type } from '@sinclair/typebox';
import { LINE_MARKETS } from '../../../domain/sports/sports';
import { SUSPECT_REASONS } from '../../../domain/sports/trust/suspect';
import {
  age,
  aged,
  amount,
  BookmakerKey,
  count,
  named,
  nullable,
  oneOf,
  price,
  text,
  yes,
} from '../../wire/vocabulary';
import { confirmed, EVENT_ID, matchFreshness, matchIdentity } from '../sports/match-schema';

const suspect = yes(
  'Whether the price is probably wrong. It is best only if there is no other, and never part of an arb or a middle.',
);

const SuspectReason = named(
  'SuspectReason',
  oneOf(SUSPECT_REASONS, {
    description:
      'Of a price why it is suspect; of a pair or a match why fresh prices that would be an arb or a middle are none, because one of them is suspect. ' +
      '`under_round`: the book’s own prices add up to less than 100 %. `sides_exchanged`, `sign_turned`: the market contradicts other fresh books, and ' +
      'would not with its sides exchanged or its handicap turned. `far_from_others`: more of the other fresh books contradict it than support it, that is, ' +
      'without their margins they give an outcome a chance that differs by 10 points, or odds 3 times as long and 2 points. `far_from_own_history`: the same, ' +
      'or there is no other book, and the book jumped there within 30 minutes. `far_from_own_line`: an alternate that contradicts the book’s main line. ' +
      '`implausible_profit`: with others it returns more than 5 %, with four fresh books or more 10 %.',
  }),
);

const trust = {
  suspect_reason: nullable(SuspectReason),
  confidence: aged(
    nullable(
      amount(
        'How far it may be trusted, 0 to 1: the product of `1 - 0.5^(books - 1)`, `1 - age_seconds / 3600`, `1 - distance / 0.2` and `1 - moved_share`, each of ' +
          'the worst leg. Null: there is none.',
      ),
    ),
  ),
  confidence_parts: nullable(
    named(
      'ArbConfidence',
      Type.Object({
        books: count('Books whose prices of the market are fresh and not suspect.'),
        legs: Type.Array(
          named(
            'ArbConfidenceLeg',
            Type.Object({
              bookmaker: BookmakerKey,
              age_seconds: age('Seconds since the book last confirmed the price.'),
              distance: amount(
                'Between the chance that the book gives the outcome and the median of the other books, 0 to 1, without margins.',
              ),
              moved_share: amount(
                'Of the prices that the book offered in this sport in the last 7 days, the share that moved or vanished within ten minutes, counted with 1 of 10 more.',
              ),
            }),
          ),
        ),
      }),
    ),
  ),
};

const BookPrice = named(
  'SportBookPrice',
  Type.Object({
    bookmaker: BookmakerKey,
    price: price(),
    suspect,
    suspect_reason: nullable(SuspectReason),
    ...confirmed,
  }),
);

const best = {
  name: text('The team, or `Draw`.'),
  best_price: price(),
  best_bookmaker: BookmakerKey,
  all_prices: Type.Array(BookPrice, { minItems: 1, description: 'Best first, suspect ones last.' }),
};
const average = { avg_price: amount('Mean of all prices, without suspect ones if there are others.') };
const overlay = { overlay_pct: amount('How far the best price is above the mean, in percent.') };

export const BestOddsMatch = named(
  'BestOddsMatch',
  Type.Object({
    id: text(EVENT_ID),
    ...matchIdentity,
    selections: Type.Array(named('BestSelection', Type.Object(best))),
    arb_exists: yes('Whether fresh prices of every outcome return more than they cost, whichever wins.'),
    arb_profit_pct: amount('What they return beyond the stakes, in percent, rounded down; 0 if there is no arb.'),
    ...trust,
    ...matchFreshness,
  }),
);

export const BestPricesMatch = named(
  'BestPricesMatch',
  Type.Object({
    id: text(EVENT_ID),
    ...matchIdentity,
    selections: Type.Array(
      named(
        'ComparedSelection',
        Type.Object({
          ...best,
          worst_price: price('The lowest, without suspect ones if there are others.'),
          ...average,
          price_spread: amount('The best price less the worst.'),
          ...overlay,
        }),
      ),
    ),
    ...matchFreshness,
  }),
);

const stake = (description: string) => amount(description);
const STAKE = 'Share of all stakes, in percent: together 100.';
const PROFIT = 'What is won beyond stakes of 100 if this outcome wins.';

export const SportsArb = named(
  'SportsArb',
  Type.Object({
    event_id: text(EVENT_ID),
    ...matchIdentity,
    is_arb: yes(
      'Whether fresh prices of every outcome return more than they cost. Do not recompute it from `selections`, whose prices may be stale.',
    ),
    arb_pct: amount('What they return beyond the stakes, in percent, rounded down; 0 if there is no arb.'),
    ...trust,
    optimal_stakes: Type.Array(
      named(
        'ArbStake',
        Type.Object({
          name: text(),
          bookmaker: BookmakerKey,
          price: price(),
          stake: stake(STAKE),
          profit_if_wins: amount(PROFIT),
        }),
      ),
      { description: 'One for each outcome; empty if there is no arb.' },
    ),
    max_overlay_pct: amount('The highest `overlay_pct` of the selections.'),
    selections: Type.Array(named('ArbSelection', Type.Object({ ...best, ...average, ...overlay }))),
    ...matchFreshness,
  }),
);

const Side = named(
  'LineSide',
  Type.Object({
    name: text('The team, `Over` or `Under`.'),
    point: amount('The handicap of the side, or the total.'),
    price: price(),
    suspect,
    suspect_reason: nullable(SuspectReason),
    bookmaker: BookmakerKey,
    ...confirmed,
  }),
);

const Opportunity = named(
  'LineOpportunity',
  Type.Object({
    side_a: Side,
    side_b: Side,
    is_arb: yes(
      'Whether both sides together return more than they cost. If a result equals a line, its stake comes back.',
    ),
    is_middle: yes('Whether a whole result wins both sides, at fresh prices.'),
    arb_pct: amount('What they return beyond the stakes, in percent, rounded down; 0 if the pair is not an arb.'),
    ...trust,
    optimal_stakes: Type.Array(
      named(
        'LineStake',
        Type.Object({
          name: text(),
          point: amount(),
          bookmaker: BookmakerKey,
          stake: stake(STAKE),
          profit_if_wins: amount('What is won beyond stakes of 100 if this side alone wins.'),
        }),
      ),
      { description: 'One for each side; empty if the pair is not an arb.' },
    ),
  }),
);

export const LinesArb = named(
  'LinesArb',
  Type.Object({
    event_id: text(EVENT_ID),
    ...matchIdentity,
    market_type: named('LineMarket', oneOf(LINE_MARKETS)),
    opportunities: Type.Array(Opportunity, { minItems: 1 }),
    ...matchFreshness,
  }),
);
