// @ts-check
// What a pinned race says in the tab's title, and when it rings: once, three minutes before its start. Values only: the
// tests import this file and the browser loads it. A start that the service has not confirmed lately counts nothing
// down, and a race that is not ahead never rings.

/**
 * What the browser keeps of the race. `rings`: its next three minutes ring. `ended`: how it left, once it has.
 * @typedef {{
 *   readonly raceId: string, readonly title: string, readonly startMs: number, readonly confirmedMs: number,
 *   readonly rings: boolean, readonly state: RaceStart['state'],
 * }} Pin
 */
/**
 * The service's answer; instants in epoch milliseconds of race time.
 * @typedef {{
 *   readonly race_id: string, readonly title: string, readonly start_ms: number,
 *   readonly state: 'ahead' | 'suspended' | 'jumped' | 'abandoned' | 'over',
 * }} RaceStart
 */

const RING_MS = 3 * 60_000;
/** Of wall time: a hidden tab's timers run once a minute. */
const CONFIRMED_MS = 90_000;
/** Of the race clocks of two tabs. */
const CLOCKS_APART_MS = 5000;

const ENDS = { jumped: 'jumped', abandoned: 'abandoned', over: 'has run' };

/**
 * @param {unknown} value
 * @returns {value is RaceStart['state']}
 */
const isState = (value) => value === 'ahead' || value === 'suspended' || Object.keys(ENDS).some((end) => end === value);

/** @param {Pick<Pin, 'state'>} pin */
const isAhead = ({ state }) => state === 'ahead' || state === 'suspended';

/**
 * The pin after an answer. A start further than three minutes away rings again: the race was put back.
 * @param {Pin | null} before
 * @param {RaceStart} start
 * @param {number} nowMs
 * @returns {Pin}
 */
export function confirmed(before, { race_id, title, start_ms, state }, nowMs) {
  const far = start_ms - nowMs > RING_MS;
  const rings = far || (before?.raceId === race_id && before.rings);
  return { raceId: race_id, title, startMs: start_ms, confirmedMs: nowMs, rings, state };
}

/**
 * @param {Pin} pin
 * @param {number} nowMs
 * @param {number} speed race seconds per wall second
 */
export const isConfirmed = ({ confirmedMs }, nowMs, speed) =>
  nowMs >= confirmedMs && nowMs - confirmedMs <= CONFIRMED_MS * Math.max(1, speed);

/**
 * Whether it rings at this moment; afterwards its `rings` must be false.
 * @param {Pin} pin
 * @param {number} nowMs
 * @param {number} speed
 */
export function isDue(pin, nowMs, speed) {
  const left = pin.startMs - nowMs;
  return pin.rings && isAhead(pin) && left <= RING_MS && left > 0 && isConfirmed(pin, nowMs, speed);
}

/**
 * Whether another tab made the pin ring between these two readings, while that is news.
 * @param {Pin | null} before
 * @param {Pin | null} after
 * @param {number} nowMs
 */
export function rangElsewhere(before, after, nowMs) {
  if (!before?.rings || after === null || after.rings || after.raceId !== before.raceId || !isAhead(after))
    return false;
  const left = after.startMs - nowMs;
  return left > 0 && left <= RING_MS + CLOCKS_APART_MS;
}

/**
 * Nothing more is expected of the race: it is asked for no more, and the next page leaves it out.
 * @param {Pin} pin
 */
export const isDone = ({ state }) => state === 'over' || state === 'abandoned';

/**
 * A value that was kept, if it is a pin.
 * @param {any} value
 * @returns {Pin | null}
 */
export function pinOf(value) {
  const { raceId, title, startMs, confirmedMs, rings, state } = value ?? {};
  const isPin =
    typeof raceId === 'string' &&
    /^[0-9a-f-]{36}$/.test(raceId) &&
    typeof title === 'string' &&
    Number.isFinite(startMs) &&
    Number.isFinite(confirmedMs) &&
    typeof rings === 'boolean' &&
    isState(state);
  return isPin ? { raceId, title: title.slice(0, 80), startMs, confirmedMs, rings, state } : null;
}

/**
 * How the race stands, in words after its name; `countdown`: its time left, in words.
 * @param {Pin} pin
 * @param {number} nowMs
 * @param {number} speed
 * @param {string} countdown
 */
export function pinText(pin, nowMs, speed, countdown) {
  if (!isAhead(pin)) return ENDS[/** @type {keyof typeof ENDS} */ (pin.state)];
  if (!isConfirmed(pin, nowMs, speed)) return 'start not confirmed';
  return pin.state === 'suspended' ? `${countdown}, suspended` : countdown;
}
