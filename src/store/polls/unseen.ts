// What the database has about a race and its workflow has not taken in yet: a start that moved, an abandonment ordered
// elsewhere. The control row, which the workflow writes, shows what it has taken in. Every reader of a difference
// signals it, so a lost signal is repeated.
import type { Pool } from 'pg';
import type { Instant } from '../../domain/race/race';

export interface Unseen {
  readonly start: { readonly advertisedStart: Instant; readonly version: number } | null;
  readonly abandonment: Abandonment | null;
}

export interface Abandonment {
  readonly note: string;
  /** `operator`, or the registry. */
  readonly source: string;
  readonly version: number;
}

export interface AbandonmentOrder {
  readonly raceId: string;
  readonly note: string;
  readonly source: string;
  /** The same for every attempt of one order, and for no other order of this race. */
  readonly order: string;
}

export interface UnseenRow {
  readonly newStart: Instant | null;
  readonly newStartVersion: number;
  readonly orderedNote: string | null;
  readonly orderedBy: string;
  readonly orderVersion: number;
}

/**
 * Columns over `race_control c`, `races r` and `race_abandonments a`. A workflow ignores a version that it has, and a
 * race that has jumped keeps its start; a final result can no longer be abandoned.
 */
export const UNSEEN = `
  CASE WHEN NOT c.closed AND r.start_time <> c.advertised_start AND r.start_version > COALESCE(c.start_version, 0)
       THEN r.start_time END AS "newStart", r.start_version AS "newStartVersion",
  CASE WHEN a.version > COALESCE(c.abandonment_version, 0) THEN a.note END AS "orderedNote", a.source AS "orderedBy",
  a.version AS "orderVersion"`;

export function unseenOf(row: UnseenRow): Unseen | null {
  const { newStart, newStartVersion, orderedNote, orderedBy, orderVersion } = row;
  const start = newStart === null ? null : { advertisedStart: newStart, version: newStartVersion };
  const abandonment = orderedNote === null ? null : { note: orderedNote, source: orderedBy, version: orderVersion };
  return start || abandonment ? { start, abandonment } : null;
}

/**
 * Both without a scan of all races: control rows of races that may still be polled, and the few orders of races that
 * are open.
 */
const ALL = `
  SELECT r.race_id AS "raceId", ${UNSEEN}
    FROM race_control c JOIN races r USING (race_id) LEFT JOIN race_abandonments a USING (race_id)
   WHERE NOT c.closed AND r.start_time <> c.advertised_start AND r.start_version > COALESCE(c.start_version, 0)
  UNION
  SELECT r.race_id, ${UNSEEN}
    FROM race_abandonments a JOIN races r USING (race_id) LEFT JOIN race_control c USING (race_id) LEFT JOIN race_results o USING (race_id)
   WHERE a.version > COALESCE(c.abandonment_version, 0) AND r.status = 'open' AND o.status IS DISTINCT FROM 'final'`;

export async function readUnseen(pool: Pool): Promise<ReadonlyMap<string, Unseen>> {
  const { rows } = await pool.query<UnseenRow & { raceId: string }>(ALL);
  return new Map(rows.map((row) => [row.raceId, unseenOf(row)!]));
}

/** From `ordered (race_id, note, source, order_id, at)`, which a caller selects. */
export const ORDER_ABANDONMENT = `
  INSERT INTO race_abandonments AS stored (race_id, version, note, source, orders, ordered_at)
  SELECT race_id, 1, note, source, ARRAY[order_id], at FROM ordered
  ON CONFLICT (race_id) DO UPDATE
     SET version = stored.version + 1, note = EXCLUDED.note, source = EXCLUDED.source,
         orders = stored.orders || EXCLUDED.orders, ordered_at = EXCLUDED.ordered_at
   WHERE NOT stored.orders @> EXCLUDED.orders
  RETURNING version`;

/** The version of the order: for a repeated one that of the last order. */
export async function orderAbandonment(pool: Pool, order: AbandonmentOrder, at: Instant): Promise<number> {
  const { raceId, note, source, order: id } = order;
  const ordered = `WITH ordered AS (SELECT $1::uuid AS race_id, $2 AS note, $3 AS source, $4 AS order_id, $5::timestamptz AS at)`;
  return versionOf(pool, raceId, `${ordered} ${ORDER_ABANDONMENT}`, [raceId, note, source, id, at]);
}

/** Runs a statement that ends with `ORDER_ABANDONMENT`. */
export async function versionOf(
  pool: Pool,
  raceId: string,
  order: string,
  values: readonly unknown[],
): Promise<number> {
  const ordered = await pool.query<{ version: number }>(order, [...values]);
  if (ordered.rows[0]) return ordered.rows[0].version;
  const stored = 'SELECT version FROM race_abandonments WHERE race_id = $1';
  return (await pool.query<{ version: number }>(stored, [raceId])).rows[0]!.version;
}
