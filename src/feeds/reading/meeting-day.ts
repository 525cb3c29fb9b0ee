// The day of a meeting at books that do not say it: the Sydney day of its first race, so that a card past midnight stays whole.

import type { Day, Instant } from '../../domain/race/race';
import { aetDay } from '../../domain/time/aet';

/** No card is longer. A start that is further than this before the middle one is wrong, and must not move the day of all the others. */
const CARD_MS = 16 * 3_600_000;

/** The races of one meeting, each with the meeting's day. */
export function withMeetingDay<T extends { readonly startTime: Instant }>(
  races: readonly T[],
): (T & { readonly meetingDate: Day })[] {
  const starts = races.map((race) => Date.parse(race.startTime)).sort((a, b) => a - b);
  const middle = starts[starts.length >> 1] ?? 0;
  const first = starts.find((start) => start > middle - CARD_MS) ?? 0;
  return races.map((race) => ({ ...race, meetingDate: aetDay(first) }));
}
