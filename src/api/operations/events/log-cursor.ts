// The cursor of the list of events, as customers store it: opaque, valid for as long as events are stored. An instant
// starts anew.
import { readInstant } from '../../../domain/time/instant';
import { type AppError, invalid } from '../../../errors';
import type { LogPlace } from '../../../store/webhooks/event-log';

/** How long events are stored. */
const STORED_MS = 30 * 86_400_000;
/** How far the clock of a customer may be ahead. */
const AHEAD_MS = 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const WRITTEN = /^1\.(\d{1,15})\.(\d{1,15})$/;

export const cursorOf = ({ position, sinceMs }: LogPlace): string =>
  Buffer.from(`1.${position}.${sinceMs}`).toString('base64url');

/** Null: it is older than the stored events, ahead of the clock, or neither a cursor nor an instant. */
export function placeOf(after: string | undefined, nowMs: number): LogPlace | string | null {
  const oldestMs = nowMs - STORED_MS;
  // A page begins an hour before its place.
  if (after === undefined) return { position: 0, sinceMs: oldestMs + HOUR_MS };
  const [, position, since] = WRITTEN.exec(Buffer.from(after, 'base64url').toString()) ?? [];
  if (position !== undefined) {
    const sinceMs = Number(since);
    return sinceMs < oldestMs || sinceMs > nowMs + DAY_MS ? null : { position: Number(position), sinceMs };
  }
  // An offset whose plus sign was not encoded.
  const at = readInstant(after.replace(/ (?=\d\d:\d\d$)/, '+'));
  const isWithin = at !== null && Date.parse(at) >= oldestMs && Date.parse(at) <= nowMs + AHEAD_MS;
  return isWithin ? at : null;
}

/** Names the floor. */
export function outOfLog(nowMs: number): AppError {
  const oldest = new Date(nowMs - STORED_MS).toISOString();
  const detail = `after must be \`next\` of an earlier response, or an instant with its UTC offset, and not before ${oldest}: events are stored for 30 days.`;
  return invalid([{ parameter: 'after', detail }]);
}
