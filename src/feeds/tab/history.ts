// TAB's historical results service: past days, results only.
// Its paths put mnemonic before type, the mnemonic is a one-letter selling code that several tracks share, and the type
// is the scheduled one: only `_links.self` identifies a race.
import type { FeedResult, ListedRace } from '../../domain/race/feed-race';
import { countDrops, type Drops } from '../reading/drops';
import { type JsonObject, listOf, rowOf, textOf } from '../reading/read';
import type { Mapped } from '../transport/reply';
import { racesOfMeeting } from './map';
import { resultOf } from './result';

export interface HistoricalRace {
  readonly listed: ListedRace;
  readonly result: FeedResult | null;
}

/**
 * Every race of the reply with its result. Exotic pools (totals and legs, no dividends) are only counted, not stored.
 */
export function mapHistory(payload: unknown): Mapped<readonly HistoricalRace[]> | null {
  const body = rowOf(payload);
  if (!Array.isArray(body.meetings)) return null;
  const drops = countDrops();
  const jurisdiction = textOf(body.jurisdiction) ?? 'unknown';
  const value = body.meetings.flatMap((meeting) => {
    drops.add('exotic_pool', listOf(rowOf(meeting).exoticPools).length);
    return racesOfMeeting(meeting, drops).flatMap(({ listed, row }) => historical(listed, row, jurisdiction, drops));
  });
  return { value, bookAt: null, dropped: drops.counts() };
}

function historical(listed: ListedRace, row: JsonObject, jurisdiction: string, drops: Drops): HistoricalRace[] {
  const sourceRaceId = selfOf(row);
  if (!sourceRaceId) {
    drops.add('race_id_missing');
    return [];
  }
  drops.add('scratching_without_field', listOf(row.scratchings).length);
  return [{ listed: { ...listed, sourceRaceId }, result: resultOf(row, [], jurisdiction, drops) }];
}

/** `…/VIC/racing/2025-01-01/P/H/races/1` → `2025-01-01/P/H/1`. */
function selfOf(row: JsonObject): string | null {
  const self = textOf(rowOf(row._links).self) ?? '';
  const [, path, number] = /\/racing\/(\d{4}-\d{2}-\d{2}\/[^/]+\/[^/]+)\/races\/(\d+)$/.exec(self) ?? [];
  return path ? `${path}/${number}` : null;
}
