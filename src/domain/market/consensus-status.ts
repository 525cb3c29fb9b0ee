// Whether a race has jumped, as consensus and intelligence say it (D24).
import type { MarketStatus } from '../race/race';

export interface JumpSigns {
  /** Advertised start, epoch milliseconds. */
  readonly startMs: number;
  /** Whether its jump has been recorded. */
  readonly jumped: boolean;
  /** As the asker may see it; null: no book tells. */
  readonly marketStatus: MarketStatus | null;
}

/**
 * Jumped at the market's close, seen at the advertised start or later: shut earlier, it may open again. Where no book tells of the market, at
 * the advertised start; while one says that it is not shut, the race is late.
 */
export function hasJumped({ startMs, jumped, marketStatus }: JumpSigns, nowMs: number): boolean {
  if (jumped) return true;
  return nowMs >= startMs && (marketStatus === null || marketStatus === 'CLOSED');
}
