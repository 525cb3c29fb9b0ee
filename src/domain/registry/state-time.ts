// Wall time of the Australian states, computed from their rules and never by Intl, whose tables change under us. The
// registry prints a race's start in this time, without a zone.
import type { Day, Instant } from '../race/race';
import type { RegistryState } from './registry';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const APRIL = 3;
const OCTOBER = 9;

/** Minutes ahead of UTC in standard time, and whether the state puts its clocks forward. */
const ZONES: Readonly<Record<RegistryState, { readonly standard: number; readonly daylight: boolean }>> = {
  NSW: { standard: 600, daylight: true },
  VIC: { standard: 600, daylight: true },
  TAS: { standard: 600, daylight: true },
  ACT: { standard: 600, daylight: true },
  QLD: { standard: 600, daylight: false },
  SA: { standard: 570, daylight: true },
  NT: { standard: 570, daylight: false },
  WA: { standard: 480, daylight: false },
};

/**
 * Milliseconds by which the state is ahead of UTC at `ms`. Clocks change at 02:00 standard time on the first Sunday of
 * October and April.
 */
function stateOffsetMs(ms: number, state: RegistryState): number {
  const { standard, daylight } = ZONES[state];
  const offset = standard * MINUTE_MS;
  if (!daylight) return offset;
  const year = new Date(ms + offset).getUTCFullYear();
  const inStandard = ms >= changeMs(year, APRIL, offset) && ms < changeMs(year, OCTOBER, offset);
  return inStandard ? offset : offset + HOUR_MS;
}

function changeMs(year: number, month: number, offsetMs: number): number {
  const weekday = new Date(Date.UTC(year, month, 1)).getUTCDay();
  return Date.UTC(year, month, 1 + ((7 - weekday) % 7), 2) - offsetMs;
}

/** The state's calendar day at `ms`. */
export function stateDay(ms: number, state: RegistryState): Day {
  return new Date(ms + stateOffsetMs(ms, state)).toISOString().slice(0, 10);
}

/** `1:40PM` at `ms` on the state's clocks. */
export function stateClock(ms: number, state: RegistryState): string {
  const minutes = Math.floor(((ms + stateOffsetMs(ms, state)) % DAY_MS) / MINUTE_MS);
  const hours = Math.floor(minutes / 60);
  const rest = minutes % 60;
  return `${hours % 12 || 12}:${String(rest).padStart(2, '0')}${hours < 12 ? 'AM' : 'PM'}`;
}

const CLOCK = /^(\d{1,2}):(\d{2})\s*([AP])M$/i;

/**
 * Instant of `1:40PM` on a day of that state; null if it is not such a time. In an hour that occurs twice, the first
 * occurrence counts.
 */
export function stateInstant(day: Day, clock: string, state: RegistryState): Instant | null {
  const [, hours = '', minutes = '', half = ''] = CLOCK.exec(clock.trim()) ?? [];
  const h = Number(hours);
  const m = Number(minutes);
  if (hours === '' || h < 1 || h > 12 || m > 59) return null;
  const hour = (h % 12) + (half.toUpperCase() === 'P' ? 12 : 0);
  const wallMs = Date.parse(day) + hour * HOUR_MS + m * MINUTE_MS;
  const { standard, daylight } = ZONES[state];
  const forward = wallMs - standard * MINUTE_MS - HOUR_MS;
  const isForward = daylight && stateOffsetMs(forward, state) > standard * MINUTE_MS;
  return new Date(isForward ? forward : wallMs - standard * MINUTE_MS).toISOString();
}
