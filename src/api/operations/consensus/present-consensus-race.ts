// Presents the race of a consensus or an analysis (A 2.5, D24).
import type { Static } from '@sinclair/typebox';
import { boardState } from '../../../domain/race/board-state';
import { tierAt } from '../../../domain/time/cadence';
import type { LiveRace } from '../../../store/reads/races/find-races';
import { secsToJump } from '../../wire/present-freshness';
import { presentName } from '../../wire/present-race';
import type { ConsensusRace } from './consensus-race-schema';

type Wire = Static<typeof ConsensusRace>;

const JUMPED =
  'The race has jumped. Books drop off as they close, so the figures compare fewer and fewer books. The race leaves the live ' +
  'board ten minutes after the jump.';

export function presentConsensusRace(race: LiveRace, nowMs: number): Wire {
  const secs = secsToJump(race.startMs, nowMs);
  return {
    ...presentName(race),
    secs_to_jump: secs,
    refresh_tier: tierAt(secs),
    status: boardState(race, nowMs) === 'ahead' ? 'upcoming' : 'jumped',
    as_of: new Date(nowMs).toISOString(),
  };
}

/** The note of a jumped race; null before the jump. */
export const jumpedNote = (status: Wire['status']): string | null => (status === 'jumped' ? JUMPED : null);
