// The parts of a betslip link by race, book and runner, and whether the book's links open (A 2.4 rule 6). Never stores
// a link: it follows from the book's own ids and its route.
import type { Pool } from 'pg';
import type { BetslipRunner } from '../domain/prices/betslip';
import type { Instant } from '../domain/race/race';
import { shownOn } from './reads/races/shown';

/** A book's own ids of one race and its runners. */
export interface BetslipIds {
  readonly raceId: string;
  readonly bookmakerKey: string;
  readonly sourceRaceId: string;
  /** By saddlecloth number; without runners whose ids the book does not report. */
  readonly runners: ReadonlyMap<number, BetslipRunner['runnerId']>;
}

interface BetslipSample {
  readonly bookmakerKey: string;
  readonly runner: BetslipRunner;
}

interface BetslipCheck {
  readonly bookmakerKey: string;
  readonly at: Instant;
  readonly ok: boolean;
  readonly links: number;
  readonly failed: number;
  readonly message: string | null;
}

export interface BetslipStore {
  /**
   * One priced runner of each of the book's next races, `perBook` races at most, whether or not its last check passed.
   */
  sample(bookmakerKeys: readonly string[], at: Instant, perBook: number): Promise<readonly BetslipSample[]>;
  /** An older check that arrives late changes nothing. */
  recordCheck(check: BetslipCheck): Promise<void>;
}

/** `[number, id in the win market, id in the place market]` of every runner whose ids are on the card `c`. */
const IDS = `(
  SELECT json_agg(json_build_array(u->'number', u->'sourceIds'->>'win', u->'sourceIds'->>'place'))
    FROM jsonb_array_elements(c.card->'runners') u WHERE u ? 'sourceIds')`;

type IdTuple = readonly [number, string | null, string | null];

const idsOf = (tuples: readonly IdTuple[] | null): BetslipIds['runners'] =>
  new Map((tuples ?? []).map(([number, win, place]) => [number, { win, place }]));

const READ = {
  name: 'betslip-ids',
  text: `SELECT b.race_id, b.bookmaker_key, b.source_race_id, ${IDS} AS ids
      FROM race_books b LEFT JOIN race_book_cards c USING (race_id, bookmaker_key)
     WHERE b.race_id = ANY ($1::uuid[]) AND b.bookmaker_key = ANY ($2)
       AND NOT EXISTS (SELECT FROM betslip_checks k WHERE k.bookmaker_key = b.bookmaker_key AND NOT k.ok)`,
};

interface IdsRow {
  readonly race_id: string;
  readonly bookmaker_key: string;
  readonly source_race_id: string;
  readonly ids: readonly IdTuple[] | null;
}

/** The ids of these races at these books, without books whose links do not open. */
export async function readBetslipIds(
  pool: Pool,
  raceIds: readonly string[],
  bookmakerKeys: readonly string[],
): Promise<readonly BetslipIds[]> {
  const { rows } = await pool.query<IdsRow>({ ...READ, values: [raceIds, bookmakerKeys] });
  return rows.map((row) => ({
    raceId: row.race_id,
    bookmakerKey: row.bookmaker_key,
    sourceRaceId: row.source_race_id,
    runners: idsOf(row.ids),
  }));
}

const SAMPLE = `
  SELECT b.bookmaker_key, b.source_race_id, b.source_url, n.number, ${IDS} AS ids
    FROM unnest($1::text[]) AS k (key)
   CROSS JOIN LATERAL (
         SELECT b.* FROM races r JOIN race_books b USING (race_id)
          WHERE b.bookmaker_key = k.key AND r.start_time > $2 AND r.left_board_at IS NULL
            AND ${shownOn('checks', 'r', '$2')} AND EXISTS (SELECT FROM unnest(b.win) price WHERE price IS NOT NULL)
          ORDER BY r.start_time, r.race_id LIMIT $3) b
   CROSS JOIN LATERAL (
         SELECT number FROM unnest(b.numbers, b.win) AS p (number, price) WHERE price IS NOT NULL ORDER BY number LIMIT 1) n
    LEFT JOIN race_book_cards c USING (race_id, bookmaker_key)`;

interface SampleRow {
  readonly bookmaker_key: string;
  readonly source_race_id: string;
  readonly source_url: string | null;
  readonly number: number;
  readonly ids: readonly IdTuple[] | null;
}

const RECORD = `
  INSERT INTO betslip_checks AS stored (bookmaker_key, checked_at, ok, links, failed, message, failing_since)
  VALUES ($1, $2, $3, $4, $5, $6, CASE WHEN $3 THEN NULL ELSE $2::timestamptz END)
  ON CONFLICT (bookmaker_key) DO UPDATE
     SET checked_at = EXCLUDED.checked_at, ok = EXCLUDED.ok, links = EXCLUDED.links, failed = EXCLUDED.failed,
         message = EXCLUDED.message,
         failing_since = CASE WHEN EXCLUDED.ok THEN NULL ELSE COALESCE(stored.failing_since, EXCLUDED.failing_since) END
   WHERE stored.checked_at <= EXCLUDED.checked_at`;

export function createBetslipStore(pool: Pool): BetslipStore {
  return {
    async sample(bookmakerKeys, at, perBook) {
      const { rows } = await pool.query<SampleRow>(SAMPLE, [bookmakerKeys, at, perBook]);
      return rows.map(({ bookmaker_key, source_race_id, source_url, number, ids }) => ({
        bookmakerKey: bookmaker_key,
        runner: {
          sourceUrl: source_url,
          sourceRaceId: source_race_id,
          number,
          runnerId: idsOf(ids).get(number) ?? { win: null, place: null },
        },
      }));
    },
    async recordCheck({ bookmakerKey, at, ok, links, failed, message }) {
      await pool.query(RECORD, [bookmakerKey, at, ok, links, failed, message]);
    },
  };
}
