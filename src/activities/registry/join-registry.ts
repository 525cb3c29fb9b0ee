// Joins the registry's races to ours (D17). Runs after discovery, so that a race is enriched as soon as a book lists
// it, and after every read of the registry.

import type { ListedRace } from '../../domain/race/feed-race';
import { type JoinCandidate, placeRace } from '../../domain/race/identity';
import { REGISTRY } from '../../domain/registry/registry';
import { addDays, aetDay } from '../../domain/time/aet';
import type { RegistryRaceRow } from '../../store/registry/registry';
import { instantNow, type RegistryDeps } from '../deps';

export interface JoinReport {
  readonly joined: number;
  readonly refused: number;
  readonly merged: number;
}

/**
 * A race that no book lists yet is left for the next run; one that could be two of ours is refused, logged and counted,
 * never guessed.
 */
export async function joinRegistry(deps: RegistryDeps): Promise<JoinReport> {
  const { registry, races } = deps.stores;
  const rows = await registry.unjoined(addDays(aetDay(deps.now()), -1));
  const counts = { joined: 0, refused: 0 };
  for (const day of new Set(rows.map((row) => row.meetingDate))) {
    const candidates = await races.joinCandidates([addDays(day, -1), day, addDays(day, 1)]);
    for (const row of rows.filter(({ raceId, meetingDate }) => raceId === null && meetingDate === day)) {
      const meeting = rows.filter(({ meetingKey }) => meetingKey === row.meetingKey);
      const verdict = await joinOne(deps, row, meeting, candidates);
      if (verdict) counts[verdict] += 1;
    }
  }
  if (counts.refused > 0) await countRefused(deps, counts.refused);
  return { ...counts, merged: await registry.mergeDue(instantNow(deps)) };
}

async function joinOne(
  { stores, log }: RegistryDeps,
  row: RegistryRaceRow,
  meeting: readonly RegistryRaceRow[],
  candidates: readonly JoinCandidate[],
): Promise<'joined' | 'refused' | null> {
  const placed = placeRace(listedRace(row), candidates, meeting.map(listedRace));
  if (placed.kind === 'new') return null;
  if (placed.kind === 'known') return (await stores.registry.join(row, placed.raceId)) ? 'joined' : null;
  const { venue, raceNumber, startTime } = row;
  const raceIds = placed.candidates.map((candidate) => candidate.raceId);
  log.warn({ venue, raceNumber, startTime, candidates: raceIds }, 'a race of the registry was refused as ambiguous');
  return 'refused';
}

const listedRace = ({ meetingKey, meetingDate, venue, raceNumber, startTime }: RegistryRaceRow): ListedRace => ({
  sourceRaceId: `${meetingKey}/${raceNumber}`,
  category: 'horse',
  venue,
  country: 'AU',
  meetingDate,
  raceNumber,
  startTime,
  raceName: null,
  distanceM: null,
  trackCondition: null,
  weather: null,
});

async function countRefused(deps: RegistryDeps, count: number): Promise<void> {
  const counts = [{ kind: 'refused', reason: 'ambiguous_race', count }] as const;
  const nothingSent = { ok: true, status: 'ok', message: null, recordsWritten: 0, sent: false };
  await deps.stores.health.recordPolls([{ connector: REGISTRY, at: instantNow(deps), ...nothingSent, counts }]);
}
