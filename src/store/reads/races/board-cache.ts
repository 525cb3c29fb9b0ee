// The live board read again and again: what a book says of a race, and its runners, are fetched only when they are not what is remembered,
// which most of it is, and a race of which nothing changed is the same object as before. Says exactly what `readBoard` says.
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
  bookOf,
  QUOTED,
} from './board';
import { HEAD_COLUMNS, type RaceHead, windowValues } from './race-window';
import { type RunnerRow, type RunnerTuple, runnerOf, runnersColumn } from './runners';

/**
 * `written_at` rises with every write of a runner (migration 0010), `changed_at` with every word of a book that is not the one before (`write_poll`).
 * A stamp is `key|polled_at|changed_at`: text, because the server makes it fastest and equal text need not be looked into. Empty: never.
 */
const STAMPS = {
  name: 'board-stamps',
  text: BOARD_OF(`${HEAD_COLUMNS}, COALESCE(r.written_at::text, '') AS runners_at, (
    SELECT string_agg(concat(b.bookmaker_key, '|', b.polled_at, '|', b.changed_at), ',' ORDER BY b.bookmaker_key)
    FROM race_books b WHERE ${QUOTED}) AS stamps`),
};

const WORDS = {
  name: 'board-words',
  text: `SELECT json_agg(json_build_array(b.race_id, COALESCE(b.changed_at::text, ''), ${BOOK_TUPLE})) AS words
    FROM unnest($1::uuid[], $2::text[]) AS k (race_id, bookmaker_key) JOIN race_books b USING (race_id, bookmaker_key)`,
};

const RUNNERS = {
  name: 'board-runners',
  text: `SELECT r.race_id, COALESCE(r.written_at::text, '') AS at, ${runnersColumn()} AS runners FROM races r WHERE r.race_id = ANY ($1::uuid[])`,
};

type Row = RaceHead & { readonly runners_at: string; readonly stamps: string };
type Word = readonly [raceId: string, changed: string, told: BookTuple];
interface RunnersRow {
  readonly race_id: string;
  readonly at: string;
  readonly runners: readonly RunnerTuple[] | null;
}

interface Seen {
  readonly row: Row;
  readonly race: BoardRace;
}

/** What is remembered of a race. */
interface Known {
  readonly words: Map<string, { readonly changed: string; readonly book: BoardBook }>;
  runners: { readonly at: string; readonly rows: readonly RunnerRow[] } | null;
  /** By the books asked for. */
  readonly seen: LRUCache<string, Seen>;
}

/** Twice a full board. */
const MOST_RACES = 1200;
/** Nearly all ask for the books of an audience; a customer may name any. */
const MOST_SEEN = 4;

export function createBoardCache(pool: Pool): (query: BoardQuery) => Promise<readonly BoardRace[]> {
  const races = new LRUCache<string, Known>({ max: MOST_RACES });

  const known = (raceId: string): Known => {
    const race = races.get(raceId) ?? { words: new Map(), runners: null, seen: new LRUCache({ max: MOST_SEEN }) };
    races.set(raceId, race);
    return race;
  };

  return async (query) => {
    const asked = query.bookmakers.join();
    const values = [...windowValues(query), query.bookmakers, query.limit];
    const { rows } = await pool.query<Row>({ ...STAMPS, values });
    const read = rows.map((row) => {
      const race = known(row.race_id);
      const seen = race.seen.get(asked);
      return { row, race, seen, stamps: seen && sameRow(seen.row, row) ? null : stampsOf(row) };
    });
    const changed = read.filter(({ stamps }) => stamps !== null);
    const byId = new Map(changed.map(({ row, race }) => [row.race_id, race]));
    await Promise.all([
      fetchWords(
        pool,
        byId,
        changed.flatMap(({ row, race, stamps }) => missingWords(row.race_id, race, stamps!)),
      ),
      fetchRunners(
        pool,
        byId,
        changed.filter(({ row, race }) => !knowsRunners(race, row)).map(({ row }) => row.race_id),
      ),
    ]);
    return read.map(({ row, race, seen, stamps }) => {
      if (stamps === null) return seen!.race;
      const now = { row, race: raceOf(row, race, stamps) };
      race.seen.set(asked, now);
      return now.race;
    });
  };
}

type ById = ReadonlyMap<string, Known>;

/** Two may fetch at once: what was written later stays. Stamps of one session are text that sorts as the instants do. */
async function fetchWords(pool: Pool, byId: ById, missing: readonly { raceId: string; key: string }[]): Promise<void> {
  if (missing.length === 0) return;
  const values = [missing.map(({ raceId }) => raceId), missing.map(({ key }) => key)];
  const { rows } = await pool.query<{ words: readonly Word[] | null }>({ ...WORDS, values });
  for (const [raceId, changed, told] of rows[0]!.words ?? []) {
    const { words } = byId.get(raceId)!;
    const held = words.get(told[0]);
    if (!held || held.changed <= changed) words.set(told[0], { changed, book: bookOf(told) });
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
  /** Empty for a book that has said nothing yet. */
  readonly changed: string;
}

const stampsOf = ({ stamps }: Row): readonly Stamp[] =>
  stamps.split(',').map((stamp) => {
    const [key, polledAt, changed] = stamp.split('|') as [string, string, string];
    return { key, polledAtMs: Date.parse(instantOf(polledAt)), changed };
  });

const missingWords = (raceId: string, { words }: Known, stamps: readonly Stamp[]) =>
  stamps
    .filter(({ key, changed }) => changed === '' || words.get(key)?.changed !== changed)
    .map(({ key }) => ({ raceId, key }));

const knowsRunners = ({ runners }: Known, { runners_at }: Row): boolean =>
  runners !== null && runners_at !== '' && runners.at === runners_at;

/** Of words that were written since the stamps were read, the newer stand with their own freshness. */
function raceOf(row: Row, { words, runners }: Known, stamps: readonly Stamp[]): BoardRace {
  const books = stamps.map(({ key, polledAtMs, changed }): BoardBook => {
    const held = words.get(key)!;
    if (held.changed !== changed || held.book.polledAtMs === polledAtMs) return held.book;
    const book = { ...held.book, polledAtMs };
    words.set(key, { changed, book });
    return book;
  });
  const { runners_at, stamps: _, ...head } = row;
  return { ...head, startMs: Date.parse(row.start_time), runners: runners!.rows, books };
}

const sameRow = (a: Row, b: Row): boolean =>
  a.stamps === b.stamps && b.runners_at !== '' && a.runners_at === b.runners_at && sameHead(a, b);

function sameHead(a: Row, b: Row): boolean {
  for (const name in b) {
    if (name === 'stamps' || name === 'runners_at') continue;
    if (a[name as keyof Row] !== b[name as keyof Row]) return false;
  }
  return true;
}
