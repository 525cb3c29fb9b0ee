// When a quote is stale (A 2.4 rule 4). Ages are computed when a response is sent, never stored.
import type { RefreshTier } from '../race/race';

const STALE_AFTER_SECONDS: Readonly<Record<RefreshTier, number>> = { live: 120, card: 1_800 };

/** Seconds after which a quote of this tier is stale. The tier is the book's own on that race: see `tierAt(secs, book)`. */
export function staleAfterSeconds(tier: RefreshTier): number {
  return STALE_AFTER_SECONDS[tier];
}

/** Whether a quote `ageSeconds` old is past its tier's threshold. Exactly at the threshold it still counts. */
export function isStale(ageSeconds: number, tier: RefreshTier): boolean {
  return ageSeconds > STALE_AFTER_SECONDS[tier];
}

/** Whole seconds from `atMs` to `nowMs` (epoch milliseconds), rounded down (D24). Never negative, since clocks of two machines disagree. */
export function ageSeconds(atMs: number, nowMs: number): number {
  return Math.max(0, Math.floor((nowMs - atMs) / 1000));
}
