// The only door to a registry's site (D49): every page of every process passes through it, one at a time and at the
// registry's pace, and none goes out during a pause or behind a wall.
import type { CallEnd, FeedCall, FeedReply } from '../feed';

/**
 * Why a page is read, in the order in which waiting pages are served. A probe is the only page that goes out behind a
 * wall.
 */
export const DOOR_PURPOSES = ['probe', 'collection', 'form', 'tables', 'backfill', 'history'] as const;
export type DoorPurpose = (typeof DOOR_PURPOSES)[number];

export type DoorEntry =
  /** The caller must report once how its call ended; the next page waits for it. */
  | { readonly kind: 'go'; left(end: CallEnd): Promise<void> }
  /** Nothing may be sent. `busy`: other pages used all the time that the caller had. */
  | {
      readonly kind: 'refused';
      readonly reason: 'paused' | 'walled' | 'busy' | 'called_off';
      /** Wall. */
      readonly retryAfterMs: number;
    };

/** By registry: reads one page, even behind a wall. */
export type Probes = ReadonlyMap<string, (call?: FeedCall) => Promise<FeedReply<unknown>>>;

export interface Door {
  /** Waits for its turn. Never rejects. */
  enter(purpose: DoorPurpose, signal?: AbortSignal): Promise<DoorEntry>;
}
