// The changes of the live board since an instant (D64), by the marks `board_written_at`. With `readSettled` a client
// that continues from an instant misses no write, however late it commits: the proof is in `changes.ts`.
import type { ClientBase, Pool } from 'pg';
import type { Category, Instant } from '../../../domain/race/race';
import { BOARD_ROWS, type BoardQuery, boardValues, QUOTED } from './board';
import { since } from './changes';
import { jumpOf } from './shown';

/** The outcome of a race that is not on the board. */
export interface BoardEnd {
  readonly race_id: string;
  readonly category: Category;
  readonly country: string | null;
  readonly abandoned: boolean;
  /** By the one definition of a race's state (D63). */
  readonly jumped: boolean;
}

export interface WrittenRace extends BoardEnd {
  /** The race itself or a runner of it was written, not only prices. */
  readonly rewritten: boolean;
  /** Its country was written, or it returned to the board. */
  readonly turned: boolean;
}

export interface WrittenQuery {
  /** The database's clock, epoch milliseconds. */
  readonly sinceMs: number;
  /** Race time. */
  readonly now: Instant;
  readonly bookmakers: readonly string[];
  /** Writes of the parts of betslip links count too. */
  readonly links: boolean;
}

const END = (now: string): string => `r.race_id, r.category, r.country, r.status = 'abandoned' AS abandoned,
      r.jumped_at IS NOT NULL OR ${jumpOf('r')} <= ${now}::timestamptz AS jumped`;

const ENDS = {
  name: 'board-ends',
  text: `SELECT ${END('$2')} FROM races r WHERE r.race_id = ANY ($1::uuid[])`,
};

const linkedSince = (at: string): string => `
    SELECT race_id FROM race_book_cards WHERE ${since('board_written_at', at)}
    UNION SELECT race_id FROM race_books WHERE ${since('linked_written_at', at)}
    UNION SELECT b.race_id FROM betslip_checks k JOIN race_books b USING (bookmaker_key) JOIN races r USING (race_id)
     WHERE k.board_written_at >= ${at} AND r.left_board_at IS NULL`;

// The start alone also takes a race off the board, without a write.
const WRITTEN = {
  name: 'board-written',
  text: `WITH linked AS MATERIALIZED (SELECT race_id FROM (${linkedSince('$1')}) l WHERE $4::boolean)
    SELECT ${END('$2')}, coalesce(r.board_written_at >= $1, false) AS rewritten, coalesce(r.shown_written_at >= $1, false) AS turned
      FROM races r
     WHERE ${since('r.board_written_at')}
        OR (r.left_board_at IS NULL AND (r.start_time <= $2 OR r.race_id IN (SELECT race_id FROM linked)
            OR EXISTS (SELECT FROM race_books b
                        WHERE b.race_id = r.race_id AND b.bookmaker_key = ANY ($3) AND b.board_written_at >= $1)))`,
};

/** The board at an instant, as its races and what was written of them, ages apart. */
export interface BoardSince {
  /** Ids in the order of the board, separated by commas: equal text needs no other look. */
  readonly shown: string;
  /** Those that were written since. */
  readonly written: readonly string[];
  /** Races whose betslip links may have changed since; empty if links are not wanted. */
  readonly linked: readonly string[];
}

export interface BoardSinceQuery extends BoardQuery {
  /** The database's clock. */
  readonly sinceMs: number;
  readonly links: boolean;
}

const SINCE = {
  name: 'board-since',
  text: `WITH ${BOARD_ROWS}
    SELECT coalesce(string_agg(r.race_id::text, ',' ORDER BY r.start_time, r.race_id), '') AS shown,
      coalesce(array_agg(r.race_id) FILTER (WHERE r.board_written_at >= $13
        OR EXISTS (SELECT FROM race_books b WHERE ${QUOTED} AND b.board_written_at >= $13)), '{}') AS written,
      CASE WHEN $14::boolean THEN ARRAY(${linkedSince('$13')}) ELSE '{}' END AS linked
      FROM board r`,
};

const instant = (ms: number): string => new Date(Math.floor(ms)).toISOString();

/** Races that the board shows differently than before, or that have left it. */
export async function readBoardWritten(
  pool: Pool | ClientBase,
  { sinceMs, now, bookmakers, links }: WrittenQuery,
): Promise<readonly WrittenRace[]> {
  const values = [instant(sinceMs), now, bookmakers, links];
  const { rows } = await pool.query<WrittenRace>({ ...WRITTEN, values });
  return rows;
}

export async function readBoardSince(pool: Pool | ClientBase, query: BoardSinceQuery): Promise<BoardSince> {
  const values = [...boardValues(query), instant(query.sinceMs), query.links];
  const { rows } = await pool.query<BoardSince>({ ...SINCE, values });
  return rows[0]!;
}

export async function readBoardEnds(
  pool: Pool | ClientBase,
  raceIds: readonly string[],
  now: Instant,
): Promise<readonly BoardEnd[]> {
  const { rows } = await pool.query<BoardEnd>({ ...ENDS, values: [raceIds, now] });
  return rows;
}
