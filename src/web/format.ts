// Values as people read them: Sydney time with the zone named, decimal odds, and "–" for what is not known, never 0 (D3).
// The countdown and age texts have a twin in assets/board.js, which keeps them ticking; a browser test holds the two together.
import { halfUp } from '../domain/half-up';

export const UNKNOWN = '–';

const sydney = (options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat('en-AU', { timeZone: 'Australia/Sydney', hourCycle: 'h12', ...options });

const CLOCK = sydney({ hour: 'numeric', minute: '2-digit', second: '2-digit' });
const TIME = sydney({ hour: 'numeric', minute: '2-digit' });
const DATE = sydney({ weekday: 'short', day: 'numeric', month: 'short' });
const DAY = sydney({ year: 'numeric', month: '2-digit', day: '2-digit' });
const ZONE = sydney({ timeZoneName: 'short' });

/** `2:10 pm`. */
export const timeText = (ms: number): string => TIME.format(ms);

/** `2:10:05 pm`. */
export const clockText = (ms: number): string => CLOCK.format(ms);

/** `Sat 21 Nov`. */
export const dateText = (ms: number): string => DATE.format(ms).replace(',', '');

/** `AEDT` in summer, `AEST` in winter. */
export function zoneText(ms: number): string {
  return ZONE.formatToParts(ms).find((part) => part.type === 'timeZoneName')?.value ?? '';
}

/** `2:10 pm`, with the day when it is not today's. */
export function startText(ms: number, nowMs: number): string {
  return DAY.format(ms) === DAY.format(nowMs) ? timeText(ms) : `${dateText(ms)}, ${timeText(ms)}`;
}

export const instant = (ms: number): string => new Date(ms).toISOString();

/** As every figure is rounded: half up, 1.005 to two decimals is 1.01. */
const rounded = (value: number, decimals: number): string => halfUp(value, 10 ** decimals).toFixed(decimals);

/** Two decimals while a cent means something, none from 100. */
export function priceText(price: number | null): string {
  if (price === null) return UNKNOWN;
  return rounded(price, price >= 100 ? 0 : 2);
}

/** A return on a $1 stake: `1,904.10`. */
export const dividendText = (amount: number): string =>
  `${amount.toLocaleString('en-AU', { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`;

export const percentText = (pct: number | null, decimals = 1): string =>
  pct === null ? UNKNOWN : `${rounded(pct, decimals)}%`;

/** `+5.6%`, `−3.2%`. */
export const signedPercentText = (pct: number, decimals = 1): string => {
  const text = rounded(Math.abs(pct), decimals);
  if (Number(text) === 0) return `${text}%`;
  return `${pct > 0 ? '+' : '−'}${text}%`;
};

/** A share of a return as a punter says it, in cents of each dollar: `8c`, `8.5c`. */
export const centsText = (share: number): string => `${halfUp(share * 100, 10)}c`;

const two = (n: number): string => String(n).padStart(2, '0');

/** Time left to `ms`: `1h 04m`, `12m 05s`, `42s`; past it, how long ago: `+1m 03s`. */
export function countdownText(ms: number, nowMs: number): string {
  const left = Math.ceil((ms - nowMs) / 1000);
  if (left < 0) return `+${spanText(-left)}`;
  return spanText(left);
}

function spanText(seconds: number): string {
  const h = Math.floor(seconds / 3600);
  const m = Math.floor((seconds % 3600) / 60);
  if (h > 0) return `${h}h ${two(m)}m`;
  return m > 0 ? `${m}m ${two(seconds % 60)}s` : `${seconds}s`;
}

/** How old, in the largest whole unit: `8s`, `3m`, `2h`. */
export function ageText(ms: number, nowMs: number): string {
  const age = Math.max(0, Math.floor((nowMs - ms) / 1000));
  if (age < 60) return `${age}s`;
  return age < 3600 ? `${Math.floor(age / 60)}m` : `${Math.floor(age / 3600)}h`;
}
