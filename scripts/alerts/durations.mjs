// Durations of rules, in PromQL's notation. A game day divides every one by a factor, so that it need not wait for
// hours.

/** @type {[seconds: number, unit: string][]} */
const UNITS = [
  [86_400, 'd'],
  [3600, 'h'],
  [60, 'm'],
];

/**
 * What follows from an outage for a moment fires nothing: races of a killed worker are without a price for half a
 * minute.
 */
const SHORTEST = 30;

/** What is known after an hour is known after five minutes too, where somebody causes it. */
const LONGEST = 300;

/**
 * `3600` is `1h`; what is no whole number of a unit is in seconds. Divided, a duration is never below half a minute,
 * nor above five where the factor is.
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
