// The captured prices of one race (B 2.4).
import { Type } from '@sinclair/typebox';
import { exampleIdentity } from '../../wire/examples';
import { raceIdentity } from '../../wire/race-schema';
import { amount, BookmakerKey, count, instant, named, nullable, price, text, whole, yes } from '../../wire/vocabulary';

const PricePoint = named(
  'PricePoint',
  Type.Object({
    captured_at: instant('When the price was captured (UTC).'),
    secs_to_jump: whole(
      'Seconds from then to the jump, rounded down. Negative: seen late, after the jump; it counts in no figure.',
    ),
    win_price: price(),
    lay_price: nullable(amount('Withheld: always null for customers.')),
  }),
);

const HistoryBook = named(
  'PriceHistoryBook',
  Type.Object({
    key: BookmakerKey,
    open_price: nullable(
      price(
        'First captured price; a market open only if `open_is_baseline`. Null, as all figures: nothing was captured up to the jump.',
      ),
    ),
    close_price: nullable(price('Last price captured up to the jump; not necessarily a closing line.')),
    open_secs_to_jump: nullable(whole('Seconds from the capture of `open_price` to the jump.')),
    close_secs_to_jump: nullable(
      whole(
        'Seconds from the capture of `close_price` to the jump; negative only while a race is late and has not jumped.',
      ),
    ),
    open_is_baseline: yes(
      'Whether `open_price` stood when the hour before the advertised start began. False: the book joined later, or its price moved before then.',
    ),
    high: nullable(price('Highest price captured up to the jump.')),
    low: nullable(price('Lowest price captured up to the jump.')),
    move_pct: nullable(amount('Move from `open_price` to `close_price`, in percent. Positive: the price drifted.')),
    points_count: Type.Integer({ minimum: 1, description: 'Number of captured prices, whether returned or not.' }),
    points: Type.Optional(
      Type.Array(PricePoint, {
        description:
          'Captured prices in time, changes only: each stood until the next. Absent with `include_points=false`.',
      }),
    ),
  }),
);

const HistoryRunner = named(
  'PriceHistoryRunner',
  Type.Object({
    name: text(
      'Name of the runner; of one that is not on the card under this number, as the book’s letters and digits.',
    ),
    number: whole('Saddlecloth or box number.'),
    bookmakers: Type.Array(HistoryBook, { description: 'Ordered by bookmaker key.' }),
  }),
);

export const PriceHistory = named(
  'PriceHistory',
  Type.Object({
    ...raceIdentity,
    history_from: nullable(
      instant('Start of the first race whose prices are archived (UTC); null until there is one.'),
    ),
    points_returned: count('Number of `points` in this response.'),
    truncated: yes('Whether `max_points` left out the earliest points.'),
    runners: Type.Array(HistoryRunner, {
      description:
        'Runners with a captured price, by number. A number that passed to another runner is there for each.',
    }),
  }),
);

export const examplePriceHistory = {
  ...exampleIdentity,
  history_from: '2026-08-04T09:40:00.000Z',
  points_returned: 2,
  truncated: false,
  runners: [
    {
      name: 'Gold Trip',
      number: 1,
      bookmakers: [
        {
          key: 'tab',
          open_price: 6,
          close_price: 5,
          open_secs_to_jump: 3588,
          close_secs_to_jump: 412,
          open_is_baseline: true,
          high: 6,
          low: 5,
          move_pct: -16.67,
          points_count: 2,
          points: [
            { captured_at: '2026-11-21T04:20:12.000Z', secs_to_jump: 3588, win_price: 6, lay_price: null },
            { captured_at: '2026-11-21T05:13:08.000Z', secs_to_jump: 412, win_price: 5, lay_price: null },
          ],
        },
      ],
    },
  ],
};
