// Prices of a match compared over its books, and what they return together (shapes 3.1, 3.2).
import { Type } from '@sinclair/typebox';
import { amount, BookmakerKey, named, oneOf, price, text, yes } from '../vocabulary';
import { confirmed, EVENT_ID, matchFreshness, matchIdentity } from './match';

const suspect = yes(
  'Whether the price is probably wrong: it, or another price of the book in this market, pays at least 3 times the profit of the median of three or ' +
    'more other books that are not stale, and that median implies a probability at least 2 percentage points higher; or the book’s own prices ' +
    'add up to less than 100 %.',
);

const BookPrice = named(
  'SportBookPrice',
  Type.Object({ bookmaker: BookmakerKey, price: price(), suspect, ...confirmed }),
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
    market_type: named('LineMarket', oneOf(['spreads', 'totals'])),
    opportunities: Type.Array(Opportunity, { minItems: 1 }),
    ...matchFreshness,
  }),
);
