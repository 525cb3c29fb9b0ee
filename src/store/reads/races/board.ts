// The live board: races before their jump that a visible book prices, with runners and quotes, in one statement. Price
// arrays are in one JSON column: pg's array parser takes three times as long, and text that is split here one and a
// half times.
import type { Pool } from 'pg';
import { HEAD_COLUMNS, type RaceHead, type RaceWindow, WINDOW_WHERE, windowValues } from './race-window';
import { millis, type RunnerRow, type RunnerTuple, runnerOf, runnersColumn } from './runners';
import { shownOn } from './shown';

export interface BoardQuery extends RaceWindow {
  /** Only races at these venues. */
  readonly venueIds?: readonly string[];
  /** Only these races. */
  readonly raceIds?: readonly string[];
  /** Null: all. */
  readonly limit: number | null;
  /** The only books whose quotes are read. */
  readonly bookmakers: readonly string[];
}

type Prices = readonly (number | null)[];

/** One book's quotes on a race; every array is aligned to `numbers`. */
export interface BoardBook {
  readonly bookmaker: string;
  readonly polledAtMs: number;
  readonly sourceUrl: string | null;
  readonly numbers: readonly number[];
  readonly win: Prices;
  readonly place: Prices;
  readonly top2: Prices;
  readonly top3: Prices;
  readonly top4: Prices;
  /** By runner number, estimates by product; null when the book carries no tote. */
  readonly tote: Readonly<Record<string, Readonly<Record<string, number>>>> | null;
}

export interface BoardRace extends RaceHead {
  readonly startMs: number;
  /** By number, with scratched runners. */
  readonly runners: readonly RunnerRow[];
  /** By bookmaker key. */
  readonly books: readonly BoardBook[];
}

export const QUOTED = `b.race_id = r.race_id AND b.bookmaker_key = ANY ($8) AND b.polled_at IS NOT NULL`;

/** A `BookTuple` of `b`. */
export const BOOK_TUPLE = `json_build_array(b.bookmaker_key, ${millis('b.polled_at')}, b.source_url, b.numbers, b.win, b.place,
    b.top2, b.top3, b.top4, b.tote)`;

/** A subquery: the books `b` of `r` for which `where` is true, by key, or null if there are none. */
export const booksColumn = (where: string): string => `(
  SELECT json_agg(${BOOK_TUPLE} ORDER BY b.bookmaker_key) FROM race_books b WHERE ${where})`;

/** The races `board` of a query, with the parameters of `boardValues`. */
export const BOARD_ROWS = `board AS MATERIALIZED (
      SELECT * FROM races r
      WHERE ${WINDOW_WHERE} AND ${shownOn('board', 'r', '$10')}
        AND ($11::text[] IS NULL OR r.venue_id = ANY ($11))
        AND ($12::uuid[] IS NULL OR r.race_id = ANY ($12))
        AND EXISTS (SELECT FROM race_books b WHERE ${QUOTED} AND array_remove(b.win, NULL) <> '{}')
      ORDER BY r.start_time, r.race_id LIMIT $9)`;

/** `columns` of the races `r` of a query, with the parameters of `boardValues`. */
export const BOARD_OF = (columns: string): string => `
    WITH ${BOARD_ROWS}
    SELECT ${columns} FROM board r ORDER BY r.start_time, r.race_id`;

export const boardValues = (query: BoardQuery): unknown[] => [
  ...windowValues(query),
  query.bookmakers,
  query.limit,
  query.at,
  query.venueIds ?? null,
  query.raceIds ?? null,
];

export const BOARD = {
  name: 'board',
  text: BOARD_OF(`${HEAD_COLUMNS}, ${runnersColumn()} AS runners, ${booksColumn(QUOTED)} AS books`),
};

export type BookTuple = [
  string,
  number,
  string | null,
  readonly number[],
  Prices,
  Prices,
  Prices,
  Prices,
  Prices,
  BoardBook['tote'],
];

type Row = RaceHead & { runners: RunnerTuple[] | null; books: BookTuple[] };

/** Next to jump first, then by race id. */
export async function readBoard(pool: Pool, query: BoardQuery): Promise<readonly BoardRace[]> {
  const { rows } = await pool.query<Row>({ ...BOARD, values: boardValues(query) });
  return rows.map((row) => ({
    ...row,
    startMs: Date.parse(row.start_time),
    runners: (row.runners ?? []).map(runnerOf),
    books: row.books.map(bookOf),
  }));
}

export function bookOf([
  bookmaker,
  polledAtMs,
  sourceUrl,
  numbers,
  win,
  place,
  top2,
  top3,
  top4,
  tote,
]: BookTuple): BoardBook {
  return { bookmaker, polledAtMs, sourceUrl, numbers, win, place, top2, top3, top4, tote };
}
