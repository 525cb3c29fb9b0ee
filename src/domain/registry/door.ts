// What stands between us and a registry's site (D26): nothing, a pause that the site requested, or a wall that refuses
// us.
import type { Instant } from '../race/race';

/** As stored. */
export interface RegistryDoor {
  readonly state: 'ok' | 'paused' | 'walled';
  readonly since: Instant;
  /** Of a pause its end, of a wall the next probe; null: not known. */
  readonly retryAt: Instant | null;
  /** What the site answered, or why an operator opened the door. */
  readonly note: string | null;
  readonly probedAt: Instant | null;
}

/** What a call met, at an instant of race time. */
export interface MetAtDoor {
  readonly at: Instant;
  readonly retryAt: Instant | null;
  readonly note: string;
}

/** `retryInMs`: race time until it may open; null: not known. */
export type DoorView =
  | { readonly state: 'ok' }
  | { readonly state: 'paused'; readonly retryInMs: number }
  | { readonly state: 'walled'; readonly retryInMs: number | null };

/** The door at an instant: a pause ends by itself, a wall does not. Null: nothing was ever in the way. */
export function doorAt(door: RegistryDoor | null, nowMs: number): DoorView {
  if (door === null || door.state === 'ok') return { state: 'ok' };
  const inMs = door.retryAt === null ? null : Math.max(0, Date.parse(door.retryAt) - nowMs);
  if (door.state === 'walled') return { state: 'walled', retryInMs: inMs };
  return inMs === null || inMs === 0 ? { state: 'ok' } : { state: 'paused', retryInMs: inMs };
}
