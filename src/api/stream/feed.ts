// The one reading of changes that all streams of this process share (D61). It reads what customers may see. A follower that has
// joined after a reading gets every write that this reading did not see: the proof is in `store/reads/races/changes.ts`, which holds without the 30
// seconds by which `server_time` is set back.
import { setTimeout as delay } from 'node:timers/promises';
import { type RaceClock, toRaceMs, toWallMs } from '../../domain/time/clock';
import type { ChangedRace } from '../../store/reads/races/changes';
import type { Reads } from '../../store/reads/reads';
import { CUSTOMERS } from '../access/visibility';
import type { BetslipLookup } from '../present/prices/betslip';
import type { BetslipBoard } from '../services/betslip-links';
import { type Sent, sentOf, withoutRepeats } from './repeats';

/** How far back a client may go on. */
export const OLDEST_MS = 30 * 60_000;
/** How much `server_time` is set back. */
export const SET_BACK_MS = 30_000;

export interface Reading {
  /** As `changes` reports it: a client that goes on from here misses nothing. */
  readonly serverTime: string;
  readonly races: readonly ChangedRace[];
  readonly links: BetslipLookup;
}

export interface FeedFollower {
  /** If it throws, it is lost. */
  read(reading: Reading): void;
  /** No reading follows: the database was away for too long, or the last one was not taken. */
  lost(): void;
}

interface Following {
  /** The follower gets every reading after this one. */
  readonly place: Reading;
  leave(): void;
}

export interface ChangesFeed {
  readonly clock: RaceClock;
  /** Resolves when the place in the feed is fixed. */
  follow(follower: FeedFollower): Promise<Following>;
  /** What was written since `sinceMs`, race time, up to now. */
  since(sinceMs: number): Promise<Reading | 'too_old' | 'in_the_future'>;
  /** Whose prices it reads. */
  readonly bookmakers: readonly string[];
  /** Never from a cache: what it shows is not older than the call. */
  readonly board: Reads['board'];
  readonly linksOf: BetslipBoard['linksOf'];
}

export interface FeedDeps {
  readonly reads: Pick<Reads, 'changes' | 'board'>;
  readonly betslip: BetslipBoard;
  readonly clock: RaceClock;
  readonly log: { error(fields: object, message: string): void };
  /** Between two readings, wall time. */
  readonly pauseMs?: number;
}

const PAUSE_MS = 250;
/** A reading that takes long is not repeated at once. */
const REST_SHARE = 2;
/** Later than every instant of the database: nothing is read but the place. */
const ONLY_THE_PLACE = Number.MAX_SAFE_INTEGER;

interface Read extends Reading {
  readonly settledMs: number;
}

export function createChangesFeed({ reads, betslip, clock, log, pauseMs = PAUSE_MS }: FeedDeps): ChangesFeed {
  const followers = new Set<FeedFollower>();
  /** Of the last reading; null while nothing follows. */
  let place: Promise<Read> | null = null;

  const linksOf: BetslipBoard['linksOf'] = betslip.linksOf;

  const changes = (sinceMs: number) =>
    reads.changes({
      sinceMs,
      oldestMs: OLDEST_MS / clock.speed,
      aheadMs: 0,
      includeUnresolved: true,
      bookmakers: CUSTOMERS.bookmakers,
    });

  const readingOf = async (settledMs: number, races: readonly ChangedRace[]): Promise<Read> => ({
    settledMs,
    serverTime: new Date(toRaceMs(clock, settledMs) - SET_BACK_MS).toISOString(),
    races,
    links: await linksOf(races.map(({ race_id, quotes }) => ({ race_id, books: quotes }))),
  });

  const end = (): void => {
    place = null;
    for (const follower of followers) follower.lost();
    followers.clear();
  };

  const pass = (reading: Read): void => {
    for (const follower of followers) {
      try {
        follower.read(reading);
      } catch (err) {
        log.error({ err }, 'a stream cannot send changes: it ends');
        followers.delete(follower);
        follower.lost();
      }
    }
  };

  /** Reads on while it is followed. */
  const run = async (first: Read): Promise<void> => {
    let last = first;
    let sent: Sent = new Map();
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
        const { settledMs, races } = await changes(last.settledMs);
        if (races === null) return end();
        last = await readingOf(settledMs, withoutRepeats(sent, races));
        sent = sentOf(races);
        place = Promise.resolve(last);
        pass(last);
        isAway = false;
      } catch (err) {
        if (!isAway) log.error({ err }, 'changes cannot be read: streams wait');
        isAway = true;
      }
      restMs = Math.max(pauseMs, REST_SHARE * (performance.now() - beganMs));
    }
  };

  const begin = async (): Promise<Read> => {
    const { settledMs } = await changes(ONLY_THE_PLACE);
    return readingOf(settledMs, []);
  };

  const started = (): Promise<Read> => {
    const starting = begin();
    starting.then(run, () => {
      place = null;
    });
    return starting;
  };

  return {
    clock,
    linksOf,
    board: (query) => reads.board(query),
    bookmakers: CUSTOMERS.bookmakers,
    async since(sinceMs) {
      const wallMs = toWallMs(clock, sinceMs);
      const { nowMs, settledMs, races } = await changes(wallMs);
      if (races === null) return wallMs > nowMs ? 'in_the_future' : 'too_old';
      return readingOf(settledMs, races);
    },
    async follow(follower) {
      // Before the place is fixed, so that the reading after it is not missed.
      followers.add(follower);
      place ??= started();
      try {
        return { place: await place, leave: () => void followers.delete(follower) };
      } catch (error) {
        followers.delete(follower);
        throw error;
      }
    },
  };
}
