// Whether a race has jumped, by what the asker may see of its market (D24, A 1). One answer for every operation that says it.
import { hasJumped } from '../../domain/market/consensus-status';
import type { Instant, MarketStatus } from '../../domain/race/race';
import type { BoardRace } from '../../store/reads/races/board';
import { type Audience, marketStateFor } from '../access/visibility';
import { marketState } from './race';

/** `jumped_at` is absent of what the board's read returns: no race there has a recorded jump. */
type MaybeJumped = BoardRace & { readonly jumped_at?: Instant | null };

export function isJumped(race: MaybeJumped, audience: Audience, nowMs: number): boolean {
  const { market_status } = marketStateFor(audience, marketState(race));
  const { startMs, jumped_at = null } = race;
  return hasJumped({ startMs, jumped: jumped_at !== null, marketStatus: market_status as MarketStatus | null }, nowMs);
}
