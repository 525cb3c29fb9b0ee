// Stamps every race of a meeting with the instant of its latest logged condition change (A 2.2).
import type { Pool } from 'pg';
import type { Category, Day, Instant } from '../../domain/race/race';

export interface Meeting {
  readonly category: Category;
  readonly meeting_date: Day;
  readonly venue_id: string;
}

/** Never inside a race's transaction. Locks races in the order of `card.ts`. */
export async function stampMeeting(
  pool: Pool,
  { category, meeting_date, venue_id }: Meeting,
  at: Instant,
): Promise<void> {
  await pool.query(
    `WITH locked AS (
       SELECT race_id FROM races
        WHERE meeting_date = $1 AND category = $2 AND venue_id = $3
          AND (track_condition_changed_at IS NULL OR track_condition_changed_at < $4)
        ORDER BY race_id FOR NO KEY UPDATE)
     UPDATE races r SET track_condition_changed_at = $4, updated_at = GREATEST(r.updated_at, $4)
       FROM locked h
      WHERE r.race_id = h.race_id AND (r.track_condition_changed_at IS NULL OR r.track_condition_changed_at < $4)`,
    [meeting_date, category, venue_id, at],
  );
}
