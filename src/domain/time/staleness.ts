// When a quote is stale (A 2.4 rule 4). Ages are computed when a response is sent, never stored.
import type { RefreshTier } from '../race/race';

const STALE_AFTER_SECONDS: Readonly<Record<RefreshTier, number>> = { live: 120, card: 1_800 };

/**
 * Seconds after which a quote of this tier is stale. The tier is the book's own on that race: see `tierAt(secs, book)`.
 */
export function staleAfterSeconds(tier: RefreshTier): number {
  return STALE_AFTER_SECONDS[tier];
}

/** Whether a quote `ageSeconds` old is past its tier's threshold. Exactly at the threshold it still counts. */
export function isStale(ageSeconds: number, tier: RefreshTier): boolean {
  return ageSeconds > STALE_AFTER_SECONDS[tier];
}

/** A report may be written while the response to an earlier request is in flight, and clocks differ slightly. */
export const AHEAD_SECONDS = STALE_AFTER_SECONDS.live;
/** Above every threshold. */
export const UNKNOWN_AGE_SECONDS = 86_400;

/**
 * Whole seconds from `atMs` to `nowMs` (epoch milliseconds), rounded down (D24), never negative. An instant further
 * ahead comes from a clock that was wrong and proves no age: it counts as a day old, so that it is stale in every tier
 * and never the freshest.
 */
export function ageSeconds(atMs: number, nowMs: number): number {
  const seconds = Math.floor((nowMs - atMs) / 1000);
  return seconds < -AHEAD_SECONDS ? UNKNOWN_AGE_SECONDS : Math.max(0, seconds);
}

/** The service's own health is checked once a minute: this long after a check its state is not known. Wall. */
export const CHECK_KNOWN_FOR_MS = 3 * 60_000;
