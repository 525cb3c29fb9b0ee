// The closes of runners whose races' ticks are gone, from the archive: those that `closing-prices.ts` finds while the
// ticks exist.
import type { Pool } from 'pg';
import { CLOSING_SECONDS } from '../../../domain/clv/closing-line';
import type { BookClose } from '../../../domain/clv/runner-closes';
import type { ClosingQuery } from '../prices/closing-prices';

export interface ArchivedClose extends BookClose {
  readonly raceId: string;
  readonly number: number;
}

/** `price` and `secs` of the lines `l`. A runner may appear under two names: each book has one of them. */
const closes = (table: string, price: string, secs: string): string => `
  SELECT u.race_id AS "raceId", u.number, l.bookmaker_key AS bookmaker, l.${price} AS "closePrice", l.${secs} AS "closeSecsToJump",
         l.${secs} <= ${CLOSING_SECONDS} AS "isClosingLine"
    FROM unnest($1::uuid[], $2::smallint[]) AS q (race_id, number)
    JOIN archived_races r USING (race_id)
    JOIN archived_runners u ON u.race_id = q.race_id AND u.number = q.number
    CROSS JOIN LATERAL (SELECT * FROM ${table} l WHERE l.start_time = r.start_time AND l.race_id = r.race_id AND l.runner = u.runner OFFSET 0) l
   WHERE r.ticks_dropped_at IS NOT NULL AND l.bookmaker_key = ANY ($3) AND l.${price} IS NOT NULL`;

const ofBoth = (price: string, secs: string): string =>
  ['archived_closing_lines', 'withheld_closing_lines'].map((table) => closes(table, price, secs)).join('\n  UNION ALL');

const STATEMENTS = {
  win: { name: 'archived-closes', text: ofBoth('close_win_price', 'close_secs_to_jump') },
  place: { name: 'archived-closes-place', text: ofBoth('clv_place_price', 'clv_place_secs_to_jump') },
};

/** Unordered; withheld books only if they are named. */
export async function readArchivedCloses(
  pool: Pool,
  { runners, bookmakers, market = 'win' }: Omit<ClosingQuery, 'from'>,
): Promise<readonly ArchivedClose[]> {
  const values = [runners.map(({ raceId }) => raceId), runners.map(({ number }) => number), bookmakers];
  return (await pool.query<ArchivedClose>({ ...STATEMENTS[market], values })).rows;
}
