// The days of events, deliveries and attempts: made before they begin, dropped as a whole after their time: 3 days for
// `odds.change`, 30 for all others. What was announced once stays in `event_keys` for ever.
import type { Pool } from 'pg';
import type { Instant } from '../../domain/race/race';

/** Made before they begin: nothing is lost without one, but its rows are deleted one by one. */
const AHEAD_DAYS = 3;
/** Of a call: a worker that was away for long goes on with the next. */
const MOST_PARTS = 50;
/** In one short statement. */
const STRAYS_AT_ONCE = 5_000;
/** Somebody reads or writes at length. */
const LOCKED = '55P03';

/** `wall`: now. Resolves to the names of the parts that it made: none while one cannot be locked at once. */
export const keepDays = (pool: Pool, wall: Instant): Promise<readonly string[]> =>
  parts(pool, 'SELECT keep_event_days($1, $2) AS name', [wall, AHEAD_DAYS]);

/**
 * Resolves to the names of the parts that it dropped. What the queue names, or cannot be locked at once, stays until a
 * later call.
 */
export const dropDays = (pool: Pool, wall: Instant): Promise<readonly string[]> =>
  parts(pool, 'SELECT drop_event_day($1) AS name', [wall]);

/** Some rows that are over their time and in no day. Resolves to their number. */
export async function deleteStrays(pool: Pool, wall: Instant): Promise<number> {
  const { rows } = await pool.query<{ deleted: number }>('SELECT delete_event_strays($1, $2) AS deleted', [
    wall,
    STRAYS_AT_ONCE,
  ]);
  return rows[0]!.deleted;
}

/** A race that returns to the board is announced from nothing. */
const FORGET_PRICES = `
  DELETE FROM announced_prices p USING races r WHERE r.race_id = p.race_id AND r.left_board_at IS NOT NULL`;

export const forgetPrices = async (pool: Pool): Promise<void> => void (await pool.query(FORGET_PRICES));

/** One at a time, each in a transaction of its own. */
async function parts(pool: Pool, text: string, values: readonly unknown[]): Promise<readonly string[]> {
  const names: string[] = [];
  while (names.length < MOST_PARTS) {
    const name = await one(pool, text, values);
    if (name === null) break;
    names.push(name);
  }
  return names;
}

async function one(pool: Pool, text: string, values: readonly unknown[]): Promise<string | null> {
  try {
    return (await pool.query<{ name: string | null }>(text, [...values])).rows[0]!.name;
  } catch (error) {
    if ((error as { readonly code?: string }).code === LOCKED) return null;
    throw error;
  }
}
