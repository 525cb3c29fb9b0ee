// Durations of rules, in PromQL's notation. A game day divides every one by a factor, so that it need not wait for hours.
const UNITS = [
  [86_400, 'd'],
  [3600, 'h'],
  [60, 'm'],
];

/** `3600` is `1h`; what is no whole number of a unit is in seconds, never below one. */
export function duration(seconds, factor = 1) {
  const scaled = Math.max(1, Math.round(seconds / factor));
  const [size, unit] = UNITS.find(([one]) => scaled % one === 0) ?? [1, 's'];
  return `${scaled / size}${unit}`;
}

export const MINUTE = 60;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
