// Our id of a TAB race: the variable parts of its path. Info-service `2026-11-21/R/FLE/3`; history `2025-01-01/M/R/1`,
// in that service's reversed order, so the two never collide.
import { dayOf } from '../reading/read';

export interface TabRaceId {
  readonly day: string;
  readonly raceType: string;
  readonly mnemonic: string;
  readonly raceNumber: number;
}

export function tabRaceId({ day, raceType, mnemonic, raceNumber }: TabRaceId): string {
  return `${day}/${raceType}/${mnemonic}/${raceNumber}`;
}

const PATTERN = /^(\d{4}-\d{2}-\d{2})\/([RGH])\/([A-Z0-9]+)\/([1-9]\d?)$/;

/** Null if it is not such an id. */
export function parseTabRaceId(sourceRaceId: string): TabRaceId | null {
  const [, day, raceType, mnemonic, number] = PATTERN.exec(sourceRaceId) ?? [];
  if (!dayOf(day) || !raceType || !mnemonic) return null;
  return { day: day!, raceType, mnemonic, raceNumber: Number(number) };
}
