// Days and instants of accounts as people read them: in UTC, by which credits and keys run, with the zone named.
import type { Instant } from '../../domain/race/race';

/** Epoch milliseconds, or as it is stored. */
type Moment = number | Instant;

const DAY = new Intl.DateTimeFormat('en-AU', { timeZone: 'UTC', day: 'numeric', month: 'long', year: 'numeric' });
const SHORT_DAY = new Intl.DateTimeFormat('en-AU', { timeZone: 'UTC', day: 'numeric', month: 'short' });
const MONTH = new Intl.DateTimeFormat('en-AU', { timeZone: 'UTC', month: 'long', year: 'numeric' });
const TIME = new Intl.DateTimeFormat('en-AU', {
  timeZone: 'UTC',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
});

const SECOND = new Intl.DateTimeFormat('en-AU', {
  timeZone: 'UTC',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
});

/** `1 December 2026`. */
export const dayText = (at: Moment): string => DAY.format(new Date(at));

/** `1 Dec`. */
export const shortDayText = (at: Moment): string => SHORT_DAY.format(new Date(at));

/** `November 2026`. */
export const monthText = (at: Moment): string => MONTH.format(new Date(at));

/** `22 November 2026, 14:05 UTC`, whose zone stays beside the time. */
export const momentText = (at: Moment): string => `${DAY.format(new Date(at))}, ${TIME.format(new Date(at))}\u00a0UTC`;

/** `22 Nov, 14:05:09 UTC`. */
export const instantText = (at: Moment): string =>
  `${SHORT_DAY.format(new Date(at))}, ${SECOND.format(new Date(at))}\u00a0UTC`;

/** `3,000`. */
export const countText = (count: number): string => count.toLocaleString('en-AU');

/** `1 credit`, `3,000 credits`. */
export const amountText = (count: number, noun: string): string =>
  `${countText(count)} ${noun}${count === 1 ? '' : 's'}`;
