// Whose page is next at one registry, over all processes: the most urgent purpose first, then who waits longest. While
// Redis is away each process keeps to its own share of the pace, and knows nothing of the others' pages.
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { BudgetSource } from '../gate/budget';

/** The turns at every registry, shared by all processes. Every method rejects at once while it cannot be reached. */
interface SharedTurns {
  /**
   * `rank`: lower goes first. `token`: who waits. Granted for `leaseMs` at most. `waitMs`: how long nothing can be
   * granted; 0: not known.
   */
  take(
    registry: string,
    token: string,
    rank: number,
    leaseMs: number,
  ): Promise<{ readonly granted: boolean; readonly waitMs: number }>;
  /** The next page may be requested after `spacingMs`. `nextRank`: of what waits here still; null: nothing. */
  end(registry: string, token: string, spacingMs: number, nextRank: number | null): Promise<void>;
  /** Waits no longer. */
  leave(registry: string, token: string): Promise<void>;
}

export interface PaceOptions {
  readonly registry: string;
  /** Race time between the end of a page and the start of the next. */
  readonly spacingMs: number;
  /** Waits for race time to pass. */
  readonly wait: (raceMs: number) => Promise<unknown>;
  /** Absent: this process alone reads the registry. */
  readonly shared?: SharedPace;
}

export interface SharedPace {
  readonly turns: SharedTurns;
  readonly source: Pick<BudgetSource, 'reachable' | 'reached' | 'unreachable' | 'workers'>;
  /** The spacing in wall time. */
  readonly spacingMs: number;
  /** Wall. How long others wait for a process that died with its turn: longer than any call. */
  readonly leaseMs: number;
}

interface Turn {
  /** `isRead`: a page was requested, so the next one waits for the spacing. Never rejects. */
  end(isRead: boolean): Promise<void>;
}

export interface RegistryPace {
  /** `rank`: of the most urgent page that waits here, at any time; null: none. Null when none waits any more. */
  take(rank: () => number | null): Promise<Turn | null>;
  /** A page waits that is more urgent than those before it. */
  hurry(): void;
}

/** Wall. How often a process looks whether another's page has been read. */
const LOOK_AGAIN_MS = { shortest: 5, longest: 100 };
/** Shorter than the time after which Redis forgets who waits. */
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
