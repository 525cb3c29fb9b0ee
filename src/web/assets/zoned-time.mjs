// @ts-check
// Times in the visitor's own zone, beside Sydney's or instead of them. A time of another zone than Sydney's always has
// its zone beside it, and so has Sydney's where both stand: neither reads as the other.
import { timesIn } from './format.mjs';

/** @typedef {'sydney' | 'mine' | 'both'} Zone */
/** @typedef {ReturnType<typeof timesIn>} Times */

export const SYDNEY = timesIn('Australia/Sydney');

/**
 * What a time reads: `main`, and `second` where both zones are shown, each with the zone that stands after it; null:
 * it is Sydney's as the server writes it. `title`: the time in the other zone. Where the visitor's clock agrees with
 * Sydney's at that instant there is nothing to add. `day`: on this day of Sydney a start has no date. `nowMs`: race
 * time, whose day in the visitor's zone is the only one on which a time there has none.
 * @param {number} ms
 * @param {{ kind: string, day?: string | undefined, zone: Zone, nowMs: number }} shown
 * @param {Times} own
 */
export function zonedTime(ms, { kind, day, zone, nowMs }, own) {
  const sydney = sydneyText(ms, kind, day);
  if (own.startText(ms, 0) === SYDNEY.startText(ms, 0)) return { main: sydney, second: null, title: null };
  const mine = `${ownText(ms, kind, nowMs, own)}\u00a0${own.zoneText(ms)}`;
  if (zone === 'mine') return { main: mine, second: null, title: `${sydney}\u00a0${SYDNEY.zoneText(ms)}` };
  if (zone === 'both') return { main: `${sydney}\u00a0${SYDNEY.zoneText(ms)}`, second: mine, title: null };
  return { main: sydney, second: null, title: mine };
}

/**
 * As the server writes it.
 * @param {number} ms @param {string} kind @param {string | undefined} day
 */
export function sydneyText(ms, kind, day) {
  if (kind === 'clock') return SYDNEY.clockText(ms);
  return kind === 'start' ? SYDNEY.startText(ms, Date.parse(`${day}T01:00:00Z`)) : SYDNEY.timeText(ms);
}

/**
 * With the date unless it is the visitor's today: never by Sydney's today, which is another day for hours.
 * @param {number} ms @param {string} kind @param {number} nowMs @param {Times} own
 */
function ownText(ms, kind, nowMs, own) {
  if (kind !== 'clock') return own.startText(ms, nowMs);
  const clock = own.clockText(ms);
  return own.startText(ms, nowMs).includes(',') ? `${own.dateText(ms)}, ${clock}` : clock;
}
