// How we name a Palmerbet race: its path, `2026-11-21/HorseRacing/Mohawk%20-%20Can/3`. The day in it is the book's own race day, which is not
// the day of the start in UTC: it is carried, never derived.

import type { Category, Day } from '../../domain/race/race';
import { isDay } from '../../domain/time/aet';
import { countOf } from '../reading/read';
import type { PalmerbetType } from './payload';

export interface PalmerbetRaceId {
  readonly day: Day;
  readonly type: PalmerbetType;
  readonly venue: string;
  readonly raceNumber: number;
}

/** One list call each, in this order. */
export const CATEGORIES: Readonly<Record<PalmerbetType, Category>> = {
  HorseRacing: 'horse',
  GreyhoundRacing: 'greyhound',
  HarnessRacing: 'harness',
};

export const palmerbetRaceId = ({ day, type, venue, raceNumber }: PalmerbetRaceId): string =>
  [day, type, encodeURIComponent(venue), raceNumber].join('/');

/** Of a race's path with whatever stands before it, slashes doubled or missing, encoded or not. Null when it names no race. */
export function parsePalmerbetRaceId(path: string): PalmerbetRaceId | null {
  const parts = path.split(/[?#]/, 1)[0]!.split('/').filter(Boolean).slice(-4);
  const [day = '', type = '', title = '', number] = parts;
  const venue = decoded(title);
  const raceNumber = countOf(number);
  if (!isDay(day) || !isType(type) || !venue || !raceNumber) return null;
  return { day, type, venue, raceNumber };
}

const isType = (text: string): text is PalmerbetType => Object.hasOwn(CATEGORIES, text);

function decoded(text: string): string {
  try {
    return decodeURIComponent(text).trim();
  } catch {
    return text;
  }
}
