// Decides which page is next at one registry, across all processes: the most urgent purpose first, then the longest
// wait. While Redis is unavailable, each process keeps to its own share of the pace and does not know the others'
// pages.
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { BudgetSource } from '../gate/budget';

/**
 * The turns at every registry, shared by all processes. Every method rejects immediately while Redis is unreachable.
 */
interface SharedTurns {
  /**
   * `rank`: the lowest goes first. `token`: identifies the waiting process. Granted for at most `leaseMs`. `waitMs`:
   * how long nothing can be granted; 0 if unknown.
   */
  take(
    registry: string,
    token: string,
    rank: number,
    leaseMs: number,
  ): Promise<{ readonly granted: boolean; readonly waitMs: number }>;
  /**
   * The next page may be requested after `spacingMs`. `nextRank`: the rank of the most urgent page that still waits
   * here; null if there is none.
   */
  end(registry: string, token: string, spacingMs: number, nextRank: number | null): Promise<void>;
  /** Stops waiting. */
  leave(registry: string, token: string): Promise<void>;
}

export interface PaceOptions {
  readonly registry: string;
  /** Race time between the end of a page and the start of the next. */
  readonly spacingMs: number;
  /** Waits for race time to pass. */
  readonly wait: (raceMs: number) => Promise<unknown>;
  /** Absent: only this process reads the registry. */
  readonly shared?: SharedPace;
}

export interface SharedPace {
  readonly turns: SharedTurns;
  readonly source: Pick<BudgetSource, 'reachable' | 'reached' | 'unreachable' | 'workers'>;
  /** The spacing in wall time. */
  readonly spacingMs: number;
  /** Wall. How long others wait for a process that died during its turn: longer than any call. */
  readonly leaseMs: number;
}

interface Turn {
  /** `isRead`: a page was requested, so the next one waits for the spacing. Never rejects. */
  end(isRead: boolean): Promise<void>;
}

export interface RegistryPace {
  /**
   * `rank`: returns the rank of the most urgent page that waits here; null if there is none. Null if no page waits any
   * more.
   */
  take(rank: () => number | null): Promise<Turn | null>;
  /** A page now waits that is more urgent than those before it. */
  hurry(): void;
}

/** Wall. How often a process checks whether another process's page has been read. */
const LOOK_AGAIN_MS = { shortest: 5, longest: 100 };
/** Shorter than the time after which Redis forgets a waiting process. */
const LONGEST_LOOK_MS = 1000;

export function createRegistryPace({ registry, spacingMs, wait, shared }: PaceOptions): RegistryPace {
  const token = randomUUID();
  const { shortest, longest } = LOOK_AGAIN_MS;
  const lookAgainMs = Math.min(longest, Math.max(shortest, (shared?.spacingMs ?? 0) / 10));
  let hasRead = false;
  let isUrgent = false;
  let wake = new AbortController();

  const pause = async (ms: number): Promise<void> => {
    if (isUrgent) return;
    wake = new AbortController();
    await delay(Math.min(ms, LONGEST_LOOK_MS), undefined, { signal: wake.signal }).catch(() => undefined);
  };
  const own = async (): Promise<Turn> => {
    if (hasRead) await wait(spacingMs * Math.max(1, shared?.source.workers() ?? 1));
    hasRead = false;
    return {
      async end(isRead) {
        hasRead ||= isRead;
      },
    };
  };
  const inOrder = ({ turns, source, spacingMs: wallMs }: SharedPace, rank: () => number | null): Turn => ({
    async end(isRead) {
      hasRead ||= isRead;
      await turns.end(registry, token, isRead ? wallMs : 0, rank()).catch((error) => source.unreachable(error));
    },
  });
  return {
    hurry() {
      isUrgent = true;
      wake.abort();
    },
    async take(rank) {
      for (;;) {
        isUrgent = false;
        const wanted = rank();
        if (wanted === null) {
          if (shared?.source.reachable()) await shared.turns.leave(registry, token).catch(() => undefined);
          return null;
        }
        if (!shared?.source.reachable()) return own();
        try {
          const { granted, waitMs } = await shared.turns.take(registry, token, wanted, shared.leaseMs);
          shared.source.reached();
          if (granted) return inOrder(shared, rank);
          await pause(waitMs > 0 ? waitMs : lookAgainMs);
        } catch (error) {
          shared.source.unreachable(error);
        }
      }
    },
  };
}
