// Requests that only this process counted, in sliding windows, like `store/redis/window.ts` for all processes.
import { LRUCache } from 'lru-cache';

const MOST_COUNTS = 50_000;
/** Of all counts together: about 10 MB. */
const MOST_INSTANTS = 1_000_000;

export interface OwnWindows {
  /**
   * Admits and counts a request if fewer than `most` were counted in the window. Resolves to 0, or to the milliseconds
   * to wait.
   */
  take(key: string, most: number, windowMs: number): number;
  /** Counts a request that was admitted elsewhere, whatever the number. */
  note(key: string, windowMs: number): void;
  /** Takes the newest back. */
  giveBack(key: string): void;
  /** Requests counted in the window. */
  used(key: string, windowMs: number): number;
}

/** `wallMs`: any clock. */
export function createOwnWindows(wallMs: () => number): OwnWindows {
  const windows = new LRUCache<string, { readonly atMs: number[] }>({
    max: MOST_COUNTS,
    maxSize: MOST_INSTANTS,
    sizeCalculation: ({ atMs }) => atMs.length + 1,
  });
  /**
   * Instants of the window, oldest first, and now: instants never go back, and after the clock was set back by a window
   * the list starts again.
   */
  const look = (key: string, windowMs: number) => {
    const stored = windows.get(key)?.atMs ?? [];
    const newestMs = stored.at(-1) ?? -Infinity;
    const clockMs = wallMs();
    const atMs = newestMs > clockMs + windowMs ? [] : stored;
    const nowMs = atMs.length > 0 ? Math.max(clockMs, newestMs) : clockMs;
    let gone = 0;
    while (gone < atMs.length && atMs[gone]! <= nowMs - windowMs) gone++;
    atMs.splice(0, gone);
    return { atMs, nowMs };
  };
  const add = (key: string, { atMs, nowMs }: ReturnType<typeof look>): void => {
    atMs.push(nowMs);
    // A new object, so that its size is read again.
    windows.set(key, { atMs });
  };
  return {
    take(key, most, windowMs) {
      const window = look(key, windowMs);
      if (window.atMs.length >= most) {
        const leaves = window.atMs[window.atMs.length - most];
        return Math.max(1, Math.ceil((leaves ?? window.nowMs) + windowMs - window.nowMs));
      }
      add(key, window);
      return 0;
    },
    note: (key, windowMs) => add(key, look(key, windowMs)),
    giveBack(key) {
      windows.get(key)?.atMs.pop();
    },
    used: (key, windowMs) => look(key, windowMs).atMs.length,
  };
}
