// Does in the world what the race's lifecycle decided, in its order. Every effect is idempotent, so a retry of the whole list is safe.
import type { RaceEffect } from '../domain/lifecycle';
import type { Instant } from '../domain/race';
import { type ActivityDeps, instantNow } from './deps';

/** An effect that only writes: everything but the collector's pass, which is an activity of its own. */
export type WriteEffect = Exclude<RaceEffect, { do: 'run_field_pass' }>;

export interface Decision {
  readonly raceId: string;
  readonly effects: readonly WriteEffect[];
}

export async function carryOut(deps: ActivityDeps, { raceId, effects }: Decision): Promise<void> {
  for (const effect of effects) await write(deps, raceId, effect, instantNow(deps));
}

async function write({ stores }: ActivityDeps, raceId: string, effect: WriteEffect, at: Instant): Promise<void> {
  const { races, control, results } = stores;
  switch (effect.do) {
    case 'set_control': {
      const { epoch, tier, advertisedStart, closed } = effect;
      return control.setControl({ raceId, epoch, tier, advertisedStart, closed }, at);
    }
    case 'write_abandoned':
      return results.abandon(raceId, effect.note, 'lifecycle', at);
    case 'reinstate':
      return results.reinstate(raceId, at);
    case 'save_phase': {
      const { phase, jumpedAt, leftBoardAt } = effect;
      return races.savePhase(raceId, phase, stamps(jumpedAt, leftBoardAt), at);
    }
    case 'finalise':
      await results.finalise(raceId, at);
      return;
    case 'save_field':
      return results.saveFieldState(raceId, effect.field, at, effect.lastPassAt);
  }
}

const stamps = (jumpedAt: Instant | null, leftBoardAt: Instant | null) => ({
  ...(jumpedAt ? { jumpedAt } : {}),
  ...(leftBoardAt ? { leftBoardAt } : {}),
});
