// Whether a race has jumped, by the market state that the audience may see (D24, A 1). Every operation uses this one rule.
import { hasJumped } from '../../domain/market/consensus-status';
import type { Instant, MarketStatus } from '../../domain/race/race';
import type { BoardRace } from '../../store/reads/races/board';
import { type Audience, marketStateFor } from '../access/visibility';
import { marketState } from './race';

/** The board's read returns no `jumped_at`, because no race on it has a recorded jump. */
type MaybeJumped = BoardRace & { readonly jumped_at?: Instant | null };

export function isJumped(race: MaybeJumped, audience: Audience, nowMs: number): boolean {
  const { market_status } = marketStateFor(audience, marketState(race));
  const { startMs, jumped_at = null } = race;
  return hasJumped({ startMs, jumped: jumped_at !== null, marketStatus: market_status as MarketStatus | null }, nowMs);
}
