// Durations of rules, in PromQL's notation. A game day divides every duration by a factor, so that it need not wait for
// hours.

/** @type {[seconds: number, unit: string][]} */
const UNITS = [
  [86_400, 'd'],
  [3600, 'h'],
  [60, 'm'],
];

/** A brief consequence of an outage fires nothing: races of a killed worker have no price for half a minute. */
const SHORTEST = 30;

/** A condition that is certain after an hour is certain after five minutes too, if it is caused on purpose. */
const LONGEST = 300;

/**
 * `3600` is `1h`; a duration that is not a whole number of a unit is in seconds. With a factor, a duration is never
 * below half a minute nor above five minutes.
 */
export function duration(seconds, factor = 1) {
  const divided = factor === 1 ? seconds : Math.min(LONGEST, Math.round(seconds / factor));
  const scaled = Math.max(Math.min(seconds, SHORTEST), divided);
  const [size, unit] = UNITS.find(([one]) => scaled % one === 0) ?? [1, 's'];
  return `${scaled / size}${unit}`;
}

export const MINUTE = 60;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
