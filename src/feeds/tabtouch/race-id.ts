// Our id of a TABtouch race: the variable parts of its page's path, `2026-11-21/fle/3`. The day is the book's own.

import type { Day } from '../../domain/race/race';
import { isDay } from '../../domain/time/aet';
import { countOf } from '../reading/read';

export interface TabTouchRaceId {
  readonly day: Day;
  readonly code: string;
  readonly raceNumber: number;
}

export const tabTouchRaceId = ({ day, code, raceNumber }: TabTouchRaceId): string => `${day}/${code}/${raceNumber}`;

/** Null if it is not such an id. */
export function parseTabTouchRaceId(sourceRaceId: string): TabTouchRaceId | null {
  const [day = '', code = '', number, ...rest] = sourceRaceId.split('/');
  const raceNumber = countOf(number);
  return isDay(day) && code !== '' && raceNumber && rest.length === 0 ? { day, code, raceNumber } : null;
}

export const racePath = ({ day, code, raceNumber }: TabTouchRaceId): string =>
  `/racing/${day}/${encodeURIComponent(code)}/${raceNumber}`;
