// Our id of a Palmerbet race: its path, `2026-11-21/HorseRacing/Mohawk%20-%20Can/3`.
// The day is the book's own race day. It may differ from the start's day in UTC, so it is part of the id and never
// derived.

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

/** One list call per code, in this order. */
export const CATEGORIES: Readonly<Record<PalmerbetType, Category>> = {
  HorseRacing: 'horse',
  GreyhoundRacing: 'greyhound',
  HarnessRacing: 'harness',
};

export const palmerbetRaceId = ({ day, type, venue, raceNumber }: PalmerbetRaceId): string =>
  [day, type, encodeURIComponent(venue), raceNumber].join('/');

/** Reads a race's path: any prefix, slashes doubled or missing, encoded or not. Null if it names no race. */
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
