// Whether a race has jumped, for consensus and intelligence (D24).
import type { MarketStatus } from '../race/race';

export interface JumpSigns {
  /** Advertised start, epoch milliseconds. */
  readonly startMs: number;
  /** Whether its jump has been recorded. */
  readonly jumped: boolean;
  /** As visible to the caller; null: no book reports it. */
  readonly marketStatus: MarketStatus | null;
}

/**
 * Jumped once the market is observed closed at the advertised start or later; closed earlier, it may open again. If no book reports the
 * market, jumped from the advertised start. While a book reports it open, the race is late.
 */
export function hasJumped({ startMs, jumped, marketStatus }: JumpSigns, nowMs: number): boolean {
  if (jumped) return true;
  return nowMs >= startMs && (marketStatus === null || marketStatus === 'CLOSED');
}
