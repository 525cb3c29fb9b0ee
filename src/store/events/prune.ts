// Deletes events after their time: 3 days for `odds.change`, 30 for all others. What was announced once stays in `event_keys` for ever.
import type { Pool } from 'pg';
import type { Instant } from '../../domain/race/race';

const ODDS_CHANGE_DAYS = 3;
const OTHER_DAYS = 30;
/** In one short statement. */
const AT_ONCE = 5_000;

/** An event that is still to be posted keeps its body. */
const IS_ENDED = `NOT EXISTS (SELECT FROM webhook_queue q WHERE q.event_id = e.event_id)`;

// `IS FALSE`: a NOT would not use the index by kind.
const PRUNE = `
  DELETE FROM events WHERE event_id IN (
    SELECT old.event_id FROM (
      (SELECT event_id FROM events e
        WHERE (kind = 'odds.change') AND written_at < $1::timestamptz - $2 * interval '1 day' AND ${IS_ENDED} ORDER BY written_at LIMIT $4)
      UNION ALL
      (SELECT event_id FROM events e
        WHERE (kind = 'odds.change') IS FALSE AND written_at < $1::timestamptz - $3 * interval '1 day' AND ${IS_ENDED} ORDER BY written_at LIMIT $4)
    ) old LIMIT $4)`;

/** A race that returns to the board is announced from nothing. */
const FORGET_PRICES = `
  DELETE FROM announced_prices p USING races r WHERE r.race_id = p.race_id AND r.left_board_at IS NOT NULL`;

/** `wall`: now. Resolves to the number of events deleted. */
export async function pruneEvents(pool: Pool, wall: Instant): Promise<number> {
  await pool.query(FORGET_PRICES);
  let pruned = 0;
  for (;;) {
    const { rowCount } = await pool.query(PRUNE, [wall, ODDS_CHANGE_DAYS, OTHER_DAYS, AT_ONCE]);
    pruned += rowCount ?? 0;
    if ((rowCount ?? 0) < AT_ONCE) return pruned;
  }
}
