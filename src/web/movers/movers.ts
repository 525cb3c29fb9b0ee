// The movers of the next hour. Many viewers cost one read: values are cached for two seconds.
import type { BoardFacts } from '../../domain/race/board-state';
import type { RaceTitle } from '../board/race-title';
import { timedCache } from '../board/timed-cache';

export interface MoverRow {
  readonly race: RaceTitle;
  /** Decide whether the race is still to jump when the page is made. */
  readonly facts: BoardFacts;
  readonly number: number;
  readonly runner: string;
  /** Means over the counted books. */
  readonly open: number;
  readonly current: number;
  /** Percent of `open`; negative: firming. Never 0. */
  readonly movePct: number;
  readonly direction: 'firming' | 'drifting';
  /** Of the books with two or more captured prices. */
  readonly firming: number;
  readonly drifting: number;
  readonly counted: number;
}

export interface ReadMovers {
  /** When the prices were read, in epoch milliseconds. */
  readonly atMs: number;
  /** False: every price of the races is stale, so that nothing is known of moves. */
  readonly current: boolean;
  /** Largest move first. */
  readonly movers: readonly MoverRow[];
}

/** With only what customers may see. */
export interface MoverSource {
  movers(nowMs: number): Promise<ReadMovers>;
}

export interface MoverPages {
  read(): Promise<ReadMovers>;
}

/** Race time. */
const CACHED_MS = 2000;

export function createMoverPages({ source, now }: { readonly source: MoverSource; now(): number }): MoverPages {
  const cached = timedCache<ReadMovers>(CACHED_MS, 1);
  return {
    async read() {
      const nowMs = now();
      return (await cached.get('movers', nowMs, () => source.movers(nowMs))).value;
    },
  };
}
