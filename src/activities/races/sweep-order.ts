// The order in which the sweeper starts races: the nearest to now come first, so that no number of old races delays
// today's. Pure.
import { LIVE_TIER_SECONDS } from '../../domain/time/cadence';
import type { UnfinishedRace } from '../../store/card/races';

const RUNNING_PHASES: ReadonlySet<string> = new Set(['live', 'jumped', 'interim']);

/** Between its live phase and its result, or near enough to be live. */
export const isUrgent = ({ phase, startTime }: UnfinishedRace, nowMs: number): boolean =>
  RUNNING_PHASES.has(phase) || (phase === 'card' && Date.parse(startTime) - nowMs <= LIVE_TIER_SECONDS * 1000);

/** Races between their live phase and their result first, then by the distance of their start from now. */
export function inSweepOrder<R extends UnfinishedRace>(races: readonly R[], nowMs: number): R[] {
  const keyed = races.map((race) => ({
    race,
    rank: RUNNING_PHASES.has(race.phase) ? 0 : 1,
    distanceMs: Math.abs(Date.parse(race.startTime) - nowMs),
  }));
  keyed.sort((a, b) => a.rank - b.rank || a.distanceMs - b.distanceMs);
  return keyed.map(({ race }) => race);
}
