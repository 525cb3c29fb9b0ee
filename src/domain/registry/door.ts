// Whether we may call a registry's site (D26): nothing in the way, a pause that the site requested, or a wall that
// refuses us.
import type { Instant } from '../race/race';

/** As stored. */
export interface RegistryDoor {
  readonly state: 'ok' | 'paused' | 'walled';
  readonly since: Instant;
  /** The end of a pause, or the next probe of a wall; null if unknown. */
  readonly retryAt: Instant | null;
  /** The site's answer, or an operator's reason for opening the door. */
  readonly note: string | null;
  readonly probedAt: Instant | null;
}

/** What a call met, at an instant of racing time. */
export interface MetAtDoor {
  readonly at: Instant;
  readonly retryAt: Instant | null;
  readonly note: string;
}

/** `retryInMs`: racing time until the next try; null if unknown. */
export type DoorView =
  | { readonly state: 'ok' }
  | { readonly state: 'paused'; readonly retryInMs: number }
  | { readonly state: 'walled'; readonly retryInMs: number | null };

/** The door at an instant: a pause ends by itself, a wall does not. A null door: nothing was ever in the way. */
export function doorAt(door: RegistryDoor | null, nowMs: number): DoorView {
  if (door === null || door.state === 'ok') return { state: 'ok' };
  const inMs = door.retryAt === null ? null : Math.max(0, Date.parse(door.retryAt) - nowMs);
  if (door.state === 'walled') return { state: 'walled', retryInMs: inMs };
  return inMs === null || inMs === 0 ? { state: 'ok' } : { state: 'paused', retryInMs: inMs };
}
