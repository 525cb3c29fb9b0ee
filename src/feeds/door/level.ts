// Whether a page may go to a registry's site, as every process stores and reads it: only if there is neither a pause
// nor a wall. A level that could not be stored is stored before the next page.
import { doorAt, type MetAtDoor, type RegistryDoor } from '../../domain/registry/door';
import type { CallEnd } from '../feed';
import type { DoorEntry, DoorPurpose } from './door';

type Refused = Extract<DoorEntry, { readonly kind: 'refused' }>;

/** Rejects if the store is unreachable. */
export interface StoredLevels {
  read(registry: string): Promise<RegistryDoor | null>;
  wall(registry: string, met: MetAtDoor, probed: boolean): Promise<void>;
  pause(registry: string, met: MetAtDoor): Promise<void>;
  open(registry: string, at: string, requestedAt: string, note: string | null): Promise<boolean>;
}

export interface LevelOptions {
  readonly registry: string;
  readonly levels: StoredLevels;
  /** Race time. */
  readonly now: () => number;
  /** Race time in wall time. */
  readonly toWall: (raceMs: number) => number;
  /** A call has met a wall: its gate must run. */
  readonly onWalled: () => void;
}

export interface Level {
  /** Null: a page may go out now. `within`: how old the level may be, in wall time. Never rejects. */
  refusal(purpose: DoorPurpose, within: number): Promise<Refused | null>;
  /** Never rejects. */
  note(end: CallEnd, purpose: DoorPurpose, requestedAtMs: number): Promise<void>;
}

/** Race time. The pause after a 429 that names no time, and before a wall is first probed. */
const LIMITED_FOR_MS = 60_000;
/** The longest pause, so that a site's mistake cannot stop its pages for longer. */
const LONGEST_PAUSE_MS = 24 * 3600_000;
/** Wall. The wait while the database is unavailable: a page could not be stored anyway. */
const UNKNOWN_FOR_MS = 5000;
/** Wall. The wait behind a wall whose next probe is unknown or due. */
const WALLED_FOR_MS = 60_000;

export function createLevel({ registry, levels, now, toWall, onWalled }: LevelOptions): Level {
  let door: RegistryDoor | null = null;
  let readAtMs = Number.NEGATIVE_INFINITY;
  let unwritten: (() => Promise<unknown>) | null = null;

  const write = async (change: () => Promise<unknown>): Promise<void> => {
    unwritten = change;
    readAtMs = Number.NEGATIVE_INFINITY;
    await change();
    if (unwritten === change) unwritten = null;
  };
  const current = async (within: number): Promise<RegistryDoor | null> => {
    if (unwritten) await write(unwritten);
    if (performance.now() - readAtMs > within) {
      const readAt = performance.now();
      door = await levels.read(registry);
      readAtMs = readAt;
    }
    return door;
  };
  const changeOf = (end: CallEnd, purpose: DoorPurpose, requestedAtMs: number): (() => Promise<unknown>) | null => {
    const { failure, retryAfterMs, detail } = end;
    const [at, requestedAt] = [now(), requestedAtMs].map((ms) => new Date(ms).toISOString()) as [string, string];
    const forMs = Math.min(retryAfterMs ?? LIMITED_FOR_MS, LONGEST_PAUSE_MS);
    const met = { at, retryAt: new Date(now() + forMs).toISOString(), note: detail ?? String(failure) };
    // The gate of a probe stores what the probe met, with the time of the next one.
    if (failure === 'blocked') return purpose === 'probe' ? null : () => levels.wall(registry, met, false);
    if (failure === 'rate_limited' || retryAfterMs !== null) return () => levels.pause(registry, met);
    if (failure !== null || door === null || door.state === 'ok') return null;
    return () => levels.open(registry, at, requestedAt, null);
  };
  return {
    async refusal(purpose, within) {
      try {
        const view = doorAt(await current(within), now());
        if (view.state === 'ok' || purpose === 'probe') return null;
        const inMs = view.retryInMs === null ? 0 : toWall(view.retryInMs);
        const retryAfterMs = view.state === 'walled' && inMs === 0 ? WALLED_FOR_MS : inMs;
        return { kind: 'refused', reason: view.state, retryAfterMs };
      } catch {
        return { kind: 'refused', reason: 'paused', retryAfterMs: UNKNOWN_FOR_MS };
      }
    },
    async note(end, purpose, requestedAtMs) {
      const change = end.calledOff ? null : changeOf(end, purpose, requestedAtMs);
      if (change) await write(change).catch(() => undefined);
      if (end.failure === 'blocked' && purpose !== 'probe') onWalled();
    },
  };
}
