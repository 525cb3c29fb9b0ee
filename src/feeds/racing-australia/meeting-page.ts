// The parts that all documents of a meeting share: races as pairs of a title table and a table of runners, local times
// without a zone, and the header's count of runners.
import type { Instant } from '../../domain/race/race';
import { stateInstant } from '../../domain/registry/state-time';
import type { Page, Piece } from '../reading/html';
import { countOf } from '../reading/read';
import type { MeetingKey } from './address';
import { spaced } from './page';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

export interface RaceTables {
  readonly title: string;
  /** Null if the next title follows immediately. */
  readonly table: Piece | null;
}

/** Each title with the runner table before the next title. */
export function raceTables($: Page): readonly RaceTables[] {
  const tables = $('table.race-title, table.race-strip-fields').toArray();
  return tables.flatMap((element, i) => {
    if (!$(element).hasClass('race-title')) return [];
    const next = tables[i + 1];
    const table = next && !$(next).hasClass('race-title') ? $(next) : null;
    return [{ title: spaced($, $(element)), table }];
  });
}

/** Local times in race order: a time earlier than the previous race's is past midnight. */
export function withStarts<T extends { readonly startLocal: string | null }>(
  races: readonly T[],
  { day, state }: MeetingKey,
): readonly (T & { readonly startTime: Instant | null })[] {
  let lastMs = 0;
  return races.map((race) => {
    const startTime = race.startLocal && stateInstant(day, race.startLocal, state);
    if (!startTime) return { ...race, startTime: null };
    const ms = Date.parse(startTime);
    lastMs = ms < lastMs - HOUR_MS ? ms + DAY_MS : ms;
    return { ...race, startTime: new Date(lastMs).toISOString() };
  });
}

/**
 * `Total Number of acceptors for this meeting (including emergencies) 98`; on the results page the number of starters.
 * Scratched runners are not starters.
 */
export function statedRunners($: Page): number | null {
  const text = spaced($, $('div.race-venue-bottom'));
  return countOf(/Total Number of .{0,80}?including emergencies ?\)? ?:? ?(\d+)/i.exec(text)?.[1]);
}
