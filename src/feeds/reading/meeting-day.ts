// The day of a meeting for books that do not send it: the Sydney day of its first race, so that a card past midnight
// stays together.

import type { Day, Instant } from '../../domain/race/race';
import { aetDay } from '../../domain/time/aet';

/** No card is longer. A start further than this before the median is wrong and must not move the day of the others. */
const CARD_MS = 16 * 3_600_000;

/** Adds the meeting's day to each of its races. */
export function withMeetingDay<T extends { readonly startTime: Instant }>(
  races: readonly T[],
): (T & { readonly meetingDate: Day })[] {
  const starts = races.map((race) => Date.parse(race.startTime)).sort((a, b) => a - b);
  const middle = starts[starts.length >> 1] ?? 0;
  const first = starts.find((start) => start > middle - CARD_MS) ?? 0;
  return races.map((race) => ({ ...race, meetingDate: aetDay(first) }));
}
