// A runner whose price has moved since capture began (A 2.7).
import { Type } from '@sinclair/typebox';
import { raceIdentity } from '../../wire/race-schema';
import { aged, amount, BookmakerKey, count, Direction, named, price, text, whole, yes } from '../../wire/vocabulary';

const BookMove = named(
  'BookMove',
  Type.Object({
    key: BookmakerKey,
    open_price: price(
      'First price captured in the hour before the jump; not a true market open. If a start was put back, the price that stood when that ' +
        'hour began.',
    ),
    current_price: price('Price that the book quotes now.'),
    move_pct: amount('Move from `open_price` to `current_price`, in percent. Negative: the price shortened.'),
    open_secs_to_jump: whole(
      'Seconds from `open_price` to the advertised start, 3600 at most; the nearer to 3600, the nearer to a 60-minute open.',
    ),
    points: Type.Integer({
      minimum: 1,
      description: 'Number of captured prices: `open_price`, and each change since.',
    }),
    counted_in_consensus: yes(
      'Whether the book counts towards the average: it has two or more captured prices, and neither the first nor the last is a ' +
        'placeholder.',
    ),
  }),
);

export const Mover = named(
  'Mover',
  Type.Object({
    venue: raceIdentity.venue,
    race_number: raceIdentity.race_number,
    category: raceIdentity.category,
    country: raceIdentity.country,
    start_time: raceIdentity.start_time,
    mins_to_jump: aged(whole('Whole minutes to the advertised start, rounded down; negative after it.')),
    number: whole('Saddlecloth or box number.'),
    runner: text('Name of the runner.'),
    open_price: price('Mean of the counted books’ `open_price`.'),
    current_price: price('Mean of the counted books’ current prices.'),
    move_pct: amount('Move from `open_price` to `current_price`, in percent. Negative: firming.'),
    direction: Direction,
    books_quoting: count('Number of books that quote the runner now and have at least one captured price on it.'),
    books_with_history: count('Number of books counted towards the average.'),
    books_firming: count('Number of counted books whose price shortened.'),
    books_drifting: count('Number of counted books whose price lengthened.'),
    books_unchanged: count('Number of all other books: firming, drifting and unchanged add up to `books_quoting`.'),
    bookmakers: Type.Array(BookMove, { description: 'Ordered by bookmaker key.' }),
  }),
);

export const exampleMover = {
  venue: 'Flemington',
  race_number: 4,
  category: 'horse' as const,
  country: 'AU',
  start_time: '2026-11-21T03:10:00.000Z',
  mins_to_jump: 9,
  number: 1,
  runner: 'Gold Trip (FR)',
  open_price: 6.25,
  current_price: 5,
  move_pct: -20,
  direction: 'firming' as const,
  books_quoting: 3,
  books_with_history: 2,
  books_firming: 2,
  books_drifting: 0,
  books_unchanged: 1,
  bookmakers: [
    {
      key: 'ladbrokes_au',
      open_price: 6,
      current_price: 5,
      move_pct: -16.67,
      open_secs_to_jump: 3596,
      points: 3,
      counted_in_consensus: true,
    },
    {
      key: 'pointsbetau',
      open_price: 5.2,
      current_price: 5.2,
      move_pct: 0,
      open_secs_to_jump: 610,
      points: 1,
      counted_in_consensus: false,
    },
    {
      key: 'tab',
      open_price: 6.5,
      current_price: 5,
      move_pct: -23.08,
      open_secs_to_jump: 3588,
      points: 4,
      counted_in_consensus: true,
    },
  ],
};
