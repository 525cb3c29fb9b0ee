// Caches look-ups of keys, by their hash: callers, and unknown keys. Bounded, and nothing outlives an announced change
// of the key (`src/store/keys/key-changes.ts`). An unknown key is cached only while changes are announced.
import { createBoundedMap } from '../../../cache';
import type { KeyChanges } from '../../../store/keys/key-changes';

/** A caller as of the last look-up. */
interface CachedKey<T> {
  readonly caller: T;
  /** Not wall time. */
  readonly atMs: number;
  readonly epoch: number;
}

/** `T`: a caller. */
export interface KeyCache<T> {
  /** However long ago it was looked up. */
  get(id: string): CachedKey<T> | undefined;
  /**
   * For how many milliseconds it is fresh, unless `changes` rises; 0 or less: it is not. It was looked up less than
   * 30 s ago, and since changes are announced; while they are not, less than 5 s ago (D36).
   */
  freshForMs(key: CachedKey<T>): number;
  /** How often a key may have stopped to be fresh before its time. */
  changes(): number;
  isUnknown(id: string): boolean;
  /** As if the key had been announced as changed. */
  forget(id: string): void;
  /** Runs the query once for all callers that wait for it, and caches its result unless the key changes meanwhile. */
  lookUp(id: string, query: () => Promise<T | null>): Promise<T | null>;
}

const FRESH_MS = 30_000;
const UNANNOUNCED_MS = 5000;
const UNKNOWN_MS = 60_000;
const MOST_KEYS = 10_000;

/** `elapsedMs`: monotonic, because a wall clock that is set back would make every age shorter. */
export function createKeyCache<T>(changes: KeyChanges, elapsedMs: () => number): KeyCache<T> {
  const callers = createBoundedMap<CachedKey<T>>(MOST_KEYS);
  const unknown = createBoundedMap<{ readonly atMs: number }>(MOST_KEYS);
  const lookUps = new Map<string, Promise<T | null>>();
  let following = false;
  /** Counts the occasions on which changes may have been missed. */
  let epoch = 0;
  let changed = 0;
  changes.watch({
    following() {
      following = true;
      epoch++;
      changed++;
      unknown.clear();
      lookUps.clear();
    },
    lost() {
      following = false;
      changed++;
      unknown.clear();
    },
    changed: (id) => forget(id),
  });

  function forget(id: string): void {
    changed++;
    callers.delete(id);
    unknown.delete(id);
    lookUps.delete(id);
  }

  const store = (id: string, caller: T | null): void => {
    if (caller) callers.set(id, { caller, atMs: elapsedMs(), epoch });
    else callers.delete(id);
    if (!caller && following) unknown.set(id, { atMs: elapsedMs() });
  };

  return {
    get: (id) => callers.get(id),
    freshForMs: (key) => (key.epoch === epoch ? key.atMs + (following ? FRESH_MS : UNANNOUNCED_MS) - elapsedMs() : 0),
    changes: () => changed,
    forget,
    isUnknown: (id) => elapsedMs() - (unknown.get(id)?.atMs ?? -Infinity) < UNKNOWN_MS,
    lookUp(id, query) {
      const running = lookUps.get(id);
      if (running) return running;
      const lookUp = query()
        .then((caller) => {
          if (lookUps.get(id) === lookUp) store(id, caller);
          return caller;
        })
        .finally(() => {
          if (lookUps.get(id) === lookUp) lookUps.delete(id);
        });
      lookUps.set(id, lookUp);
      return lookUp;
    },
  };
}
