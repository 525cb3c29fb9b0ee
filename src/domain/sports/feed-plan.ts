// When a sport of a metered feed is polled, and how much a call may cost: the next start decides both. Pure.

/** A sport's name at the source, and ours. */
export interface SourceSport {
  readonly sourceKey: string;
  readonly sportKey: string;
}

/** A metered source's report beside a reply; null: it makes none. */
export interface CreditReport {
  readonly used: number | null;
  readonly remaining: number | null;
  /** What the call itself cost. */
  readonly last: number | null;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/**
 * From this long before the next start a sport is polled this often. `reserved`: the part of a day's credits that calls
 * of this tier leave to those nearer their start. By nearness, the farthest first.
 */
const TIERS = [
  { withinMs: 48 * HOUR_MS, everyMs: 15 * MINUTE_MS, reserved: 0.5 },
  { withinMs: HOUR_MS, everyMs: 2 * MINUTE_MS, reserved: 0.25 },
  { withinMs: 10 * MINUTE_MS, everyMs: 30_000, reserved: 0 },
] as const;

/**
 * When the sport is due, epoch milliseconds. `startMs`: its next start; `triedMs`: the last call for its prices, null:
 * never. A call that failed counts, so that a source that does not answer is called no more often than one that does.
 */
export function dueAtMs(startMs: number, triedMs: number | null): number {
  return Math.min(
    ...TIERS.map(({ withinMs, everyMs }) => Math.max(startMs - withinMs, (triedMs ?? -Infinity) + everyMs)),
  );
}

/** The first day of the month (UTC) that an instant is in, `YYYY-MM-01`. Credits count by it. */
export const creditMonthOf = (nowMs: number): string => `${new Date(nowMs).toISOString().slice(0, 7)}-01`;

/**
 * How much the month may have cost after a call, in credits: the month's share up to now plus a day's, of which calls
 * far from their start leave a part to nearer ones. Never more than `monthlyCredits`.
 */
export function creditLimit(monthlyCredits: number, nowMs: number, toStartMs: number): number {
  const { startMs, days } = monthAround(nowMs);
  const perDay = monthlyCredits / days;
  const { reserved } = TIERS.findLast(({ withinMs }) => toStartMs <= withinMs) ?? TIERS[0];
  const shared = perDay * ((nowMs - startMs) / DAY_MS + 1 - reserved);
  return Math.min(monthlyCredits, Math.floor(shared));
}

function monthAround(nowMs: number): { readonly startMs: number; readonly days: number } {
  const now = new Date(nowMs);
  const startMs = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1);
  return { startMs, days: (Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1) - startMs) / DAY_MS };
}
