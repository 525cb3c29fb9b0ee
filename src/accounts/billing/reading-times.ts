// When an account is read again from the payment provider, if no event announces anything before. Pure.
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** After a page of the provider that sells was opened, what may be bought is read more often, for so long. */
export const CHECKOUT_MS = HOUR_MS;
const FIRST_MS = 10 * MINUTE_MS;

/** `checkoutOpenedMs`: of the last such page; null: there was none. */
export function nextReadingMs(nowMs: number, checkoutOpenedMs: number | null): number {
  const openMs = checkoutOpenedMs === null ? Infinity : nowMs - checkoutOpenedMs;
  if (openMs < FIRST_MS) return nowMs + 15_000;
  return nowMs + (openMs < CHECKOUT_MS ? MINUTE_MS : HOUR_MS);
}

const SHORTEST_REST_MS = 10 * MINUTE_MS;
const LONGEST_REST_MS = 24 * HOUR_MS;
const JITTER = 0.2;

/** Before what could not be read so many times in a row is read again: twice as long each time. `random`: in [0, 1). */
export function unreadRestMs(attempts: number, random: number): number {
  const rest = Math.min(LONGEST_REST_MS, SHORTEST_REST_MS * 2 ** (attempts - 1));
  return rest * (1 - JITTER + 2 * JITTER * random);
}
