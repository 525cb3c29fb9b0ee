// The live board, cached: reads freshness stamps, and fetches only those books and runners whose stamps changed. A race
// without changes is the same object as before. Always equal to what `readBoard` reads.
import { LRUCache } from 'lru-cache';
import type { Pool } from 'pg';
import { instantOf } from '../../pg/pool';
import {
  BOARD_OF,
  BOOK_TUPLE,
  type BoardBook,
  type BoardQuery,
  type BoardRace,
  type BookTuple,
  boardValues,
  bookOf,
  QUOTED,
} from './board';
import { HEAD_COLUMNS, type RaceHead } from './race-window';
import { type RunnerRow, type RunnerTuple, runnerOf, runnersColumn } from './runners';

/**
 * `written_at` rises with every write of a runner, `changed_at` with every changed reply of a book (`write_poll`). A
 * stamp is `key|polled_at|changed_at`, a time being empty if there is none: text is the fastest for the server, and
 * equal text need not be parsed.
 */
const STAMPS = {
  name: 'board-stamps',
  text: BOARD_OF(`${HEAD_COLUMNS}, COALESCE(r.written_at::text, '') AS runners_at, (
    SELECT string_agg(concat(b.bookmaker_key, '|', b.polled_at, '|', b.changed_at), ',' ORDER BY b.bookmaker_key)
    FROM race_books b WHERE ${QUOTED}) AS stamps`),
};

const BOOKS = {
  name: 'board-books',
  text: `SELECT json_agg(json_build_array(b.race_id, COALESCE(b.changed_at::text, ''), ${BOOK_TUPLE})) AS books
    FROM unnest($1::uuid[], $2::text[]) AS k (race_id, bookmaker_key) JOIN race_books b USING (race_id, bookmaker_key)`,
};

const RUNNERS = {
  name: 'board-runners',
  text: `SELECT r.race_id, COALESCE(r.written_at::text, '') AS at, ${runnersColumn()} AS runners FROM races r WHERE r.race_id = ANY ($1::uuid[])`,
};

type Row = RaceHead & { readonly runners_at: string; readonly stamps: string };
type BookEntry = readonly [raceId: string, changed: string, tuple: BookTuple];
interface RunnersRow {
  readonly race_id: string;
  readonly at: string;
  readonly runners: readonly RunnerTuple[] | null;
}

interface CachedView {
  readonly row: Row;
  readonly race: BoardRace;
}

/** Books and runners of one race. */
interface CachedRace {
  readonly books: Map<string, { readonly changed: string; readonly book: BoardBook }>;
  runners: { readonly at: string; readonly rows: readonly RunnerRow[] } | null;
  /** By the query's books. */
  readonly views: LRUCache<string, CachedView>;
}

/**
 * This many races are cached, and twice as many as the fullest board that was read: a board larger than its cache would
 * find none of its races.
 */
const LEAST_RACES = 1200;
const TIMES_FULLEST = 2;
/** Almost all queries name the books of an audience; a customer may name any. */
const MOST_VIEWS = 4;

export function createBoardCache(pool: Pool): (query: BoardQuery) => Promise<readonly BoardRace[]> {
  /** The most recently read ones come last. */
  const races = new Map<string, CachedRace>();
  let most = LEAST_RACES;

  const cachedRace = (raceId: string): CachedRace => {
    const race = races.get(raceId) ?? { books: new Map(), runners: null, views: new LRUCache({ max: MOST_VIEWS }) };
    races.delete(raceId);
    races.set(raceId, race);
    return race;
  };

  /** The races of a query. */
  const cachedRaces = (rows: readonly Row[]): readonly CachedRace[] => {
    most = Math.max(most, TIMES_FULLEST * rows.length);
    const cached = rows.map(({ race_id }) => cachedRace(race_id));
    for (const raceId of races.keys()) {
      if (races.size <= most) break;
      races.delete(raceId);
    }
    return cached;
  };

  return async (query) => {
    const books = query.bookmakers.join();
    const { rows } = await pool.query<Row>({ ...STAMPS, values: boardValues(query) });
    const cached = cachedRaces(rows);
    const names = headNames(rows);
    const read = rows.map((row, i) => {
      const race = cached[i]!;
      const view = race.views.get(books);
      return { row, race, view, stamps: view && sameRow(view.row, row, names) ? null : stampsOf(row) };
    });
    const changed = read.filter(({ stamps }) => stamps !== null);
    const byId = new Map(changed.map(({ row, race }) => [row.race_id, race]));
    await Promise.all([
      fetchBooks(
        pool,
        byId,
        changed.flatMap(({ row, race, stamps }) => missingBooks(row.race_id, race, stamps!)),
      ),
      fetchRunners(
        pool,
        byId,
        changed.filter(({ row, race }) => !hasRunners(race, row)).map(({ row }) => row.race_id),
      ),
    ]);
    return read.map(({ row, race, view, stamps }) => {
      if (stamps === null) return view!.race;
      const now = { row, race: raceOf(row, race, stamps) };
      race.views.set(books, now);
      return now.race;
    });
  };
}

type ById = ReadonlyMap<string, CachedRace>;

/** The later write of two simultaneous fetches wins. Stamps are text that sorts like the instants. */
async function fetchBooks(pool: Pool, byId: ById, missing: readonly { raceId: string; key: string }[]): Promise<void> {
  if (missing.length === 0) return;
  const values = [missing.map(({ raceId }) => raceId), missing.map(({ key }) => key)];
  const { rows } = await pool.query<{ books: readonly BookEntry[] | null }>({ ...BOOKS, values });
  for (const [raceId, changed, tuple] of rows[0]!.books ?? []) {
    const { books } = byId.get(raceId)!;
    const cached = books.get(tuple[0]);
    if (!cached || cached.changed <= changed) books.set(tuple[0], { changed, book: bookOf(tuple) });
  }
}

async function fetchRunners(pool: Pool, byId: ById, missing: readonly string[]): Promise<void> {
  if (missing.length === 0) return;
  const { rows } = await pool.query<RunnersRow>({ ...RUNNERS, values: [missing] });
  for (const { race_id, at, runners } of rows) {
    const race = byId.get(race_id)!;
    if (!race.runners || race.runners.at <= at) race.runners = { at, rows: (runners ?? []).map(runnerOf) };
  }
}

interface Stamp {
  readonly key: string;
  readonly polledAtMs: number;
  /** Empty for a book without a report. */
  readonly changed: string;
}

const stampsOf = ({ stamps }: Row): readonly Stamp[] =>
  stamps.split(',').map((stamp) => {
    const [key, polledAt, changed] = stamp.split('|') as [string, string, string];
    return { key, polledAtMs: Date.parse(instantOf(polledAt)), changed };
  });

const missingBooks = (raceId: string, { books }: CachedRace, stamps: readonly Stamp[]) =>
  stamps
    .filter(({ key, changed }) => changed === '' || books.get(key)?.changed !== changed)
    .map(({ key }) => ({ raceId, key }));

const hasRunners = ({ runners }: CachedRace, { runners_at }: Row): boolean =>
  runners !== null && runners_at !== '' && runners.at === runners_at;

/** A book written after the stamps were read keeps its newer report and its own freshness. */
function raceOf(row: Row, { books: cachedBooks, runners }: CachedRace, stamps: readonly Stamp[]): BoardRace {
  const books = stamps.map(({ key, polledAtMs, changed }): BoardBook => {
    const cached = cachedBooks.get(key)!;
    if (cached.changed !== changed || cached.book.polledAtMs === polledAtMs) return cached.book;
    const book = { ...cached.book, polledAtMs };
    cachedBooks.set(key, { changed, book });
    return book;
  });
  const { runners_at, stamps: _, ...head } = row;
  return { ...head, startMs: Date.parse(row.start_time), runners: runners!.rows, books };
}

/** All rows of a statement have the same columns. */
const headNames = ([row]: readonly Row[]): readonly (keyof RaceHead)[] => {
  const { runners_at, stamps, ...head } = row ?? ({} as Row);
  return Object.keys(head) as (keyof RaceHead)[];
};

const sameRow = (a: Row, b: Row, names: readonly (keyof RaceHead)[]): boolean =>
  a.stamps === b.stamps &&
  b.runners_at !== '' &&
  a.runners_at === b.runners_at &&
  names.every((name) => a[name] === b[name]);
