// Packs the price paths of races whose prices are fixed, a row for each runner instead of one for each capture, and
// drops what is empty then. The database compares what it packed with the rows before it deletes them; nothing here can
// delete a row that is not packed.
import type { Pool } from 'pg';
import type { Instant } from '../../../domain/race/race';

export interface RaceToPack {
  readonly raceId: string;
  readonly startTime: Instant;
}

export interface PackingStore {
  /** Races that started before this, without ticks, whose paths are not packed: by start, after one of them. */
  toPack(before: Instant, after: RaceToPack | null, most: number): Promise<readonly RaceToPack[]>;
  /**
   * `same`: nothing to do. `differs`: what would be unpacked are other rows, and all is left as it was.
   */
  pack(raceId: string, at: Instant): Promise<'packed' | 'same' | 'differs'>;
}

const TO_PACK = {
  name: 'paths-to-pack',
  text: `
  SELECT race_id AS "raceId", start_time AS "startTime" FROM archived_races
   WHERE ticks_dropped_at IS NOT NULL AND paths_packed_at IS NULL
     AND start_time < $1 AND ($2::timestamptz IS NULL OR (start_time, race_id) > ($2, $3::uuid))
   ORDER BY start_time, race_id LIMIT $4`,
};

const PACK = { name: 'pack-paths', text: 'SELECT pack_price_paths($1, $2) AS packed' };

export const packing = (pool: Pool): PackingStore => ({
  async toPack(before, after, most) {
    const values = [before, after?.startTime ?? null, after?.raceId ?? null, most];
    return (await pool.query<RaceToPack>({ ...TO_PACK, values })).rows;
  },
  async pack(raceId, at) {
    const { rows } = await pool.query<{ packed: number | null }>({ ...PACK, values: [raceId, at] });
    const { packed } = rows[0]!;
    if (packed === null) return 'same';
    return packed < 0 ? 'differs' : 'packed';
  },
});
