// The archive as text: why a race has no close, how a close was found, a count with its noun.
import type { ArchiveOutcome } from '../../domain/archive/archive-race';
import type { Day } from '../../domain/race/race';
import { aetDayBounds } from '../../domain/time/aet';
import { ageText, dateText } from '../format';
import type { CloseCell, PastDay } from './model';

/** Why a race has no closing line, for a list. */
export const WITHOUT: Readonly<Record<Exclude<ArchiveOutcome, 'closed'>, string>> = {
  abandoned: 'abandoned',
  no_prices: 'no price captured',
  prices_after_jump: 'first price after the jump',
  last_seen_only: 'last seen too early',
};

/** The same as a sentence, for the race's own page. */
export const WITHOUT_SENTENCE: typeof WITHOUT = {
  abandoned: 'This race was abandoned: it has no closing lines. The prices captured until then are kept.',
  no_prices: 'No price of this race was captured, so it has no closing lines.',
  prices_after_jump: 'The first price of this race was captured after its jump, so it has no closing lines.',
  last_seen_only:
    'No book’s price was observed in the last 300 seconds before the jump: these are last-seen prices, not closing lines.',
};

const NOON_MS = 12 * 3_600_000;

/** `Sun 22 Nov`, with the year when it is not today's. */
export function dayText(day: Day, today: Day): string {
  const text = dateText(aetDayBounds(day).startMs + NOON_MS);
  return day.slice(0, 4) === today.slice(0, 4) ? text : `${text} ${day.slice(0, 4)}`;
}

export const counted = (n: number, noun: string): string => `${n.toLocaleString('en-AU')} ${noun}${n === 1 ? '' : 's'}`;

/** `1 abandoned, 1 no price captured`; empty if every race has a close. */
export const reasonsText = ({ without }: Pick<PastDay, 'without'>): string =>
  (Object.keys(WITHOUT) as (keyof typeof WITHOUT)[])
    .flatMap((outcome) => (without[outcome] ? [`${without[outcome]} ${WITHOUT[outcome]}`] : []))
    .join(', ');

/** `40s`, `9m`. */
const secondsText = (seconds: number): string => ageText(0, seconds * 1000);

/** `poll 9m`: found by a poll that confirmed a price of nine minutes before the jump. */
export function foundText({ foundBy, ageSeconds, seenSeconds }: CloseCell): string {
  return foundBy === 'none' ? `seen ${secondsText(seenSeconds)}` : `${foundBy} ${secondsText(ageSeconds)}`;
}

/** The same for a title and for a screen reader. */
export function foundSentence({ foundBy, ageSeconds, seenSeconds }: CloseCell): string {
  const captured = `captured ${secondsText(ageSeconds)} before the jump`;
  if (foundBy === 'tick') return `${captured}, seen once`;
  if (foundBy === 'poll') return `${captured}, confirmed by a later poll`;
  return `last seen ${secondsText(seenSeconds)} before the jump: no closing line`;
}
