// How old a book's quotes on a race are now, and whether that is too old (A 2.4 rule 4). Computed when served, never
// stored.
import { bookmaker } from '../../domain/bookmakers';
import type { RefreshTier } from '../../domain/race/race';
import { tierAt } from '../../domain/time/cadence';
import { ageSeconds, isStale } from '../../domain/time/staleness';

export interface QuoteFreshness {
  readonly last_update: string;
  readonly age_seconds: number;
  readonly stale: boolean;
  readonly refresh_tier: RefreshTier;
  readonly age_basis: 'poll' | 'push';
}

export interface Polled {
  readonly bookmaker: string;
  readonly polledAtMs: number;
}

export const secsToJump = (startMs: number, nowMs: number): number => Math.floor((startMs - nowMs) / 1000);

/** One book's freshness on a race that starts at `startMs`. */
export function quoteFreshness(book: Polled, startMs: number, nowMs: number): QuoteFreshness {
  const age = ageSeconds(book.polledAtMs, nowMs);
  const row = bookmaker(book.bookmaker);
  const tier = tierAt(secsToJump(startMs, nowMs), row);
  return {
    last_update: new Date(book.polledAtMs).toISOString(),
    age_seconds: age,
    stale: isStale(age, tier),
    refresh_tier: tier,
    age_basis: ageBasis(row),
  };
}

/** How the prices of a book reach the service. */
export const ageBasis = (book: ReturnType<typeof bookmaker>): QuoteFreshness['age_basis'] =>
  book?.reach === 'pushed' ? 'push' : 'poll';

/** Its JSON members without braces. Written by hand because a full board needs it thousands of times a second. */
export function quoteMembers({ last_update, age_seconds, stale, refresh_tier, age_basis }: QuoteFreshness): string {
  return `"last_update":"${last_update}","age_seconds":${age_seconds},"stale":${stale},"refresh_tier":"${refresh_tier}","age_basis":"${age_basis}"`;
}

/**
 * Whole seconds since the rows of an answer were read; null: they were read for this request. `outageMs` is what they
 * had of age when it was computed (`outageAgeMs`).
 */
export function cacheAgeSeconds(
  { fresh, computedAtMs }: { readonly fresh: boolean; readonly computedAtMs: number },
  outageMs: number | null,
  nowMs: number,
): number | null {
  if (fresh && outageMs === null) return null;
  return Math.max(0, Math.floor(nowMs / 1000) - Math.floor((computedAtMs - (outageMs ?? 0)) / 1000));
}

/**
 * A race's freshness, from the books that count for its age and all books shown. `cacheAgeSeconds` is the age of the
 * response itself; null if it was computed for this request.
 */
export function raceFreshness(
  counted: readonly QuoteFreshness[],
  shown: ReadonlyMap<string, QuoteFreshness>,
  secs: number,
  cacheAgeSeconds: number | null,
) {
  let oldest: QuoteFreshness | null = null;
  let freshest: QuoteFreshness | null = null;
  for (const one of counted) {
    if (oldest === null || one.age_seconds > oldest.age_seconds) oldest = one;
    if (freshest === null || one.age_seconds < freshest.age_seconds) freshest = one;
  }
  return {
    data_age_seconds: oldest?.age_seconds ?? null,
    freshest_age_seconds: freshest?.age_seconds ?? null,
    refresh_tier: tierAt(secs),
    stale: oldest?.stale ?? false,
    stale_bookmakers: [...shown].filter(([, one]) => one.stale).map(([key]) => key),
    cached: cacheAgeSeconds !== null,
    cache_age_seconds: cacheAgeSeconds ?? 0,
  };
}
