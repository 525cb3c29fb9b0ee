// @ts-check
// Times, countdowns, ages and prices as people read them, for the pages and for the scripts that keep them ticking: the
// server imports this file and the browser loads it. It has no rounding of its own; figures are rounded by `halfUp`
// (src/domain) before they come here.

/** @typedef {(ms: number) => string} Format */

/**
 * The times of a zone; undefined: that of the browser. `timeText`: `2:10 pm`; `clockText`: `2:10:05 pm`; `dateText`:
 * `Sat 21 Nov`; `zoneText`: `AEDT` in summer, `AEST` in winter; `startText`: the time, with the day when it is not that
 * of the second instant.
 * @param {string | undefined} timeZone
 */
export function timesIn(timeZone) {
  // Made when it is first needed: each takes milliseconds before the first paint.
  /** @param {Intl.DateTimeFormatOptions} options */
  const format = (options) => {
    /** @type {Intl.DateTimeFormat | undefined} */
    let made;
    return () => (made ??= new Intl.DateTimeFormat('en-AU', { timeZone, hourCycle: 'h12', ...options }));
  };
  const clock = format({ hour: 'numeric', minute: '2-digit', second: '2-digit' });
  const time = format({ hour: 'numeric', minute: '2-digit' });
  const date = format({ weekday: 'short', day: 'numeric', month: 'short' });
  const day = format({ year: 'numeric', month: '2-digit', day: '2-digit' });
  const zone = format({ timeZoneName: 'short' });
  /** @type {Format} */
  const timeText = (ms) => time().format(ms);
  /** @type {Format} */
  const clockText = (ms) => clock().format(ms);
  /** @type {Format} */
  const dateText = (ms) => date().format(ms).replace(',', '');
  /** @type {Format} */
  const zoneText = (ms) =>
    zone()
      .formatToParts(ms)
      .find((part) => part.type === 'timeZoneName')?.value ?? '';
  /** @type {(ms: number, nowMs: number) => string} */
  const startText = (ms, nowMs) =>
    day().format(ms) === day().format(nowMs) ? timeText(ms) : `${dateText(ms)}, ${timeText(ms)}`;
  return { timeText, clockText, dateText, zoneText, startText };
}

export const { timeText, clockText, dateText, zoneText, startText } = timesIn('Australia/Sydney');

/**
 * Time left to `ms`: `1h 04m`, `12m 05s`, `42s`; past it, how long ago: `+1m 03s`.
 * @param {number} ms
 * @param {number} nowMs
 */
export function countdownText(ms, nowMs) {
  const left = Math.ceil((ms - nowMs) / 1000);
  return left < 0 ? `+${spanText(-left)}` : spanText(left);
}

/** @param {number} seconds */
function spanText(seconds) {
  const h = Math.floor(seconds / 3600);
  const m = Math.floor((seconds % 3600) / 60);
  if (h > 0) return `${h}h ${two(m)}m`;
  return m > 0 ? `${m}m ${two(seconds % 60)}s` : `${seconds}s`;
}

/** @param {number} n */
const two = (n) => String(n).padStart(2, '0');

/**
 * How old, in the largest whole unit: `8s`, `3m`, `2h`.
 * @param {number} ms
 * @param {number} nowMs
 */
export function ageText(ms, nowMs) {
  const age = Math.max(0, Math.floor((nowMs - ms) / 1000));
  if (age < 60) return `${age}s`;
  return age < 3600 ? `${Math.floor(age / 60)}m` : `${Math.floor(age / 3600)}h`;
}

/**
 * How long ago in words: `8 seconds ago`, `1 minute ago`, `2 hours ago`.
 * @param {number} ms
 * @param {number} nowMs
 */
export function agoText(ms, nowMs) {
  const seconds = Math.max(0, Math.floor((nowMs - ms) / 1000));
  const [count, unit] =
    seconds < 60
      ? [seconds, 'second']
      : seconds < 3600
        ? [Math.floor(seconds / 60), 'minute']
        : [Math.floor(seconds / 3600), 'hour'];
  return `${count} ${unit}${count === 1 ? '' : 's'} ago`;
}

/**
 * Whether a price this old is marked: over two minutes.
 * @param {number} ms
 * @param {number} nowMs
 */
export const isOld = (ms, nowMs) => nowMs - ms > 120_000;

/**
 * Two while a cent means something, none from 100.
 * @param {number} price
 */
export const priceDecimals = (price) => (price >= 100 ? 0 : 2);

/**
 * Of a price that is rounded to cents or to `priceDecimals`.
 * @param {number} price
 */
export const roundedPriceText = (price) => price.toFixed(priceDecimals(price));

/**
 * Whole cents as money: `$1,904.10`.
 * @param {bigint} cents
 */
export const dollarsText = (cents) =>
  `$${String(cents / 100n).replace(/\B(?=(\d{3})+$)/g, ',')}.${two(Number(cents % 100n))}`;
