// The single reading of changes that the pages of this process share: the races that `changes` reports. The streams of
// customers read the board itself (`board-feed.ts`).
import { setTimeout as delay } from 'node:timers/promises';
import type { ChangedRace } from '../../../store/reads/races/changes';
import type { Reads } from '../../../store/reads/reads';
import { CUSTOMERS } from '../../kernel/endpoint/visibility';
import { type Sent, sentOf, withoutRepeats } from '../../kernel/stream/repeats';

/** How far back a client may resume; a process that could not read for longer starts over. */
export const OLDEST_MS = 30 * 60_000;
/** How much the `server_time` of `changes` is set back. */
export const SET_BACK_MS = 30_000;

interface Reading {
  readonly settledMs: number;
  readonly races: readonly ChangedRace[];
}

interface FeedFollower {
  read(reading: Reading): void;
  /** No reading follows: the database was away for too long. */
  lost(): void;
}

export interface ChangesFeed {
  /**
   * Resolves, to a function that ends it, when the place in the feed is fixed: the follower gets every later reading.
   */
  follow(follower: FeedFollower): Promise<() => void>;
}

export interface FeedDeps {
  readonly reads: Pick<Reads, 'changes'>;
  /** Race time: of which races changes are read (D63). */
  readonly now: () => number;
  readonly log: { error(fields: object, message: string): void };
  /** Between two readings, wall time. */
  readonly pauseMs?: number;
}

const PAUSE_MS = 250;
/** A slow reading is not repeated at once. */
const REST_SHARE = 2;
/** Later than every instant of the database: only the place is read. */
const ONLY_THE_PLACE = Number.MAX_SAFE_INTEGER;

export function createChangesFeed(deps: FeedDeps): ChangesFeed {
  const { log, pauseMs = PAUSE_MS } = deps;
  const followers = new Set<FeedFollower>();
  /** `settledMs` of the last reading; null while nothing follows. */
  let place: Promise<number> | null = null;

  const end = (): void => {
    place = null;
    for (const follower of followers) follower.lost();
    followers.clear();
  };

  /** Reads on while it is followed. */
  const run = async (first: number): Promise<void> => {
    const next = readingsAfter(first, deps);
    let isAway = false;
    let restMs = pauseMs;
    for (;;) {
      await delay(restMs, undefined, { ref: false });
      if (followers.size === 0) {
        place = null;
        return;
      }
      const beganMs = performance.now();
      try {
        const reading = await next();
        if (reading === null) return end();
        place = Promise.resolve(reading.settledMs);
        for (const follower of followers) follower.read(reading);
        isAway = false;
      } catch (err) {
        if (!isAway) log.error({ err }, 'changes cannot be read: pages wait');
        isAway = true;
      }
      restMs = Math.max(pauseMs, REST_SHARE * (performance.now() - beganMs));
    }
  };

  const started = (): Promise<number> => {
    const starting = changesSince(ONLY_THE_PLACE, deps).then(({ settledMs }) => settledMs);
    starting.then(run, () => {
      place = null;
    });
    return starting;
  };

  return {
    async follow(follower) {
      // Before the place is fixed, so that the next reading is not missed.
      followers.add(follower);
      place ??= started();
      try {
        await place;
        return () => void followers.delete(follower);
      } catch (error) {
        followers.delete(follower);
        throw error;
      }
    },
  };
}

/** Reads the writes since the previous reading. Null: nothing to continue from. */
function readingsAfter(first: number, deps: FeedDeps): () => Promise<Reading | null> {
  let last = first;
  let sent: Sent = new Map();
  return async () => {
    const { settledMs, races } = await changesSince(last, deps);
    if (races === null) return null;
    last = settledMs;
    const reading = { settledMs, races: withoutRepeats(sent, races) };
    sent = sentOf(races);
    return reading;
  };
}

const changesSince = (sinceMs: number, { reads, now }: FeedDeps) =>
  reads.changes({
    at: new Date(now()).toISOString(),
    sinceMs,
    oldestMs: OLDEST_MS,
    aheadMs: 0,
    includeUnresolved: true,
    bookmakers: CUSTOMERS.bookmakers,
  });
