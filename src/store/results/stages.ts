// Moves a result to its next stage (A 3): final, abandoned, reinstated. Each move is idempotent, and a feed can undo
// none.
import type { Pool } from 'pg';
import type { Instant } from '../../domain/race/race';
import { inTransaction } from '../pg/transaction';
import { settledPlacings } from './prices';
import { KEEP_STAMPS, LIVE_ROW, lockRace, readResult } from './sources';

/** Reads the prices once more: a book may have reported or pushed for the first time since the placings came. */
export function finalise(pool: Pool, raceId: string, at: Instant, placingsKey?: string): Promise<void> {
  return inTransaction(pool, async (client) => {
    const race = await lockRace(client, raceId);
    const before = await readResult(client, raceId);
    if (before?.status !== 'interim' || before.placingsKey === '' || before.protest) return;
    if (before.placingsKey !== (placingsKey ?? before.placingsKey)) return;
    const { placings, priceSource } = await settledPlacings(client, race, before.placings, before);
    await client.query(
      `UPDATE race_results SET status = 'final', finalised_at = $2, placings = $3, price_source = $4, updated_at = $2
        WHERE race_id = $1`,
      [raceId, at, JSON.stringify(placings), priceSource],
    );
  });
}

const ABANDON = `
  INSERT INTO race_results AS stored (race_id, status, status_note, placings_key, placings_since, source, market_closed_at, inplay_at,
         market_state_source, field_status, updated_at)
  SELECT $1, 'abandoned', $3, '', $2, $4, r.market_closed_at, r.inplay_at, r.market_state_source, 'not_applicable', $2
    FROM ${LIVE_ROW}
  ON CONFLICT (race_id) DO UPDATE
     SET status = 'abandoned', status_note = EXCLUDED.status_note, source = EXCLUDED.source, protest = false, placings = '[]',
         price_source = NULL, placings_key = '', placings_since = EXCLUDED.placings_since, runners = NULL, dividends = NULL, deductions = '[]',
         overridden = false, resulted_at = NULL, field_status = 'not_applicable', field_source = NULL, field_note = NULL,
         field_expected_at = NULL, field_last_pass_at = NULL, updated_at = EXCLUDED.updated_at, ${KEEP_STAMPS}
   WHERE stored.status = 'interim' OR (stored.status = 'abandoned' AND stored.status_note IS DISTINCT FROM EXCLUDED.status_note)`;

/** Does not change a final result: that race ran. */
export function abandon(pool: Pool, raceId: string, note: string, source: string, at: Instant): Promise<void> {
  return inTransaction(pool, async (client) => {
    await lockRace(client, raceId);
    await client.query(ABANDON, [raceId, at, note, source]);
    await client.query(
      `UPDATE races r SET status = 'abandoned', updated_at = GREATEST(r.updated_at, $2)
        WHERE r.race_id = $1 AND r.status = 'open'
          AND EXISTS (SELECT 1 FROM race_results o WHERE o.race_id = r.race_id AND o.status = 'abandoned')`,
      [raceId, at],
    );
  });
}

/** Deletes the abandonment and puts the race back on the board. Does not change a race that was not abandoned. */
export function reinstate(pool: Pool, raceId: string, at: Instant): Promise<void> {
  return inTransaction(pool, async (client) => {
    const { rowCount } = await client.query(
      `UPDATE races SET status = 'open', jumped_at = NULL, left_board_at = NULL, updated_at = GREATEST(updated_at, $2)
        WHERE race_id = $1 AND status = 'abandoned'`,
      [raceId, at],
    );
    if (rowCount === 0) return;
    await client.query('SELECT reinstate_result($1)', [raceId]);
  });
}
