// The live board read again and again: what a book says of a race is fetched only when it is not the word that is remembered, which most
// of it is, and a race of which nothing changed is the same object as before. Says exactly what `readBoard` says.
import type { Pool } from 'pg';
import {
  BOARD_OF,
  type BoardBook,
  type BoardQuery,
  type BoardRace,
  type BookTuple,
  bookOf,
  QUOTED,
  TOLD_BY_BOOK,
} from './board';
import { HEAD_COLUMNS, type RaceHead, windowValues } from './race-window';
import { millis, type RunnerTuple, runnerOf, runnersColumn } from './runners';

/** Rewritten with every word of the book that differs from the one before (migration 0005): names what it says. */
const CHANGED = 'b.changed_at';

/** Runners and stamps as text: equal text need not be parsed. */
export const STAMPS = {
  name: 'board-stamps',
  text: BOARD_OF(`${HEAD_COLUMNS}, ${runnersColumn()}::text AS runners, (
    SELECT json_agg(json_build_array(b.bookmaker_key, ${millis('b.polled_at')}, ${CHANGED}) ORDER BY b.bookmaker_key)
    FROM race_books b WHERE ${QUOTED})::text AS stamps`),
};

const WORDS = {
  name: 'board-words',
  text: `SELECT json_agg(json_build_array(b.race_id, ${CHANGED}, ${TOLD_BY_BOOK})) AS words
    FROM unnest($1::uuid[], $2::text[]) AS k (race_id, bookmaker_key) JOIN race_books b USING (race_id, bookmaker_key)`,
};

type Row = RaceHead & { readonly runners: string | null; readonly stamps: string };
type Stamp = readonly [key: string, polledAtMs: number, changed: string | null];
type Word = readonly [raceId: string, changed: string | null, told: BookTuple];

interface Known {
  readonly changed: string | null;
  readonly book: BoardBook;
}

interface Seen {
  readonly row: Row;
  readonly race: BoardRace;
}

interface KnownRace {
  readonly books: Map<string, Known>;
  /** By the books asked for. */
  readonly seen: Map<string, Seen>;
}

/** Twice a full board. */
const MOST_RACES = 1200;
/** Nearly all ask for the books of an audience; a customer may name any. */
const MOST_SEEN = 4;

export function createBoardMemory(pool: Pool): (query: BoardQuery) => Promise<readonly BoardRace[]> {
  const races = new Map<string, KnownRace>();

  const known = (raceId: string): KnownRace => {
    const race = races.get(raceId) ?? { books: new Map(), seen: new Map() };
    races.delete(raceId);
    races.set(raceId, race);
    if (races.size > MOST_RACES) races.delete(races.keys().next().value!);
    return race;
  };

  /** What is not known yet, as it is now. */
  const fetch = async (
    missing: readonly { raceId: string; key: string }[],
  ): Promise<ReadonlyMap<string, BoardBook>> => {
    if (missing.length === 0) return new Map();
    const values = [missing.map(({ raceId }) => raceId), missing.map(({ key }) => key)];
    const { rows } = await pool.query<{ words: readonly Word[] | null }>({ ...WORDS, values });
    return new Map(
      (rows[0]!.words ?? []).map(([raceId, changed, told]) => {
        const book = bookOf(told);
        known(raceId).books.set(book.bookmaker, { changed, book });
        return [`${raceId} ${book.bookmaker}`, book];
      }),
    );
  };

  return async (query) => {
    const asked = query.bookmakers.join();
    const values = [...windowValues(query), query.bookmakers, query.limit];
    const { rows } = await pool.query<Row>({ ...STAMPS, values });
    const read = rows.map((row) => {
      const race = known(row.race_id);
      const seen = race.seen.get(asked);
      if (seen && sameRow(seen.row, row)) return { row, race, seen, stamps: [], books: null };
      const stamps: readonly Stamp[] = JSON.parse(row.stamps);
      return { row, race, seen, stamps, books: stamps.map((stamp) => remembered(race, stamp)) };
    });
    const missing = read.flatMap(({ row, stamps, books }) =>
      stamps.flatMap(([key], i) => (books![i] ? [] : [{ raceId: row.race_id, key }])),
    );
    const fetched = await fetch(missing);
    return read.map(({ row, race, seen, stamps, books }) => {
      if (books === null) return seen!.race;
      const all = books.map((book, i) => book ?? fetched.get(`${row.race_id} ${stamps[i]![0]}`)!);
      const now = { row, race: raceOf(row, all, seen) };
      race.seen.delete(asked);
      if (race.seen.size >= MOST_SEEN) race.seen.delete(race.seen.keys().next().value!);
      race.seen.set(asked, now);
      return now.race;
    });
  };
}

/** The book's word with its freshness, if the stamp names the word that is remembered. */
function remembered({ books }: KnownRace, [key, polledAtMs, changed]: Stamp): BoardBook | null {
  const held = books.get(key);
  if (!held || changed === null || held.changed !== changed) return null;
  if (held.book.polledAtMs === polledAtMs) return held.book;
  const book = { ...held.book, polledAtMs };
  books.set(key, { changed, book });
  return book;
}

function raceOf(row: Row, books: readonly BoardBook[], seen: Seen | undefined): BoardRace {
  const { runners, stamps, ...head } = row;
  const sameCard = seen?.row.runners === runners;
  const race = {
    ...head,
    startMs: Date.parse(row.start_time),
    runners: sameCard ? seen!.race.runners : (JSON.parse(runners ?? '[]') as RunnerTuple[]).map(runnerOf),
    books,
  };
  const same = sameCard && sameHead(seen!.row, row) && sameWords(seen!.race.books, books);
  return { ...race, content: same ? seen!.race.content! : {} };
}

const sameRow = (a: Row, b: Row): boolean => a.stamps === b.stamps && a.runners === b.runners && sameHead(a, b);

function sameHead(a: Row, b: Row): boolean {
  for (const name in b) {
    if (name === 'stamps' || name === 'runners') continue;
    if (a[name as keyof Row] !== b[name as keyof Row]) return false;
  }
  return true;
}

/** The same words, whenever they were last heard: a word that is read anew has new arrays. */
const sameWords = (a: readonly BoardBook[], b: readonly BoardBook[]): boolean =>
  a.length === b.length && a.every((book, i) => book.bookmaker === b[i]!.bookmaker && book.numbers === b[i]!.numbers);
