// The obstacle between us and each registry's site (D49), as every process respects it. Only a page requested after a
// wall or a pause was met lifts it.
import type { Pool } from 'pg';
import type { Instant } from '../../domain/race/race';
import type { MetAtDoor, RegistryDoor } from '../../domain/registry/door';

export interface DoorStore {
  /** Null: there never was an obstacle. */
  read(registry: string): Promise<RegistryDoor | null>;
  /** The registries that refuse us. */
  walled(): Promise<readonly string[]>;
  /** `probed`: by a probe of the wall. A standing wall keeps the instant at which it was first met. */
  wall(registry: string, met: MetAtDoor, probed: boolean): Promise<void>;
  /** Never lifts a wall, never shortens a pause. */
  pause(registry: string, met: MetAtDoor): Promise<void>;
  /** False if there was no obstacle, or if it was met after `requestedAt`. */
  open(registry: string, at: Instant, requestedAt: Instant, note: string | null): Promise<boolean>;
}

export function createDoorStore(pool: Pool): DoorStore {
  return {
    read: (registry) => readDoor(pool, registry),
    async walled() {
      const { rows } = await pool.query<{ registry: string }>(
        `SELECT registry FROM registry_doors WHERE state = 'walled' ORDER BY registry`,
      );
      return rows.map(({ registry }) => registry);
    },
    async wall(registry, { at, retryAt, note }, probed) {
      await pool.query(WALL, [registry, at, retryAt, note, probed]);
    },
    async pause(registry, { at, retryAt, note }) {
      await pool.query(PAUSE, [registry, at, retryAt, note]);
    },
    async open(registry, at, requestedAt, note) {
      const { rowCount } = await pool.query(OPEN, [registry, at, requestedAt, note]);
      return rowCount === 1;
    },
  };
}

const READ = `
  SELECT state, since, retry_at AS "retryAt", note, probed_at AS "probedAt" FROM registry_doors WHERE registry = $1`;

export async function readDoor(pool: Pool, registry: string): Promise<RegistryDoor | null> {
  const { rows } = await pool.query<RegistryDoor>({ name: 'registry_door', text: READ, values: [registry] });
  return rows[0] ?? null;
}

const WALL = `
  INSERT INTO registry_doors AS d (registry, state, since, retry_at, note, probed_at)
  VALUES ($1, 'walled', $2, $3, $4, CASE WHEN $5 THEN $2::timestamptz END)
      ON CONFLICT (registry) DO UPDATE
     SET state = 'walled', since = CASE WHEN d.state = 'walled' THEN d.since ELSE EXCLUDED.since END,
         retry_at = EXCLUDED.retry_at, note = EXCLUDED.note, probed_at = COALESCE(EXCLUDED.probed_at, d.probed_at)`;

const PAUSE = `
  INSERT INTO registry_doors AS d (registry, state, since, retry_at, note)
  VALUES ($1, 'paused', $2, $3, $4)
      ON CONFLICT (registry) DO UPDATE
     SET state = 'paused', since = CASE WHEN d.state = 'paused' THEN d.since ELSE EXCLUDED.since END,
         retry_at = EXCLUDED.retry_at, note = EXCLUDED.note
   WHERE d.state = 'ok' OR (d.state = 'paused' AND (d.retry_at IS NULL OR d.retry_at < EXCLUDED.retry_at))`;

const OPEN = `
  UPDATE registry_doors
     SET state = 'ok', since = $2, retry_at = NULL, note = $4,
         probed_at = CASE WHEN state = 'walled' THEN $2 ELSE probed_at END
   WHERE registry = $1 AND state <> 'ok' AND since <= $3`;
