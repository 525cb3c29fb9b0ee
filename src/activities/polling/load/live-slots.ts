// Which live races give up their slot when there are more live races than slots: the slots belong to the races nearest
// their jump. Otherwise a race three hours away keeps its slot while one at two minutes waits. Pure; each poll worker
// decides for its own races.

/** A live race and its advertised start, epoch milliseconds of race time. */
export interface LiveRace {
  readonly raceId: string;
  readonly startMs: number;
}

/**
 * A slot is reassigned only for a start that is this much earlier, or two races could take it from each other. Race
 * time.
 */
const EARLIER_MS = 5 * 60_000;

/**
 * `held`: the races of this process. `waiting`: live races that no process polls. None while this process has a free
 * slot.
 */
export function yieldingRaces(held: readonly LiveRace[], waiting: readonly LiveRace[], slots: number): string[] {
  if (held.length < slots) return [];
  const own = new Set(held.map(({ raceId }) => raceId));
  const nearest = waiting.filter(({ raceId }) => !own.has(raceId)).sort((a, b) => a.startMs - b.startMs);
  const farthest = [...held].sort((a, b) => b.startMs - a.startMs);
  const pairs = farthest.slice(0, nearest.length);
  return pairs.filter(({ startMs }, i) => nearest[i]!.startMs + EARLIER_MS < startMs).map(({ raceId }) => raceId);
}
