// The days of events, deliveries and attempts: created before they begin, dropped as a whole after their time: 3 days
// for `odds.change`, 30 for all others. What was announced once stays in `event_keys` forever.
import type { Pool } from 'pg';
import type { Instant } from '../../domain/race/race';

/** Created before they begin: nothing is lost without one, but its rows are deleted one by one. */
const AHEAD_DAYS = 3;
/** Per call: a worker that was away for long continues in the next call. */
const MOST_PARTS = 50;
/** In one short statement. */
const STRAYS_AT_ONCE = 5_000;
/** Somebody is reading or writing for long. */
const LOCKED = '55P03';

/** `wall`: now. Resolves to the names of the created parts: none while one cannot be locked at once. */
export const keepDays = (pool: Pool, wall: Instant): Promise<readonly string[]> =>
  parts(pool, 'SELECT keep_event_days($1, $2) AS name', [wall, AHEAD_DAYS]);

/**
 * Resolves to the names of the dropped parts. Parts that the queue names, or that cannot be locked at once, stay until
 * a later call.
 */
export const dropDays = (pool: Pool, wall: Instant): Promise<readonly string[]> =>
  parts(pool, 'SELECT drop_event_day($1) AS name', [wall]);

/** Some expired rows outside any day. Resolves to their number. */
export async function deleteStrays(pool: Pool, wall: Instant): Promise<number> {
  const { rows } = await pool.query<{ deleted: number }>('SELECT delete_event_strays($1, $2) AS deleted', [
    wall,
    STRAYS_AT_ONCE,
  ]);
  return rows[0]!.deleted;
}

/** A race that returns to the board is announced from scratch. */
const FORGET_PRICES = `
  DELETE FROM announced_prices p USING races r WHERE r.race_id = p.race_id AND r.left_board_at IS NOT NULL`;

export const forgetPrices = async (pool: Pool): Promise<void> => void (await pool.query(FORGET_PRICES));

/** One at a time, each in its own transaction. */
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
