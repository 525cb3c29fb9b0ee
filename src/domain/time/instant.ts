// Reads the instants that clients send (D2): RFC 3339 in any offset and any precision. Never guesses an offset: a time
// without one is not read.
import type { Instant } from '../race/race';
import { isDay } from './aet';

const MINUTE_MS = 60_000;

/**
 * Day, wall time to the millisecond, offset. The letters may be in lower case, a space may stand for the T, as where
 * Python prints a `datetime`, and the seconds may be missing.
 */
const RFC_3339 =
  /^(\d{4}-\d{2}-\d{2})[Tt ]((?:[01]\d|2[0-3]):[0-5]\d)(?::([0-5]\d)(?:\.(\d+))?)?(?:[Zz]|([+-])([01]\d|2[0-3]):([0-5]\d))$/;

/**
 * The instant as the service writes it (UTC, milliseconds); further digits are cut off. Null if `text` is not an
 * instant: without an offset, on a day that does not exist, at 24:00 or in a second 60, or outside the years 1 to 9999.
 */
export function readInstant(text: string): Instant | null {
  const read = RFC_3339.exec(text);
  if (!read) return null;
  const [, day, time, seconds = '00', fraction = '', sign, hours = '0', minutes = '0'] = read;
  if (!isDay(day!)) return null;
  const wallMs = Date.parse(`${day}T${time}:${seconds}.${fraction.slice(0, 3).padEnd(3, '0')}Z`);
  const offsetMs = (Number(hours) * 60 + Number(minutes)) * MINUTE_MS;
  const instant = new Date(sign === '-' ? wallMs + offsetMs : wallMs - offsetMs).toISOString();
  return /^(?!0000)\d{4}-/.test(instant) ? instant : null;
}

/** Whether `text` is an instant as the service writes it: UTC with `Z`, at most millisecond precision. */
export const isServedInstant = (text: string): boolean =>
  /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,3})?Z$/.test(text) && readInstant(text) !== null;
