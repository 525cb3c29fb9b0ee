// What a replay costs (D69): each race and each started hour from its first price to its advertised start. Pure.
import { REPLAY_HOUR_CREDITS } from '../../../plans/cost';
import type { ReplayRace } from '../../../store/reads/archive/replay/replay-races';

const HOUR_MS = 3_600_000;

/** Of what follows this instant, epoch milliseconds; a race that has jumped by then costs nothing more. */
export function replayCredits(races: readonly ReplayRace[], fromMs = Number.NEGATIVE_INFINITY): number {
  return races.reduce((sum, race) => sum + hoursOf(race, fromMs) * REPLAY_HOUR_CREDITS, 0);
}

function hoursOf({ firstMs, startMs, jumpMs }: ReplayRace, fromMs: number): number {
  if (jumpMs <= fromMs) return 0;
  return Math.max(1, Math.ceil((startMs - Math.max(firstMs, fromMs)) / HOUR_MS));
}
