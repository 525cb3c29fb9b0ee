// Values as people read them: Sydney time with the zone named, decimal odds, and "–" for what is unknown, never 0 (D3).
// What the browser formats too is in assets/format.mjs: the same functions on both sides.
import { halfUp } from '../domain/half-up';
import { priceDecimals, roundedPriceText } from './assets/format.mjs';

export {
  ageText,
  agoText,
  clockText,
  countdownText,
  dateText,
  isOld,
  startText,
  timeText,
  zoneText,
} from './assets/format.mjs';

export const UNKNOWN = '–';

export const instant = (ms: number): string => new Date(ms).toISOString();

/** As every figure is rounded: half up, 1.005 to two decimals is 1.01. */
const rounded = (value: number, decimals: number): string => halfUp(value, 10 ** decimals).toFixed(decimals);

export function priceText(price: number | null): string {
  if (price === null) return UNKNOWN;
  return roundedPriceText(halfUp(price, 10 ** priceDecimals(price)));
}

/** A return on a $1 stake: `1,904.10`. */
export const dividendText = (amount: number): string =>
  `${amount.toLocaleString('en-AU', { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`;

/** `1st`, `2nd`, `11th`, `21st`. */
export function ordinalText(n: number): string {
  const teen = n % 100 >= 11 && n % 100 <= 13;
  return `${n}${teen ? 'th' : (['th', 'st', 'nd', 'rd'][n % 10] ?? 'th')}`;
}

export const percentText = (pct: number | null, decimals = 1): string =>
  pct === null ? UNKNOWN : `${rounded(pct, decimals)}%`;

/** `+5.6%`, `−3.2%`. */
export const signedPercentText = (pct: number, decimals = 1): string => {
  const text = rounded(Math.abs(pct), decimals);
  if (Number(text) === 0) return `${text}%`;
  return `${pct > 0 ? '+' : '−'}${text}%`;
};

/** A share of a return in cents of each dollar: `8c`, `8.5c`. */
export const centsText = (share: number): string => `${halfUp(share * 100, 10)}c`;

/** The last five runs of a form line, latest last; a spell (`x`) between them is no run. */
export function lastRunsText(form: string): string {
  let from = form.length;
  for (let runs = 0; from > 0 && runs < 5; from--) if (form[from - 1] !== 'x') runs++;
  return form.slice(from);
}

/** The time of a run: `1:09.45`, `29.85`. */
export function runTimeText(seconds: number | null): string {
  if (seconds === null) return UNKNOWN;
  const hundredths = Math.round(halfUp(seconds, 100) * 100);
  const minutes = Math.floor(hundredths / 6000);
  const rest = ((hundredths % 6000) / 100).toFixed(2);
  return minutes === 0 ? rest : `${minutes}:${rest.padStart(5, '0')}`;
}
