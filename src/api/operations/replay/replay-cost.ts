// What a replay costs (D69): each race and each started hour from its first price to its advertised start. Pure.
import { REPLAY_HOUR_CREDITS } from '../../../plans/cost';
import type { ReplayRace } from '../../../store/reads/archive/replay/replay-races';
import type { PlayBill } from '../../../store/redis/paid-plays';
import { playedResultMs } from './race-timeline';

const HOUR_MS = 3_600_000;

/** Of what follows this instant, epoch milliseconds; null: all. A race whose last event was before costs nothing. */
export function replayBill(races: readonly ReplayRace[], fromMs: number | null): PlayBill {
  const from = fromMs ?? Number.NEGATIVE_INFINITY;
  const played = races.filter((race) => raceEndMs(race) >= from);
  return Object.fromEntries(played.map((race) => [race.raceId, hoursOf(race, from) * REPLAY_HOUR_CREDITS]));
}

const hoursOf = ({ firstMs, startMs }: ReplayRace, fromMs: number): number =>
  Math.max(1, Math.ceil((startMs - Math.max(firstMs, fromMs)) / HOUR_MS));

/** Of its last event. */
export const raceEndMs = ({ jumpMs, resultMs }: ReplayRace): number => playedResultMs(resultMs, jumpMs) ?? jumpMs;
