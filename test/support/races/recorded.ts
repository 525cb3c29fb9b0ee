// The folder of recorded replies, which we may not copy: they are read from there; without it the tests are skipped,
// with the reason.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ListedRace } from '../../../src/domain/race/feed-race';
import { placeRace, raceIdOf } from '../../../src/domain/race/identity';
import type { PlacedRace } from '../../../src/store/card/card';

const FOLDER = process.env.SAMPLES_DIR ?? join(__dirname, '../../../../shared/samples');
export const recordedPresent = existsSync(FOLDER);
const why = recordedPresent ? '' : ' (skipped: no folder of recorded replies; set SAMPLES_DIR)';

export const describeRecorded = (name: string, tests: () => void): void =>
  (recordedPresent ? describe : describe.skip)(name + why, tests);

export const readRecorded = <T = unknown>(path: string): T => JSON.parse(readFileSync(join(FOLDER, path), 'utf8')) as T;

export const TAB_HISTORY = 'tab/historical-results_2025-01-01_to_06_VIC_AU-NZ.json';

/** As in discovery: placed among the stored races, and refused if ambiguous. */
export function placeAll(list: readonly ListedRace[]): { placed: PlacedRace[]; refused: ListedRace[] } {
  const placed: PlacedRace[] = [];
  const refused: ListedRace[] = [];
  for (const listed of list) {
    const found = placeRace(listed, [], list);
    if (found.kind === 'ambiguous') refused.push(listed);
    else {
      const { venueCanonical, venueSite } = found.venue;
      placed.push({ raceId: raceIdOf(found.identity), identity: found.identity, venueCanonical, venueSite, listed });
    }
  }
  return { placed, refused };
}

/** Runs `work` for each item, several at once. Only for items that do not depend on each other. */
export async function aFewAtOnce<T>(list: readonly T[], work: (one: T) => Promise<unknown>): Promise<void> {
  const rest = list.values();
  const worker = async () => {
    for (const one of rest) await work(one);
  };
  await Promise.all(Array.from({ length: 8 }, worker));
}

const DAY_MS = 86_400_000;
const STAMP = /^(\d{4}-\d{2}-\d{2})([T ].*)?$/;

/**
 * Moves every day and instant of a recorded reply by whole weeks, so that weekdays stay the same, before the connector
 * reads it.
 */
export function shiftedByWeeks<T>(value: T, weeks: number, secondsKeys: readonly string[] = []): T {
  const ms = weeks * 7 * DAY_MS;
  const day = (text: string): string => new Date(Date.parse(`${text}T00:00:00Z`) + ms).toISOString().slice(0, 10);
  const shift = (one: unknown, name: string): unknown => {
    if (Array.isArray(one)) return one.map((each) => shift(each, name));
    if (typeof one === 'object' && one !== null)
      return Object.fromEntries(Object.entries(one).map(([key, each]) => [key, shift(each, key)]));
    if (typeof one === 'number') return secondsKeys.includes(name) ? one + ms / 1000 : one;
    if (typeof one !== 'string') return one;
    const [, date, rest = ''] = STAMP.exec(one) ?? [];
    if (date) return day(date) + rest;
    // Links contain the day too: a TAB race is identified by its link.
    return one.startsWith('http') ? one.replace(/\d{4}-\d{2}-\d{2}/, day) : one;
  };
  return shift(value, '') as T;
}
