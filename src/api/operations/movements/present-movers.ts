// Presents movers (A 2.7).
import type { Static } from '@sinclair/typebox';
import { roundPct, roundPrice } from '../../wire/rounded';
import type { FoundMover } from './found-movers';
import type { Mover } from './movers-schema';

type Wire = Static<typeof Mover>;

export function presentMover({ race, runner, move }: FoundMover, nowMs: number): Wire {
  const { venue, race_number, category, country, start_time } = race;
  return {
    venue,
    race_number,
    category,
    country,
    start_time,
    mins_to_jump: Math.floor((race.startMs - nowMs) / 60_000),
    number: runner.number,
    runner: runner.name,
    open_price: roundPrice(move.open),
    current_price: roundPrice(move.current),
    move_pct: roundPct(move.movePct),
    direction: move.direction,
    books_quoting: move.books.length,
    books_with_history: move.withHistory,
    books_firming: move.firming,
    books_drifting: move.drifting,
    books_unchanged: move.unchanged,
    bookmakers: move.books.map((book) => ({
      key: book.bookmaker,
      open_price: book.open,
      current_price: book.current,
      move_pct: roundPct(book.movePct),
      open_secs_to_jump: book.openSecsToJump,
      points: book.points,
      counted_in_consensus: book.counted,
    })),
  };
}
