// Packs the price paths and closing lines of races whose prices are fixed, withheld ones too: a row for each runner, or
// race, instead of one for each capture. Drops what is empty then. The database compares what it packed with the rows
// before it deletes them; nothing here can delete a row that is not packed.
import type { Pool } from 'pg';
import type { Instant } from '../../../domain/race/race';
import { unlessBusy, withPatience } from './patience';

interface RaceToPack {
  readonly raceId: string;
  readonly startTime: Instant;
}

export interface PackingStore {
  /**
   * Races that started before this, without ticks, of which something is not packed, and which were not tried since: by
   * start, after one of them. None while processes of the release before may run (`rights-after-rollout.sql`).
   */
  toPack(before: Instant, since: Instant, after: RaceToPack | null, most: number): Promise<readonly RaceToPack[]>;
  /**
   * `same`: it had no rows to pack, or they may still change. `differs`: of some rows others would be unpacked, or some
   * are packed: those stay. What else it has is packed.
   */
  pack(raceId: string, at: Instant): Promise<'packed' | 'same' | 'differs'>;
  /** Drops the parts of the rows that ended before this and are empty; `busy`: none went, the first was in use. */
  dropPacked(before: Instant): Promise<number | 'busy'>;
}

const TO_PACK = {
  name: 'paths-to-pack',
  text: `
  SELECT race_id AS "raceId", start_time AS "startTime" FROM archived_races r
   WHERE (paths_packed_at IS NULL OR withheld_packed_at IS NULL OR lines_packed_at IS NULL)
     AND (SELECT has_function_privilege('pack_price_paths(uuid, timestamptz)', 'EXECUTE'))
     AND (ticks_dropped_at IS NOT NULL OR NOT EXISTS (SELECT FROM price_ticks t WHERE t.race_id = r.race_id))
     AND start_time < $1 AND (packing_tried_at IS NULL OR packing_tried_at < $2)
     AND ($3::timestamptz IS NULL OR (start_time, race_id) > ($3, $4::uuid))
   ORDER BY start_time, race_id LIMIT $5`,
};

const PACK = 'SELECT pack_price_paths($1, $2) AS packed';
const DROP = 'SELECT drop_packed_rows($1) AS dropped';

export const packing = (pool: Pool): PackingStore => ({
  async toPack(before, since, after, most) {
    const values = [before, since, after?.startTime ?? null, after?.raceId ?? null, most];
    return (await pool.query<RaceToPack>({ ...TO_PACK, values })).rows;
  },
  async pack(raceId, at) {
    const [row] = await withPatience<{ packed: number | null }>(pool, PACK, [raceId, at]);
    const packed = row!.packed ?? 0;
    if (packed === 0) return 'same';
    return packed < 0 ? 'differs' : 'packed';
  },
  async dropPacked(before) {
    for (let dropped = 0; ; dropped++) {
      const rows = await unlessBusy(withPatience<{ dropped: number }>(pool, DROP, [before]));
      if (rows === 'busy') return dropped || 'busy';
      if (rows[0]!.dropped === 0) return dropped;
    }
  },
});
